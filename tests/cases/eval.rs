//! Tests evaluation on fixtures/eval/, one case a line. Its README.md describes the
//! format.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use interpolate::unstable::eval::{
    self, Context, LanguageSettings, Session, Start, Strict,
};
use interpolate::unstable::eval::{Stamp, Str, Value};
use interpolate::unstable::node::Tree;
use interpolate::unstable::source::{Allow, Memory, Sources, Span};
use interpolate::unstable::yaml::{self, Expansion, Options};
use serde_json::Value as Json;

/// Checks the cases of a file, whose name begins with the language.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let language = name.split('-').next().unwrap();
    let wrong = file(language, &fs::read_to_string(path).unwrap());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The settings that apply to the following lines.
#[derive(Default)]
struct Setting {
    variables: Option<String>,
    document: Option<String>,
    world: Memory,
    literals: bool,
    strict: Strict,
    start: Start,
    allow: Option<Allow>,
    fuel: Option<u64>,
}

/// Returns the lines that differ.
fn file(language: &str, text: &str) -> Vec<String> {
    let (mut setting, mut wrong) = (Setting::default(), Vec::new());
    for (i, line) in text.lines().enumerate() {
        if let Some(words) = line.strip_prefix("## ") {
            setting.change(words);
            continue;
        }
        let case =
            [(" => ", true), (" =! ", false)].into_iter().find_map(|(mark, ok)| {
                line.rsplit_once(mark).map(|(source, expected)| (source, expected, ok))
            });
        let Some((source, expected, ok)) = case else { continue };
        let found = setting.run(language, &source.replace('⏎', "\n"));
        let right = match &found {
            Ok(json) if ok => *json == serde_json::from_str::<Json>(expected).unwrap(),
            Err(message) => !ok && message.contains(expected),
            Ok(_) => false,
        };
        if !right {
            wrong.push(format!("{}: {line}\n    {found:?}", i + 1));
        }
    }
    wrong
}

impl Setting {
    fn change(&mut self, words: &str) {
        let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
        let pair = || rest.split_once(' ').unwrap_or((rest, ""));
        let text = |text: &str| text.replace('⏎', "\n");
        match word {
            "vars" => self.variables = Some(rest.into()),
            "doc" => self.document = Some(rest.into()),
            "file" => drop(self.world.files.insert(pair().0.into(), text(pair().1))),
            "env" => drop(self.world.environment.insert(pair().0.into(), text(pair().1))),
            "moment" => {
                let now = UNIX_EPOCH + Duration::from_secs(rest.parse().unwrap());
                self.world.moment = Some((now, [7; 32]));
            }
            "literals" => self.literals = true,
            "lenient" => self.strict = Strict::Lenient,
            "required" => self.strict = Strict::Required,
            "notnull" => self.strict = Strict::NotNull,
            "all" => self.start.all = true,
            "instances" => self.start.instances = true,
            "at" => self.start.at = Some(rest.into()),
            "allow" => self.allow = Some(rest.parse().unwrap()),
            "fuel" => self.fuel = Some(rest.parse().unwrap()),
            "reset" => *self = Setting::default(),
            _ => panic!("no setting {word}"),
        }
    }

    fn run(&self, language: &str, source: &str) -> Result<Json, String> {
        let mut sources = Sources::default();
        let world = Arc::new(self.world.clone());
        let allow = self.allow.unwrap_or_default();
        let python_literals = self.literals;
        let settings =
            LanguageSettings { python_literals, ..LanguageSettings::default() };
        let mut context = Context::new(world, allow, "", eval::languages(&settings));
        context.limits.fuel = self.fuel.unwrap_or(context.limits.fuel);
        let mut session = Session::new(context);
        session.strict = match (language, self.strict) {
            ("jinja", Strict::Undefined) => Strict::Cycles,
            (_, strict) => strict,
        };
        if let Some(text) = &self.variables {
            let Value::Dict(variables) = value(&mut sources, text) else {
                panic!("{text}")
            };
            session = session.variables(variables);
        }
        if let Some(text) = &self.document {
            let document = value(&mut sources, text);
            session = session.document(document, self.start.clone());
        }
        let structured =
            language == "any" || language == "unfurl" && source.starts_with('{');
        let asked = if structured {
            value(&mut sources, source)
        } else {
            template(&mut sources, source)
        };
        let found = session.evaluate((language != "any").then_some(language), &asked);
        let found = found.map_err(|exception| exception.message.clone())?;
        let mut blank = document(&mut sources, "");
        let json = eval::to_json(&mut blank, &found, Expansion::default());
        let json = json.map_err(|exception| exception.message.clone())?;
        Ok(serde_json::from_str(&json.unwrap()).unwrap())
    }
}

fn document(sources: &mut Sources, text: &str) -> Tree {
    let file = sources.add("text", text);
    yaml::read(sources, file, &Options::default()).unwrap()
}

fn value(sources: &mut Sources, text: &str) -> Value {
    let document = document(sources, text);
    let root = document.root();
    eval::read(&Arc::new(document), root)
}

fn template(sources: &mut Sources, text: &str) -> Value {
    let file = sources.add("EXPR", text);
    let origin = Some(Span { file, start: 0, end: text.len() as u32 });
    Value::Str(Str::stamped(text, Stamp { origin, ..Stamp::default() }))
}
