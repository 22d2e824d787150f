//! Tests that edits of expanded documents are saved: the saved document expands to the
//! edited one, saving an unchanged one changes nothing, and few edits are refused.

use std::sync::atomic::{AtomicU32, Ordering};

use interpolate::unstable::apply;
use interpolate::unstable::compile::Rules;
use interpolate::unstable::diagnostic::Diagnostics;
use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::restore::{self, Comments, Expander, RestoreOptions};
use interpolate::unstable::source::{Memory, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions, UsedValues};
use interpolate::unstable::yaml::{self, Expansion, Options};
use serde_json::Value;

use crate::directives::DirectiveExpander;
use crate::edited::edit;
use crate::save::{Choices, documents};

/// The variables of every document. Only `none` has no value.
const GIVEN: &str = "{x: s3cret, y: 7, z: {k: [1, s3cret]}}";

/// The only allowed reason to refuse an edit: its data would read back as something else.
/// (Such data occurs where a directive was expanded raw.)
const REFUSED: &str = "this would read back as";

/// The results of the cases.
#[derive(Default)]
pub struct Tally {
    cases: AtomicU32,
    /// Number of cases whose documents expand.
    expanded: AtomicU32,
    edits: AtomicU32,
    refused: AtomicU32,
}

impl Tally {
    /// Fails if there were too few cases, or too many refusals.
    pub fn check(&self) {
        let [cases, expanded, edits, refused] =
            [&self.cases, &self.expanded, &self.edits, &self.refused].map(count);
        let all =
            format!("{cases} cases, {expanded} expand, {edits} edits, {refused} refused");
        assert!(2 * expanded >= cases, "{all}");
        assert!(20 * refused <= edits, "{all}");
    }
}

fn count(of: &AtomicU32) -> u64 {
    of.load(Ordering::Relaxed).into()
}

fn add(to: &AtomicU32) {
    to.fetch_add(1, Ordering::Relaxed);
}

/// Saves several edits one after another. A document that does not expand is not a case.
pub fn check(shape: &[u32], edits: &[Vec<u32>], tally: &Tally) -> Result<(), String> {
    let (texts, included) = documents(&mut Choices::new(shape));
    let mut text = texts.join("---\n");
    let world = world(&included);
    add(&tally.cases);
    let Ok(mut values) = expand(&text, &world) else { return Ok(()) };
    if !values.iter().all(Value::is_object) {
        return Ok(());
    }
    add(&tally.expanded);
    let story = |text: &str| format!("--- source\n{text}--- included\n{included}--- ");
    let same = save(&text, &values, &world);
    if same.as_ref() != Ok(&text) {
        return Err(format!("{}GetPut\n{same:?}", story(&text)));
    }
    for numbers in edits {
        let (choices, count) = (&mut Choices::new(numbers), values.len());
        edit(choices, &mut values[numbers[0] as usize % count]);
        let said = || format!("{}edited\n{}---\n", story(&text), stream(&values));
        add(&tally.edits);
        let saved = match save(&text, &values, &world) {
            Ok(saved) => saved,
            Err(why) if why.contains(REFUSED) && values.iter().any(has_directive) => {
                add(&tally.refused);
                return Ok(());
            }
            Err(why) => return Err(format!("{}not saved: {why}", said())),
        };
        let again = expand(&saved, &world);
        if again.as_ref() != Ok(&values) {
            return Err(format!("{}saved\n{saved}\nPutGet: {again:?}", said()));
        }
        let twice = save(&saved, &values, &world);
        if twice.as_ref() != Ok(&saved) {
            return Err(format!("{}saved\n{saved}\nPutPut: {twice:?}", said()));
        }
        text = saved;
    }
    Ok(())
}

/// Returns true if a value has a key that would be read as a directive.
fn has_directive(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_directive),
        Value::Object(entries) => {
            let mut entries = entries.iter();
            entries.any(|(key, value)| key.starts_with('+') || has_directive(value))
        }
        _ => false,
    }
}

/// Returns a world with one file.
fn world(included: &str) -> Memory {
    let files = [("inc.yml".into(), included.to_owned())].into();
    Memory { files, ..Memory::default() }
}

/// Expands the directives and variables of every document.
struct Filled<'w> {
    directives: DirectiveExpander<'w>,
    given: Bindings,
}

