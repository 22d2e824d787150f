//! `os.path` and parts of `ntpath`, on texts alone: no file is accessed.

use super::{Exception, Result, limit};

/// `os.path.split`: the parts before and after the last `/`.
pub fn split(path: &str) -> (&str, &str) {
    let (head, tail) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
    let trimmed = head.trim_end_matches('/');
    (if trimmed.is_empty() { head } else { trimmed }, tail)
}

pub fn basename(path: &str) -> &str {
    split(path).1
}

pub fn dirname(path: &str) -> &str {
    split(path).0
}

/// `os.path.splitext`: the path without extension, and the extension with its dot.
pub fn splitext(path: &str) -> (&str, &str) {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let first = path[name..].find(|c| c != '.').map_or(path.len(), |at| name + at);
    match path[first..].rfind('.') {
        Some(dot) => path.split_at(first + dot),
        None => (path, ""),
    }
}

pub fn isabs(path: &str) -> bool {
    path.starts_with('/')
}

pub fn join<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut parts = parts.into_iter();
    let mut path = parts.next().unwrap_or("").to_owned();
    for part in parts {
        if part.starts_with('/') {
            path.clear();
        } else if !path.is_empty() && !path.ends_with('/') {
            path.push('/');
        }
        path.push_str(part);
    }
    path
}

pub fn normpath(path: &str) -> String {
    let root = match path {
        // POSIX gives exactly two slashes a meaning of their own.
        _ if path.starts_with("//") && !path.starts_with("///") => "//",
        _ if path.starts_with('/') => "/",
        _ => "",
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if parts.is_empty() && !root.is_empty() => {}
            part => parts.push(part),
        }
    }
    match format!("{root}{}", parts.join("/")) {
        empty if empty.is_empty() => ".".to_owned(),
        path => path,
    }
}

/// `os.path.abspath`, with `folder` as the current directory.
pub fn abspath(path: &str, folder: &str) -> String {
    normpath(&join([folder, path]))
}

/// `os.path.relpath` in the directory `folder`. Raises a `ValueError` for an empty path.
pub fn relpath(path: &str, start: &str, folder: &str) -> Result<String> {
    if path.is_empty() {
        return Err(Exception::of_value("no path specified"));
    }
    let path = &abspath(path, folder);
    let start = &abspath(start, folder);
    limit::charge_bytes(16 * (path.len() + start.len()));
    let path = parts(path);
    let start = parts(start);
    let common = path.iter().zip(&start).take_while(|(a, b)| a == b).count();
    let up = start[common..].iter().map(|_| "..");
    let all: Vec<&str> = up.chain(path[common..].iter().copied()).collect();
    Ok(if all.is_empty() { ".".to_owned() } else { all.join("/") })
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).collect()
}

/// `os.path.commonpath`. Raises a `ValueError` for none, or absolute and relative ones.
pub fn commonpath(paths: &[&str]) -> Result<String> {
    let Some(first) = paths.first() else {
        return Err(Exception::of_value("commonpath() arg is an empty sequence"));
    };
    let absolute = isabs(first);
    if paths.iter().any(|path| isabs(path) != absolute) {
        return Err(Exception::of_value("Can't mix absolute and relative paths"));
    }
    let mut common = parts(first);
    for path in &paths[1..] {
        let same = common.iter().zip(&parts(path)).take_while(|(a, b)| a == b).count();
        common.truncate(same);
    }
    Ok(format!("{}{}", if absolute { "/" } else { "" }, common.join("/")))
}

/// `os.path.expanduser`, but `~user` stays, and without a home directory every path.
pub fn expanduser(path: &str, home: Option<&str>) -> String {
    match (path.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            match format!("{}{rest}", home.trim_end_matches('/')) {
                empty if empty.is_empty() => "/".to_owned(),
                path => path,
            }
        }
        _ => path.to_owned(),
    }
}

/// `os.path.expandvars`; an unknown variable stays as it is written.
pub fn expandvars(
    path: &str,
    mut variable: impl FnMut(&str) -> Result<Option<String>>,
) -> Result<String> {
    let mut expanded = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('$') {
        expanded.push_str(before);
        let (name, length) = match after.strip_prefix('{').and_then(|a| a.split_once('}'))
        {
            Some((name, _)) => (name, name.len() + 2),
            None => {
                let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let length = end.unwrap_or(after.len());
                (&after[..length], length)
            }
        };
        match variable(name)? {
            Some(value) if length > 0 => expanded.push_str(&value),
            _ => {
                expanded.push('$');
                expanded.push_str(&after[..length]);
            }
        }
        rest = &after[length..];
    }
    Ok(expanded + rest)
}

const SLASHES: [char; 2] = ['/', '\\'];

/// `ntpath.splitdrive`
pub fn win_splitdrive(path: &str) -> (&str, &str) {
    let plain = path.replace('/', "\\").to_ascii_uppercase();
    if plain.starts_with("\\\\") {
        let start = if plain.starts_with("\\\\?\\UNC\\") { 8 } else { 2 };
        let share = path.get(start..).and_then(|rest| rest.find(SLASHES));
        let Some(share) = share.map(|at| start + at + 1) else { return (path, "") };
        let end = path[share..].find(SLASHES).map_or(path.len(), |at| share + at);
        return path.split_at(end);
    }
    let mut chars = path.char_indices();
    let drive = chars.next().and(chars.next()).filter(|(_, c)| *c == ':');
    path.split_at(drive.map_or(0, |(at, _)| at + 1))
}

/// `ntpath.split`
pub fn win_split(path: &str) -> (String, &str) {
    let (drive, rest) = win_splitdrive(path);
    let (head, tail) = rest.split_at(rest.rfind(SLASHES).map_or(0, |at| at + 1));
    let trimmed = head.trim_end_matches(SLASHES);
    (format!("{drive}{}", if trimmed.is_empty() { head } else { trimmed }), tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posix() {
        let normal = ["", "//a", "///a", "/..//b/", "a/../..", "./a/./b/"].map(normpath);
        assert_eq!(normal, [".", "//a", "/a", "/b", "..", "a/b"]);
        let extension = ["a.b/c", ".bashrc", "..a.b", "a.tar.gz", "a."].map(splitext);
        let wanted = [("a.b/c", ""), (".bashrc", ""), ("..a", ".b"), ("a.tar", ".gz")];
        assert_eq!(extension[..4], wanted);
        assert_eq!(join(["a", "/b", "c/", "d", ""]), "/b/c/d/");
        assert_eq!(relpath("/a/b", "/a/c/d", "/").as_deref(), Ok("../../b"));
        assert_eq!(commonpath(&["/usr/lib", "/usr//libx"]).as_deref(), Ok("/usr"));
        assert_eq!(expanduser("~/a", Some("/root/")), "/root/a");
        let home = |name: &str| Ok((name == "H").then(|| "h".to_owned()));
        assert_eq!(expandvars("$H/${H}x$Q$", home).as_deref(), Ok("h/hx$Q$"));
    }

    #[test]
    fn windows() {
        assert_eq!(win_splitdrive(r"\\host\share\x"), (r"\\host\share", r"\x"));
        assert_eq!(win_split(r"c:\a\b"), (r"c:\a".to_owned(), "b"));
    }
}
