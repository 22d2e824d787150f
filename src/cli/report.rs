//! The report that bosh prints with `--json`.

use interpolate::unstable::yaml::json::quoted_go;

/// Returns what bosh prints with `--json`: a block of text, and a line that may have line
/// breaks. Without a block it is the report of a failure.
pub fn report(block: Option<&str>, line: &str) -> String {
    let list = |texts: &[&str]| {
        let texts: Vec<String> =
            texts.iter().map(|text| format!("        {}", quoted_go(text))).collect();
        format!("[\n{}\n    ]", texts.join(",\n"))
    };
    let blocks = block.map_or("null".into(), |block| list(&[block]));
    let exit = if block.is_none() { &["Exit code 1"][..] } else { &[] };
    let lines = list(&[&[line], exit].concat());
    format!(
        "{{\n    \"Tables\": null,\n    \"Blocks\": {blocks},\n    \"Lines\": {lines}\n}}"
    )
}