impl Filled<'_> {
    fn new<'w>(sources: &mut Sources, world: &'w Memory) -> Filled<'w> {
        let file = sources.add("vars.yml", GIVEN);
        let file = yaml::read(sources, file, &Options::default()).unwrap();
        let mut given = Bindings::default();
        given.add_entries(&file).unwrap();
        let directives = DirectiveExpander { world, rules: Rules::default() };
        Filled { directives, given }
    }

    /// Returns a document with its directives expanded, and the same with its variables
    /// filled in.
    fn expand(
        &mut self,
        sources: &mut Sources,
        source: &Tree,
    ) -> Result<[Tree; 2], Diagnostics> {
        let mut written = source.clone();
        for root in 0..source.roots().len() {
            let patch = self.compile(sources, source, root)?;
            apply::apply(&patch, &mut written, root..root + 1)?;
        }
        let mut filled = written.clone();
        self.fill(&mut filled)?;
        Ok([written, filled])
    }
}

impl Expander for Filled<'_> {
    fn document_count(&self, document: &Tree) -> usize {
        document.roots().len()
    }

    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Tree,
        root: usize,
    ) -> Result<Patch, Diagnostics> {
        self.directives.compile(sources, document, root)
    }

    fn fill(&mut self, document: &mut Tree) -> Result<(), Diagnostics> {
        let (roots, rules) = (0..document.roots().len(), FillOptions::default());
        let world = self.directives.world;
        variables::fill(document, roots, &self.given, None, world, &rules).map(drop)
    }
}

/// Returns the expanded documents of a text.
fn expand(text: &str, world: &Memory) -> Result<Vec<Value>, String> {
    let mut sources = Sources::default();
    let mut get = Filled::new(&mut sources, world);
    let source = read(&mut sources, text)?;
    let [_, filled] = get.expand(&mut sources, &source).map_err(|e| e.to_string())?;
    let value = |&root| {
        let json = yaml::json::print(&filled, root, Expansion::default());
        let json = json.map_err(|e| e.to_string())?;
        serde_json::from_str(&json).map_err(|e| e.to_string())
    };
    filled.roots().iter().map(value).collect()
}

fn save(text: &str, edited: &[Value], world: &Memory) -> Result<String, String> {
    let mut sources = Sources::default();
    let mut get = Filled::new(&mut sources, world);
    let source = read(&mut sources, text)?;
    let edited = read(&mut sources, &stream(edited))?;
    let [written, filled] =
        get.expand(&mut sources, &source).map_err(|e| e.to_string())?;
    let values = UsedValues::find(&written, &get.given, None, get.directives.world);
    let restored = variables::restore_placeholders(&written, &filled, &edited, &values);
    let edited = read(&mut sources, &restored.document.to_string())?;
    // The edited text is printed values: that it has no comments says nothing.
    let options =
        RestoreOptions { comments: Comments::Source, ..RestoreOptions::default() };
    restore::save(&mut sources, &source, &edited, &options, &mut get)
        .map(|saved| saved.text)
        .map_err(|e| e.to_string())
}

fn read(sources: &mut Sources, text: &str) -> Result<Tree, String> {
    let file = sources.add("source.yml", text);
    yaml::read(sources, file, &Options::default()).map_err(|e| e.to_string())
}

/// Returns the spellings in which programs and people may write values.
fn stream(values: &[Value]) -> String {
    let text = |value: &Value| {
        let json = value.to_string();
        match json.len() % 4 {
            0 => serde_yaml::to_string(value).unwrap(),
            2 => commented(&serde_yaml::to_string(value).unwrap()),
            _ => json + "\n",
        }
    };
    values.iter().map(text).collect::<Vec<_>>().join("---\n")
}

/// Returns the text with comments everywhere.
fn commented(text: &str) -> String {
    let lines = text.lines().enumerate().map(|(number, line)| {
        let indent = &line[..line.len() - line.trim_start().len()];
        let above = match number % 4 {
            1 => format!("{indent}# above\n"),
            2 => format!("{indent}  # in\n"),
            _ => String::new(),
        };
        let beside = ["", " # beside", ""][number % 3];
        format!("{above}{line}{beside}\n")
    });
    lines.collect()
}
