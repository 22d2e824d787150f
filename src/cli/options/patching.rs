//! Options of the patch.

use std::ffi::OsString;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, ValueHint};
use interpolate::unstable::language::Verb;
use interpolate::unstable::node::Aliases;
use interpolate::unstable::select::DocumentSelector;

/// Options of the patch.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Patching")]
pub struct Patching {
    /// Apply a patch file, or all files of a folder
    ///
    /// An ops-file, or of a folder every *.yml and *.yaml in the order of their names. May be given
    /// several times; ops are applied in the order given. The file may also be a JSON Patch (a list whose items have `op`) or an OpenAPI Overlay. `-` is
    /// standard input. All options of this group are applied in the order given.
    #[arg(short, long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub ops_file: Vec<OsString>,
    /// Merge a mapping: a JSON Merge Patch
    ///
    /// It is written as YAML or JSON: mappings are merged, null removes, lists are replaced.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub merge: Vec<OsString>,
    /// Set a value: --set image.tag=1.10
    ///
    /// What is missing is made. PATH is dotted (jobs[name=web].env['a.b']), begins with `/`
    /// (/jobs[name=web]/env) or is a JSONPath ($.jobs[*].env). VALUE is one YAML node, which keeps its spelling.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Set a string, in quotes where YAML needs them
    #[arg(long, value_name = "PATH=TEXT")]
    pub set_string: Vec<String>,
    /// Append to a list, unless it has an equal item
    ///
    /// A list that is missing is made.
    #[arg(long, value_name = "PATH=VALUE")]
    pub append: Vec<String>,
    /// The effect of an edit of a node that has an anchor on its aliases
    #[arg(long, value_name = "HOW", value_parser = anchors(), hide_short_help = true)]
    pub anchors: Option<Aliases>,
    /// Remove a value
    #[arg(long, value_name = "PATH")]
    pub rm: Vec<String>,
    /// Move a value with its comments, rename a key
    #[arg(long, value_name = "FROM=TO")]
    pub mv: Vec<String>,
    /// Copy a value with its comments
    #[arg(long, value_name = "FROM=TO")]
    pub cp: Vec<String>,
    /// The documents of a stream that are patched
    ///
    /// kind=Deployment,name=web.*,labels=(app=web,tier!=db), with the fields group, version, kind,
    /// name, namespace, labels and annotations, as in kustomize: anchored regular expressions, and
    /// label selectors. A selector that begins with `@`, `!` or `(` is a condition of JSONPath:
    /// `@.kind == 'Deployment'`. Without it, the patch is for the first document.
    #[arg(long = "where", value_name = "SELECTOR", value_parser = DocumentSelector::parse)]
    pub selectors: Vec<DocumentSelector>,
    #[command(flatten)]
    pub later: LaterOptions,
    /// The values of all these options, in the order given.
    #[arg(skip)]
    pub given: Vec<GivenPatch>,
}

impl Patching {
    /// Notes the order of the options on the command line, if the command has them.
    pub fn record(&mut self, matches: &ArgMatches) {
        if matches.try_contains_id("set").is_err() {
            return;
        }
        let files = self.ops_file.iter().cloned().enumerate();
        let files = files.map(|(at, path)| GivenPatch::OpsFile(at, path));
        let mut patches = vec![("ops_file", files.collect::<Vec<_>>())];
        let merges = self.merge.iter().cloned().map(GivenPatch::Merge);
        patches.push(("merge", merges.collect()));
        for (verb, id, texts) in self.arguments() {
            let texts = texts.iter().cloned();
            patches.push((id, texts.map(|it| GivenPatch::Argument(verb, it)).collect()));
        }
        let mut given = Vec::new();
        for (id, patches) in patches {
            given.extend(matches.indices_of(id).into_iter().flatten().zip(patches));
        }
        given.sort_by_key(|(place, _)| *place);
        self.given = given.into_iter().map(|(_, patch)| patch).collect();
    }

    fn arguments(&self) -> [(Verb, &'static str, &[String]); 6] {
        [
            (Verb::Set, "set", &self.set),
            (Verb::SetString, "set_string", &self.set_string),
            (Verb::Append, "append", &self.append),
            (Verb::Remove, "rm", &self.rm),
            (Verb::Move, "mv", &self.mv),
            (Verb::Copy, "cp", &self.cp),
        ]
    }

    /// Returns the option whose value a shell has cut at a blank, with the words behind it.
    pub fn cut_value(&self, others: &[OsString]) -> Option<String> {
        let others =
            others.iter().map(|word| word.to_str()).collect::<Option<Vec<_>>>()?;
        let values = [("--set", &self.set), ("--append", &self.append)];
        let others_with_two =
            [("--set-string", &self.set_string), ("--mv", &self.mv), ("--cp", &self.cp)];
        let given = values.into_iter().chain(others_with_two);
        let mut given =
            given.flat_map(|(option, texts)| texts.iter().map(move |it| (option, it)));
        let (option, text) = given.find(|(_, text)| {
            let opens = text.matches(['{', '[', '"']).count();
            let closes = text.matches(['}', ']', '"']).count();
            opens > closes || !text.contains('=')
        })?;
        let bare = text.strip_suffix(':').filter(|text| !text.contains('='));
        let text = bare.unwrap_or(text);
        let sign = if text.contains('=') || others.first()?.starts_with('=') {
            " "
        } else {
            "="
        };
        if option == "--set-string" {
            // The text may be a secret.
            return Some(format!("{option} 'PATH=TEXT'"));
        }
        Some(format!("{option} '{text}{sign}{}'", others.join(" ")))
    }

    /// Returns the first option that bosh does not have.
    pub fn unknown_to_bosh(&self) -> Option<&'static str> {
        if self.anchors.is_some() {
            return Some("--anchors");
        }
        let mut options = self.given.iter().filter_map(|given| match given {
            GivenPatch::OpsFile(..) => None,
            GivenPatch::Merge(_) => Some("--merge"),
            GivenPatch::Argument(verb, _) => Some(verb.option()),
        });
        options.next().or_else(|| self.selectors.first().map(|_| "--where"))
    }
}

/// Returns the parser of `--anchors`.
fn anchors() -> impl TypedValueParser<Value = Aliases> {
    let values = Aliases::ALL.map(|aliases| {
        PossibleValue::new(aliases.name()).help(match aliases {
            Aliases::Keep => "Aliases keep the old value, as in bosh (the default)",
            Aliases::Follow => {
                "Aliases have the new value, and an edit of an alias edits the anchor's node"
            }
            Aliases::Refuse => "The op fails",
        })
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse())
}

/// A patch as the command line gives it.
#[derive(Clone, Debug)]
pub enum GivenPatch {
    /// `-o PATH`, and its number among the values of this option.
    OpsFile(usize, OsString),
    /// `--merge PATH`
    Merge(OsString),
    /// `--set PATH=VALUE` and the like.
    Argument(Verb, String),
}

/// Options that belong to a later version, and are refused by name.
#[derive(Debug, Default, Args)]
pub struct LaterOptions {
    #[arg(long, value_name = "PATH", hide = true)]
    strategic: Vec<OsString>,
    #[arg(long, value_name = "PATH", hide = true)]
    merge_keys: Vec<OsString>,
}

impl LaterOptions {
    /// Returns the name of the first one that was given.
    pub fn first(&self) -> Option<&'static str> {
        let given =
            [("--strategic", &self.strategic), ("--merge-keys", &self.merge_keys)];
        given.into_iter().find(|(_, values)| !values.is_empty()).map(|(name, _)| name)
    }
}
