//! Builds the text of a document in a mixture of styles from choices.

/// Numbers to choose by, repeated without end.
pub struct Choices<'a> {
    numbers: &'a [u32],
    at: usize,
    anchors: Vec<String>,
}

impl<'a> Choices<'a> {
    /// Begins with the first of the numbers.
    pub fn new(numbers: &'a [u32]) -> Choices<'a> {
        Choices { numbers, at: 0, anchors: Vec::new() }
    }

    pub(crate) fn next(&mut self, below: u32) -> u32 {
        let round = (self.at / self.numbers.len()) as u32;
        let number = self.numbers[self.at % self.numbers.len()];
        self.at += 1;
        (number ^ round.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B) / 7 % below
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.next(of.len() as u32) as usize]
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.next(100) < percent
    }
}

const PLAIN: &[&str] = &[
    "a",
    "web",
    "z1",
    "1",
    "true",
    "~",
    "null",
    "1.5",
    "on",
    "two words",
    "a:b",
    "http://x.y/z",
    "x#y",
    "-1",
    "- x",
    "é",
    "0x1F",
    "2001-12-14",
    "a,b",
    "[x",
    "--- a",
    "%x",
    "<<",
    "=",
];
const QUOTED: &[&str] =
    &["'it''s'", "\"a\\tb\"", "\"\"", "''", "'a: b'", "\"x # y\"", "'no'", "\"\\u263A\""];
const COMMENTS: &[&str] = &["# about it", "# - old: 1", "#", "# x: 'y"];

/// A document.
pub fn document(choices: &mut Choices<'_>) -> String {
    let mut out = String::new();
    if choices.chance(5) {
        out.push('\u{feff}');
    }
    if choices.chance(30) {
        out.push_str(choices.one(&[
            "# head\n\n",
            "# head\n",
            "---\n",
            "%YAML 1.2\n---\n",
            "--- # x\n",
        ]));
    }
    let step = 1 + choices.next(4) as usize;
    collection(choices, &mut out, 0, step, 4);
    if choices.chance(10) {
        out.push_str(choices.one(&[
            "...\n",
            "# end\n",
            "\n\n",
            "---\nsecond: 1\n",
            "  # deep\n",
        ]));
    }
    if choices.chance(10) {
        while out.ends_with('\n') {
            out.pop();
        }
    }
    if choices.chance(10) { out.replace('\n', "\r\n") } else { out }
}

fn collection(
    choices: &mut Choices<'_>,
    out: &mut String,
    column: usize,
    step: usize,
    depth: u32,
) {
    let sequence = choices.chance(40);
    let count = 1 + choices.next(4);
    for i in 0..count {
        if i > 0 || line_is_blank(out) {
            before_entry(choices, out, column);
            out.push_str(&" ".repeat(column));
        }
        if sequence {
            out.push('-');
            item(choices, out, column, step, depth);
        } else {
            let key = choices
                .one(&["a", "b", "name", "'q'", "\"k 1\"", "x-y", "list", "1", "true"]);
            match choices.next(20) {
                1 if i == 0 && !choices.anchors.is_empty() => out.push_str("<<:"),
                2 => out.push_str(&format!("[k, {i}]:")),
                0 => {
                    out.push_str("? ");
                    out.push_str(key);
                    out.push_str(&i.to_string());
                    out.push('\n');
                    out.push_str(&" ".repeat(column));
                    out.push(':');
                }
                _ => out.push_str(&unique(key, i)),
            }
            value(choices, out, column, step, depth);
        }
    }
}

fn unique(key: &str, i: u32) -> String {
    match key.strip_suffix(['\'', '"']) {
        Some(bare) => format!("{bare}{i}{}:", &key[..1]),
        None => format!("{key}{i}:"),
    }
}

fn line_is_blank(out: &str) -> bool {
    out.is_empty() || out.ends_with(['\n', '\u{feff}'])
}

fn before_entry(choices: &mut Choices<'_>, out: &mut String, column: usize) {
    if choices.chance(10) {
        out.push('\n');
    }
    if choices.chance(15) {
        let column = if choices.chance(80) { column } else { choices.next(8) as usize };
        out.push_str(&" ".repeat(column));
        out.push_str(choices.one(COMMENTS));
        out.push('\n');
        if choices.chance(20) {
            out.push('\n');
        }
    }
}

fn end_line(choices: &mut Choices<'_>, out: &mut String) {
    if choices.chance(10) {
        out.push_str("  ");
        out.push_str(choices.one(COMMENTS));
    } else if choices.chance(5) {
        out.push_str("  ");
    }
    out.push('\n');
}

