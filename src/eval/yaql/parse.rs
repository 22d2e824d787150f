//! The parser: the tokens of an expression → its program, by precedence climbing. A program
//! is a flat list of terms that refer to each other by index. A tree of boxes would be
//! dropped recursively and could overflow the stack.

use std::sync::Arc;

use super::lexer::{TokenClass, YaqlLexer, YaqlToken};
use crate::eval::python::{Class, Exception, Result, Str, Value, str};

/// Index of a term in its program.
pub type TermId = usize;

/// A term of an expression, with the indices of its parts.
#[derive(Clone, Debug)]
pub enum Term {
    /// A number, a quoted string, `true`, `false` or `null`.
    Constant(Value),
    /// A bare word: a string, or the name of a key or an argument.
    Word(Str),
    /// `$`, which is `$1`, or `$name`.
    Variable(Str),
    /// `(value)`
    Group(TermId),
    /// `name(arguments)`
    Call(Str, Vec<TermId>),
    /// A call by an internal name: an operator, an index, a list or a dict.
    Operation(&'static str, Vec<TermId>),
    /// `receiver.member`; true for `?.`, which is null if the receiver is.
    Member(TermId, TermId, bool),
    /// `source => destination`
    Mapping(TermId, TermId),
    /// An omitted argument: `f(, 1)`.
    Omitted,
}

/// A term, and the line and column (from 1) of its name or sign.
#[derive(Clone, Debug)]
struct PlacedTerm {
    term: Term,
    at: (u32, u32),
}

/// A term with its program.
#[derive(Clone, Debug)]
pub struct TermRef {
    program: Arc<Vec<PlacedTerm>>,
    id: TermId,
}

impl TermRef {
    fn new(program: Arc<Vec<PlacedTerm>>, id: TermId) -> TermRef {
        TermRef { program, id }
    }

    /// Gives an exception the place of the term, unless it has one.
    pub fn place(&self, raised: Box<Exception>) -> Box<Exception> {
        match self.program.get(self.id) {
            Some(PlacedTerm { at: (line, column), .. }) => raised.at(*line, *column),
            None => raised,
        }
    }

    /// Returns another term of the same program.
    pub fn sibling(&self, id: TermId) -> TermRef {
        TermRef { program: self.program.clone(), id }
    }

    pub fn term(&self) -> &Term {
        self.program.get(self.id).map_or(&Term::Omitted, |placed| &placed.term)
    }

    /// Returns the value of a constant, which is known before evaluation.
    pub fn constant(&self) -> Option<Value> {
        match self.term() {
            Term::Constant(value) => Some(value.clone()),
            Term::Word(word) => Some(Value::Str(word.clone())),
            _ => None,
        }
    }
}

/// Maximum nesting of an expression.
// PLY has no limit, but yaql evaluates recursively: most expressions of this depth exceed
// Python's limit. It bounds the stack of this parser.
const DEPTH: usize = 500;

/// Levels of precedence; operators with a higher level bind more tightly.
const MEMBER: usize = 11;
const INDEX: usize = 10;
const SEND: usize = 1;

/// Parses an expression. Raises a syntax error, or a `RecursionError` for deep nesting.
pub fn parse(text: &str) -> Result<TermRef> {
    let mut lexer = YaqlLexer::new(text);
    let token = lexer.next()?;
    let breaks = text.chars().enumerate().filter(|(_, c)| *c == '\n');
    let lines = [0].into_iter().chain(breaks.map(|(at, _)| at + 1)).collect();
    let nodes = Vec::new();
    let mut parser = YaqlParser { text, lines, lexer, token, nodes, depth: 0 };
    let root = parser.expression(0)?;
    match parser.token.kind {
        TokenClass::End => Ok(TermRef::new(Arc::new(parser.nodes), root)),
        _ => Err(parser.unexpected()),
    }
}

/// The state of the parser, with one token of lookahead.
struct YaqlParser<'t> {
    text: &'t str,
    /// The positions of the lines.
    lines: Vec<usize>,
    lexer: YaqlLexer,
    token: YaqlToken,
    nodes: Vec<PlacedTerm>,
    depth: usize,
}

