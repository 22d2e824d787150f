//! Tests that an edit of one entry does not change the lines around it.

use interpolate::unstable::node::{NodeId, Tree};
use interpolate::unstable::scalar::Scalar;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, language};

use crate::edit::{escape, place};

/// Replaces or removes one entry of a block mapping of `base`. The lines before it and
/// its comments, and those after them, must not change.
pub fn check(base: &str, [way, depth, kind]: [u32; 3]) -> Result<(), String> {
    let mut sources = Sources::default();
    let id = sources.add("base.yml", base);
    let options = Options::default();
    let Ok(mut document) = yaml::read(&sources, id, &options) else { return Ok(()) };
    let (path, parent) = place(&document, way, depth % 6);
    let Some((key, from, to)) = entry(&document, base, parent, way) else {
        return Ok(());
    };
    let op = match kind % 2 {
        0 => format!("- type: remove\n  path: \"{path}/{key}\"\n"),
        _ => format!("- type: replace\n  path: \"{path}/{key}\"\n  value: new\n"),
    };
    let id = sources.add("ops.yml", op.clone());
    let ops = yaml::read(&sources, id, &options).map_err(|e| format!("{op}{e:?}"))?;
    let patch = language::ops(&ops, "ops.yml").map_err(|e| format!("{op}{e:?}"))?;
    if apply::apply(&patch, &mut document, 0..1).is_err() {
        return Ok(());
    }
    let printed = document.to_string();
    let kept = printed.starts_with(base[..from].trim_end())
        && printed.trim_end().ends_with(base[to..].trim_end());
    kept.then_some(()).ok_or_else(|| {
        format!("--- base\n{base}\n--- ops\n{op}\n--- printed\n{printed}\n---\n")
    })
}

/// Returns the key of an entry of a block mapping that has lines of its own, and the part
/// of the text that may change with it.
fn entry(
    document: &Tree,
    base: &str,
    parent: NodeId,
    way: u32,
) -> Option<(String, usize, usize)> {
    let pairs = document.pairs(parent);
    let (key, value) = *pairs.get(way as usize % pairs.len().max(1))?;
    let Scalar::String(text) = document.scalar(key) else { return None };
    let flow = base[document.span(parent)?.start as usize..].starts_with(['{', '[']);
    let start = document.span(key)?.start as usize;
    let end = document.span(value)?.end as usize;
    let line = base[..start].rfind('\n').map_or(0, |at| at + 1);
    let alone = base[line..start].bytes().all(|byte| byte == b' ');
    if flow || !alone || pairs.len() < 2 || base.contains(['&', '<']) {
        return None;
    }
    let is_comment = |line: &&str| line.trim_start().starts_with('#');
    let above = base[..line].split_inclusive('\n').rev().take_while(is_comment);
    let from = line - above.map(str::len).sum::<usize>();
    let whole = base[..end].ends_with('\n');
    let rest =
        if whole { end } else { end + base[end..].find('\n').map_or(0, |at| at + 1) };
    let below = base[rest..].split_inclusive('\n');
    let below = below.take_while(|line| is_comment(line) || line.trim().is_empty());
    let to = rest + below.map(str::len).sum::<usize>();
    Some((escape(&text), from, to))
}