fn props(choices: &mut Choices<'_>, out: &mut String) {
    if choices.chance(10) {
        let name = format!("n{}", choices.next(4));
        out.push_str(&format!(" &{name}"));
        choices.anchors.push(name);
    }
    if choices.chance(4) {
        out.push_str(choices.one(&[" !local", " !<tag:x,1:y>"]));
    }
}

fn item(
    choices: &mut Choices<'_>,
    out: &mut String,
    column: usize,
    step: usize,
    depth: u32,
) {
    if depth > 0 && choices.chance(45) {
        let gap = if choices.chance(80) { 1 } else { step };
        out.push_str(&" ".repeat(gap));
        return collection(choices, out, column + 1 + gap, step, depth - 1);
    }
    value(choices, out, column, step, depth);
}

fn value(
    choices: &mut Choices<'_>,
    out: &mut String,
    column: usize,
    step: usize,
    depth: u32,
) {
    if choices.chance(12) && !choices.anchors.is_empty() {
        let at = choices.next(choices.anchors.len() as u32) as usize;
        out.push_str(&format!(" *{}", choices.anchors[at]));
        return end_line(choices, out);
    }
    let pushed = choices.anchors.len();
    props(choices, out);
    // An anchor must not be used inside its own node.
    let own = choices.anchors.split_off(pushed);
    match choices.next(10) {
        0..=2 if depth > 0 => {
            end_line(choices, out);
            let deeper = column + step.max(1);
            collection(choices, out, deeper, step, depth - 1);
        }
        3 => {
            out.push(' ');
            flow(choices, out, 2);
            end_line(choices, out);
        }
        4 => block_scalar(choices, out, column + step),
        5 => {
            out.push(' ');
            out.push_str(choices.one(QUOTED));
            end_line(choices, out);
        }
        6 => end_line(choices, out),
        7 => {
            let indent = " ".repeat(column + step);
            let text = choices.one(&["several words", "\"quoted text", "'single text"]);
            let close = match &text[..1] {
                "\"" => "\"",
                "'" => "'",
                _ => "",
            };
            out.push_str(&format!(" {text}\n{indent}go on\n\n{indent}  here{close}"));
            end_line(choices, out);
        }
        _ => {
            out.push(' ');
            let plain = choices.one(PLAIN);
            let safe = !plain.starts_with(['-', '[', '%', '=']) || plain == "-1";
            out.push_str(if safe { plain } else { "safe" });
            end_line(choices, out);
        }
    }
    choices.anchors.extend(own);
}

fn block_scalar(choices: &mut Choices<'_>, out: &mut String, column: usize) {
    let style = choices.one(&["|", ">", "|-", ">-", "|+", "|"]);
    out.push_str(&format!(" {style}"));
    end_line(choices, out);
    let indent = " ".repeat(column);
    let lines = choices.one(&[
        "one\n",
        "one\ntwo\n",
        "one\n\n  two\n",
        "a: b\n# no comment\n",
        "one\n\n\n",
    ]);
    for line in lines.split_terminator('\n') {
        if !line.is_empty() {
            out.push_str(&indent);
        }
        out.push_str(line);
        out.push('\n');
    }
}

fn flow(choices: &mut Choices<'_>, out: &mut String, depth: u32) {
    let sequence = choices.chance(50);
    let (open, close) = if sequence { ('[', ']') } else { ('{', '}') };
    let count = choices.next(4);
    let pad = choices.one(&["", "", " "]);
    out.push(open);
    out.push_str(pad);
    let lines = choices.chance(25);
    for i in 0..count {
        if i > 0 {
            let commas = [", ", ",", " , ", ", # c\n          ", "\n          , "];
            out.push_str(choices.one(&commas[..if lines { 5 } else { 3 }]));
        } else if lines {
            out.push_str(choices.one(&["\n          ", " # c\n          ", ""]));
        }
        if !sequence {
            out.push_str(choices.one(&["a", "'b'", "\"c\"", "d e"]));
            if choices.chance(5) {
                continue;
            }
            out.push_str(": ");
        } else if choices.chance(10) {
            out.push_str("k: ");
        }
        if depth > 0 && choices.chance(25) {
            flow(choices, out, depth - 1);
        } else if choices.chance(10) && !choices.anchors.is_empty() {
            let at = choices.next(choices.anchors.len() as u32) as usize;
            out.push_str(&format!("*{} ", choices.anchors[at]));
        } else {
            out.push_str(choices.one(&[
                "1",
                "x",
                "'y'",
                "\"z\"",
                "two words",
                "null",
                "-1",
            ]));
        }
    }
    if count > 0 && choices.chance(10) {
        out.push(',');
    }
    out.push_str(if lines {
        choices.one(&["\n          ", " # d\n          ", ""])
    } else {
        pad
    });
    out.push(close);
}