/// Binary operators, with their levels and internal names.
#[rustfmt::skip]
const BINARY: [(&str, usize, &str); 19] = [
    (".", MEMBER, "#operator_."), ("?.", MEMBER, "#operator_?."),
    ("=~", 8, "#operator_=~"), ("!~", 8, "#operator_!~"),
    ("*", 7, "#operator_*"), ("/", 7, "#operator_/"), ("mod", 7, "#operator_mod"),
    ("+", 6, "#operator_+"), ("-", 6, "#operator_-"),
    (">", 5, "#operator_>"), ("<", 5, "#operator_<"), (">=", 5, "#operator_>="),
    ("<=", 5, "#operator_<="), ("!=", 5, "*not_equal"), ("=", 5, "*equal"),
    ("in", 5, "#operator_in"), ("and", 3, "#operator_and"), ("or", 2, "#operator_or"),
    ("->", SEND, "#operator_->"),
];

/// Prefix operators, with their levels and internal names.
#[rustfmt::skip]
const PREFIX: [(&str, usize, &str); 3] = [
    ("+", 9, "#unary_operator_+"), ("-", 9, "#unary_operator_-"), ("not", 4, "#unary_operator_not"),
];

fn find(
    operators: &[(&str, usize, &'static str)],
    wanted: &str,
) -> Option<(usize, &'static str)> {
    let (_, level, name) = operators.iter().find(|(sign, ..)| *sign == wanted)?;
    Some((*level, name))
}

impl YaqlParser<'_> {
    fn advance(&mut self) -> Result<YaqlToken> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Adds a term whose name or sign is at a position.
    fn add(&mut self, term: Term, at: usize) -> TermId {
        let line = self.lines.partition_point(|start| *start <= at).max(1);
        let column = at - self.lines.get(line - 1).copied().unwrap_or_default() + 1;
        let at = (line as u32, column as u32);
        self.nodes.push(PlacedTerm { term, at });
        self.nodes.len() - 1
    }

    fn unexpected(&self) -> Box<Exception> {
        let YaqlToken { kind, value, at } = &self.token;
        if *kind == TokenClass::End {
            let message = "Parse error: unexpected end of statement";
            return Exception::new(Class::Syntax, message);
        }
        let value = str(value).unwrap_or_default();
        let place = format!("at position {at} of expression '{}'", self.text);
        let message = format!("Parse error: unexpected '{value}' {place}");
        Exception::new(Class::Syntax, message)
    }

    /// Parses a value and all following operators of at least a level.
    fn expression(&mut self, level: usize) -> Result<TermId> {
        self.depth += 1;
        if self.depth > DEPTH {
            let message =
                "maximum recursion depth exceeded: the expression nests too deeply";
            return Err(Exception::new(Class::Recursion, message));
        }
        let mut left = self.operand()?;
        loop {
            let at = self.token.at;
            left = match self.token.kind {
                TokenClass::Mark("[") if level <= INDEX => {
                    self.advance()?;
                    let mut arguments = vec![left];
                    arguments.extend(self.arguments("]")?);
                    self.add(Term::Operation("#indexer", arguments), at)
                }
                TokenClass::Operator(sign) => match find(&BINARY, sign) {
                    Some((own, name)) if level <= own => {
                        self.advance()?;
                        // `->` is right-associative; all other operators are
                        // left-associative.
                        let right =
                            self.expression(if own == SEND { own } else { own + 1 })?;
                        let term = match name {
                            "#operator_." => Term::Member(left, right, false),
                            "#operator_?." => Term::Member(left, right, true),
                            _ => Term::Operation(name, vec![left, right]),
                        };
                        self.add(term, at)
                    }
                    _ => break,
                },
                _ => break,
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<TermId> {
        match self.token.kind {
            TokenClass::End | TokenClass::Mark("=>" | ")" | "]" | "}" | ",") => {
                return Err(self.unexpected());
            }
            TokenClass::Operator(sign) => {
                let Some((level, name)) = find(&PREFIX, sign) else {
                    return Err(self.unexpected());
                };
                let at = self.advance()?.at;
                let value = self.expression(level + 1)?;
                return Ok(self.add(Term::Operation(name, vec![value]), at));
            }
            _ => {}
        }
        let YaqlToken { kind, value, at } = self.advance()?;
        let node = match (kind, value) {
            (TokenClass::Variable, Value::Str(name)) if &*name == "$" => {
                Term::Variable("$1".into())
            }
            (TokenClass::Variable, Value::Str(name)) => Term::Variable(name),
            (TokenClass::Word, Value::Str(word)) => Term::Word(word),
            (TokenClass::Call, Value::Str(name)) => {
                Term::Call(name, self.arguments(")")?)
            }
            (TokenClass::Mark("["), _) => Term::Operation("#list", self.arguments("]")?),
            (TokenClass::Mark("{"), _) => Term::Operation("#map", self.arguments("}")?),
            (TokenClass::Mark(_), _) => {
                let inner = self.expression(0)?;
                if !self.token.is(")") {
                    return Err(self.unexpected());
                }
                self.advance()?;
                Term::Group(inner)
            }
            (_, value) => Term::Constant(value),
        };
        Ok(self.add(node, at))
    }

    /// Parses arguments up to a bracket: values or omitted ones, then mapping rules. One
    /// value may be omitted before the first rule, unless it is the first argument.
    fn arguments(&mut self, close: &str) -> Result<Vec<TermId>> {
        let mut arguments = Vec::new();
        let mut gaps = 0;
        let mut ruled = false;
        let mut is_empty = true;
        while !(is_empty && self.token.is(close)) {
            is_empty = false;
            if self.token.is(",") && !ruled {
                let at = self.advance()?.at;
                arguments.push(self.add(Term::Omitted, at));
                gaps += 1;
                continue;
            }
            let value = self.expression(0)?;
            // The grammar of yaql allows one empty position before a named argument.
            let may_rule = gaps == 0 || gaps == 1 && arguments.len() > 1;
            let value = if self.token.is("=>") && may_rule {
                ruled = true;
                let at = self.advance()?.at;
                let destination = self.expression(0)?;
                self.add(Term::Mapping(value, destination), at)
            } else if ruled || self.token.is("=>") {
                return Err(self.unexpected());
            } else {
                value
            };
            gaps = 0;
            arguments.push(value);
            if self.token.is(close) {
                break;
            }
            if !self.token.is(",") {
                return Err(self.unexpected());
            }
            self.advance()?;
        }
        self.advance()?;
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a program in one line.
    fn show(of: &TermRef) -> String {
        let all = |ids: &[TermId]| {
            ids.iter().map(|id| show(&of.sibling(*id))).collect::<Vec<_>>().join(" ")
        };
        match of.term() {
            Term::Constant(value) => crate::eval::python::repr(value).unwrap_or_default(),
            Term::Word(name) | Term::Variable(name) => name.to_string(),
            Term::Group(inner) => show(&of.sibling(*inner)),
            Term::Call(name, arguments) => format!("{}({})", &**name, all(arguments)),
            Term::Operation(name, arguments) => {
                let name = name.trim_start_matches("#operator_");
                let name = name.trim_start_matches("#unary_operator_");
                format!("({name} {})", all(arguments))
            }
            Term::Member(left, right, lenient) => {
                format!(
                    "({} {})",
                    if *lenient { "?." } else { "." },
                    all(&[*left, *right])
                )
            }
            Term::Mapping(from, to) => all(&[*from, *to]).replace(' ', "=>"),
            Term::Omitted => "_".to_owned(),
        }
    }

    #[test]
    fn operators_bind_as_they_do_in_yaql() {
        for (text, shown) in [
            ("-1.abs()", "(- (. 1 abs()))"),
            ("-$.l[0]", "(- (#indexer (. $1 l) 0))"),
            ("a + b =~ c * 2", "(+ a (* (=~ b c) 2))"),
            ("not 1 = 2 and x", "(and (not (*equal 1 2)) x)"),
            ("1 + not 2 = 3", "(+ 1 (not (*equal 2 3)))"),
            ("let(a=>1) -> let(2) -> $a", "(-> let(a=>1) (-> let(2) $a))"),
            ("f(, 1,,a=>2)", "f(_ 1 _ a=>2)"),
            ("1.5.2 mod 007", "(mod (. 1.5 2) 7)"),
        ] {
            assert_eq!(parse(text).map(|e| show(&e)).as_deref(), Ok(shown), "{text}");
        }
    }

    #[test]
    fn says_what_is_unexpected() {
        for (text, message) in [
            ("", "Parse error: unexpected end of statement"),
            ("f(1,)", "Parse error: unexpected ')' at position 4 of expression 'f(1,)'"),
            ("f(,a=>1)", "unexpected '=>' at position 4"),
            ("{a => b => c}", "unexpected '=>' at position 8"),
            ("1 == 2", "unexpected '=' at position 3"),
            ("1and", "Lexical error: illegal character '1' at position 0"),
            ("__x", "illegal character '_' at position 0"),
            ("'a", "illegal character ''' at position 0"),
        ] {
            let refused = parse(text).err().map(|e| e.message).unwrap_or_default();
            assert!(refused.contains(message), "{text}: {refused}");
        }
        let deep = "(".repeat(100_000);
        assert!(parse(&deep).is_err_and(|e| e.class == Class::Recursion));
    }
}
