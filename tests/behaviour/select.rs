//! Tests JSONPath queries and selectors of documents: fixtures/select/. `BLESS=1` rewrites
//! the expected results.

use std::path::PathBuf;

use interpolate::unstable::node::Tree;
use interpolate::unstable::select::{
    DocumentSelector, NormalizedPaths, Query, QueryBudget, Selection,
};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};

/// The text between a case and its result.
const ARROW: &str = "  => ";

/// Each query selects the same nodes as its normalized paths do.
#[test]
fn queries() {
    table("queries.txt", |document, text| {
        let query = Query::parse(text).map_err(|error| error.told(text).to_string())?;
        let mut budget = QueryBudget::default();
        let mut selection = Selection::new(document, document.root(), &mut budget);
        let found = selection.select(&query).map_err(|error| error.message)?;
        let mut paths = Vec::new();
        for (node, steps) in found {
            let mut paths_of = NormalizedPaths::new(document, document.root());
            let path = paths_of.path(&steps).map_err(|error| error.message)?;
            let again = Query::parse(&path).map_err(|error| error.within(&path))?;
            let again = selection.select(&again).map_err(|error| error.message)?;
            assert_eq!(again, [(node, steps)], "{text} selects {path}");
            paths.push(path);
        }
        Ok(if paths.is_empty() { "nothing".into() } else { paths.join(" ") })
    });
}

/// A selector gives the positions of the documents that it selects.
#[test]
fn documents() {
    table("documents.txt", |stream, text| {
        let selector =
            DocumentSelector::parse(text).map_err(|error| error.to_string())?;
        let roots = stream.roots().iter().enumerate();
        let selects =
            |root| selector.selects(stream, root, &mut QueryBudget::default()).unwrap();
        let chosen = roots.filter(|&(_, &root)| selects(root));
        let places: Vec<String> = chosen.map(|(place, _)| place.to_string()).collect();
        Ok(if places.is_empty() { "nothing".into() } else { places.join(" ") })
    });
}

/// Runs the cases of a table. `@ text` is the document of the cases below it, in which `\n`
/// begins a line.
fn table(name: &str, run: impl Fn(&Tree, &str) -> Result<String, String>) {
    let path = PathBuf::from("fixtures/select").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut document, mut found) = (None, String::new());
    for line in text.lines() {
        if let Some(text) = line.strip_prefix("@ ") {
            let text = text.replace("\\n", "\n");
            document = Some(read(&text));
        }
        let is_query = line.starts_with("@.") || !line.starts_with(['@', '#']);
        if line.trim().is_empty() || !is_query {
            found += &format!("{line}\n");
            continue;
        }
        let (query, _) = line.split_once(ARROW).unwrap_or((line, ""));
        let query = query.trim_end();
        let result = run(document.as_ref().expect("a document"), query);
        let result = result.unwrap_or_else(|message| format!("! {message}"));
        found += &format!("{query:<40}{ARROW}{result}\n");
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    assert_eq!(found, text, "{name}");
}

fn read(text: &str) -> Tree {
    let mut sources = Sources::default();
    let file = sources.add("document.yml", text);
    yaml::read(&sources, file, &Options::default()).expect(text)
}

/// A query with much work in few nodes fails within its steps.
#[test]
fn steps_count_the_work() {
    let list = format!("[{}]", "1, ".repeat(2_000));
    let keys: String = (0..2_000).map(|key| format!("k{key}: 1, ")).collect();
    let long = "a".repeat(100_000);
    let document =
        format!("{{l: {list}, m: {list}, k: {{{keys}}}, t: {long}, p: 'a{{4000}}'}}");
    let document = read(&document);
    let selectors = format!("$.l[{}*]", "*, ".repeat(2_000));
    let names = format!("$.k[{}'z']", "'z', ".repeat(2_000));
    let conditions = format!("$.l[?{}1 == 1]", "1 == 1 && ".repeat(2_000));
    let queries = [
        &selectors[..],
        &names,
        &conditions,
        "$.l[?@ == $.k.k1999]",
        "$.l[?$.k.none]",
        "$.l[?$.l[-1] == 2]",
        "$.l[?$.l == $.m]",
        "$.l[?$.t == 'b']",
        "$.l[?match($.t, 'b*')]",
        "$.l[?search('b', $.p)]",
    ];
    let select = |query: &Query| {
        let mut budget = QueryBudget::of_steps(200_000);
        Selection::new(&document, document.root(), &mut budget).select(query)
    };
    for text in queries {
        let query = Query::parse(text).unwrap();
        let found = select(&query);
        assert!(found.is_err(), "{}", text.get(..40).unwrap_or(text));
    }
    let near = Query::parse("$.l[?@ == $.l[0] && $.l[1] == 1]").unwrap();
    assert!(select(&near).is_ok());
}
