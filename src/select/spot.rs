//! The place of a mistake in the text of a query.

/// A text that is no query, and the offset at which the parser stopped.
pub(super) struct Spot<'t> {
    text: &'t str,
    at: usize,
    /// The text that closes the brackets that are open there, and what stands in them.
    open: Vec<(char, Around)>,
}

/// The part of a query that a place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    Path,
    /// `[…`
    Brackets,
    /// `[?…`, `(…`
    Condition,
}

impl<'t> Spot<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Spot<'t> {
        let (mut open, mut quotes) = (Vec::new(), Quotes::default());
        for c in text[..at].chars().filter(|&c| !quotes.is_inside(c)) {
            let last: Option<&mut (char, Around)> = open.last_mut();
            match (c, last) {
                ('[', _) => open.push((']', Around::Brackets)),
                ('(', _) => open.push((')', Around::Condition)),
                (')' | ']', _) => drop(open.pop()),
                ('?', Some((_, around))) => *around = Around::Condition,
                (',', Some((']', around))) => *around = Around::Brackets,
                _ => {}
            }
        }
        Spot { text, at, open }
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn before(&self) -> &'t str {
        &self.text[..self.at]
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn around(&self) -> Around {
        self.open.last().map_or(Around::Path, |(_, around)| *around)
    }

    /// Returns what closes the innermost bracket.
    pub(super) fn closing(&self) -> Option<char> {
        self.open.last().map(|(closing, _)| *closing)
    }

    /// Returns the rest of what stands in the innermost bracket.
    pub(super) fn inner(&self) -> &'t str {
        let (mut depth, mut quotes) = (0_usize, Quotes::default());
        for (at, c) in self.rest().char_indices().filter(|&(_, c)| !quotes.is_inside(c)) {
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' if depth == 0 => return &self.rest()[..at],
                ']' | ')' => depth -= 1,
                _ => {}
            }
        }
        self.rest()
    }

    /// Returns true if a name ends at the place.
    pub(super) fn ends_word(&self) -> bool {
        self.before().ends_with(is_of_name)
    }

    /// Returns the offset of a word that the place is in.
    pub(super) fn start_of(&self, word: &str) -> Option<usize> {
        let starts = (0..word.len()).filter_map(|back| self.at.checked_sub(back));
        let mut starts = starts.filter(|&start| {
            let Some(rest) = self.text.get(start..) else { return false };
            let Some(after) = rest.strip_prefix(word) else { return false };
            let before = &self.text[..start];
            let begins = !(word.starts_with(is_of_name) && before.ends_with(is_of_name));
            begins && !(word.ends_with(is_of_name) && after.starts_with(is_of_name))
        });
        starts.next()
    }

    /// Returns the start of the path that ends before `end`: `@.a` in `[?@.a =~ 'x']`.
    pub(super) fn operand_before(&self, end: usize) -> Option<usize> {
        let path = self.text[..end].trim_end();
        let start = path.rfind(['@', '$'])?;
        let is_other = |c: char| c.is_whitespace() || "=<>!&|,()".contains(c);
        (!path[start..].contains(is_other)).then_some(start)
    }

    /// Returns the text with something put at the place.
    pub(super) fn insert(&self, what: &str) -> String {
        self.replace(0, what)
    }

    /// Returns the text with something in place of the next bytes.
    pub(super) fn replace(&self, bytes: usize, what: &str) -> String {
        format!("{}{what}{}", self.before(), &self.rest()[bytes..])
    }
}

/// Returns true for what stands in the names of keys and functions.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "_-".contains(c)
}

/// The quotes around a place, while a text is read.
#[derive(Default)]
struct Quotes {
    open: Option<char>,
    is_escaped: bool,
}

impl Quotes {
    /// Reads a character. Returns true if it is part of a text in quotes.
    fn is_inside(&mut self, c: char) -> bool {
        match self.open {
            Some(_) if self.is_escaped => self.is_escaped = false,
            Some(_) if c == '\\' => self.is_escaped = true,
            Some(mark) if c == mark => self.open = None,
            None if matches!(c, '\'' | '"') => self.open = Some(c),
            None => return false,
            Some(_) => {}
        }
        true
    }
}
