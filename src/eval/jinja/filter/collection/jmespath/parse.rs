//! The parser of JMESPath: an expression by the binding power of its tokens.

use super::expression::{Projection, QueryNode};
use crate::eval::python::{Class, Exception, Result, Value, json, literal};

pub(super) fn parse(query: &str) -> Result<QueryNode> {
    let mut parser = JmespathParser { query, tokens: tokens(query)?, at: 0, parts: 0 };
    let expression = parser.expression(0)?;
    match parser.peek() {
        Symbol::End => Ok(expression),
        _ => Err(parser.unexpected()),
    }
}

/// Maximum number of parts of an expression, which limits its nesting, too.
// The parser and the evaluation recurse: 500 levels fit a stack of 1 MB.
const MAX_PARTS: usize = 500;

/// A token that binds less ends a projection.
const PROJECTION_STOP: u8 = 10;
/// The binding power of `*`.
const STAR: u8 = 20;

struct JmespathParser<'a> {
    query: &'a str,
    tokens: Vec<PlacedSymbol>,
    at: usize,
    parts: usize,
}

fn power(kind: &Symbol) -> u8 {
    let Symbol::Sign(sign) = kind else { return 0 };
    match *sign {
        "|" => 1,
        "||" => 2,
        "&&" => 3,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 5,
        "[]" => 9,
        "*" => STAR,
        "[?" => 21,
        "." => 40,
        "!" => 45,
        "{" => 50,
        "[" => 55,
        "(" => 60,
        _ => 0,
    }
}

impl JmespathParser<'_> {
    fn peek(&self) -> &Symbol {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> &Symbol {
        self.tokens.get(self.at + by).map_or(&Symbol::End, |token| &token.kind)
    }

    fn is(&self, by: usize, sign: &str) -> bool {
        matches!(self.ahead(by), Symbol::Sign(found) if *found == sign)
    }

    fn advance(&mut self) -> Symbol {
        let kind = self.peek().clone();
        self.at += 1;
        kind
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(0, sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> Box<Exception> {
        let at = self.tokens.get(self.at).map_or(self.query.len(), |token| token.at);
        let what = match self.peek() {
            Symbol::End => "Incomplete expression",
            _ => "Unexpected token",
        };
        wrong(self.query, at, what)
    }

    /// Returns the error for the token that was read last.
    fn refuse(&mut self) -> Box<Exception> {
        self.at -= 1;
        self.unexpected()
    }

    /// Parses an expression up to a token that binds no more than `least`.
    fn expression(&mut self, least: u8) -> Result<QueryNode> {
        let mut left = self.first()?;
        while power(self.peek()) > least {
            self.count()?;
            left = self.next(left)?;
        }
        Ok(left)
    }

    fn count(&mut self) -> Result<()> {
        self.parts += 1;
        if self.parts <= MAX_PARTS {
            return Ok(());
        }
        let message = format!("a JMESPath expression has more than {MAX_PARTS} parts");
        Err(Exception::new(Class::Limit, message))
    }

    fn inner(&mut self, least: u8) -> Result<Box<QueryNode>> {
        self.expression(least).map(Box::new)
    }

    /// Parses the start of an expression.
    fn first(&mut self) -> Result<QueryNode> {
        self.count()?;
        let sign = match self.advance() {
            Symbol::Name(name) => return Ok(QueryNode::Field(name)),
            Symbol::Quoted(name) if !self.is(0, "(") => {
                return Ok(QueryNode::Field(name));
            }
            Symbol::Literal(value) => return Ok(QueryNode::Literal(value)),
            Symbol::Sign(sign) => sign,
            Symbol::Quoted(_) | Symbol::Number(_) | Symbol::End => "",
        };
        let current = Box::new(QueryNode::Current);
        match sign {
            "@" => Ok(QueryNode::Current),
            "*" => self.each(Projection::Values, current, STAR),
            "[?" => self.filter(current),
            "[]" => self.flatten(current),
            "{" => self.dict(),
            "!" => self.inner(45).map(QueryNode::Not),
            "&" => self.inner(0).map(QueryNode::Reference),
            "(" => {
                let inner = self.expression(0)?;
                self.expect(")").map(|()| inner)
            }
            "[" if matches!(self.peek(), Symbol::Number(_)) || self.is(0, ":") => {
                self.index(current)
            }
            "[" if self.is(0, "*") && self.is(1, "]") => {
                self.at += 2;
                self.each(Projection::Items, current, STAR)
            }
            "[" => self.list(),
            _ => Err(self.refuse()),
        }
    }

    /// Parses what follows an expression `left`.
    fn next(&mut self, left: QueryNode) -> Result<QueryNode> {
        if let (QueryNode::Field(name), true) = (&left, self.is(0, "(")) {
            let name = name.clone();
            self.at += 1;
            return self.call(name);
        }
        let Symbol::Sign(sign) = self.advance() else { return Err(self.unexpected()) };
        let left = Box::new(left);
        match sign {
            "." if self.take("*") => self.each(Projection::Values, left, 40),
            "." => Ok(QueryNode::Then(left, Box::new(self.member(40)?))),
            "|" => Ok(QueryNode::Then(left, self.inner(1)?)),
            "||" => Ok(QueryNode::Or(left, self.inner(2)?)),
            "&&" => Ok(QueryNode::And(left, self.inner(3)?)),
            "==" | "!=" | "<" | "<=" | ">" | ">=" => {
                Ok(QueryNode::Compare(sign, left, self.inner(5)?))
            }
            "[?" => self.filter(left),
            "[]" => self.flatten(left),
            "[" if self.take("*") => {
                self.expect("]")?;
                self.each(Projection::Items, left, STAR)
            }
            "[" => self.index(left),
            _ => Err(self.refuse()),
        }
    }

    /// Parses what follows a dot.
    fn member(&mut self, least: u8) -> Result<QueryNode> {
        match self.peek() {
            Symbol::Name(_) | Symbol::Quoted(_) | Symbol::Sign("*") => {
                self.expression(least)
            }
            Symbol::Sign("[") => {
                self.at += 1;
                self.list()
            }
            Symbol::Sign("{") => {
                self.at += 1;
                self.dict()
            }
            _ => Err(self.unexpected()),
        }
    }

    fn each(
        &mut self,
        members: Projection,
        left: Box<QueryNode>,
        least: u8,
    ) -> Result<QueryNode> {
        Ok(QueryNode::Each(members, left, Box::new(self.rest(least)?)))
    }

    /// Parses the expression that a projection applies to each member.
    fn rest(&mut self, least: u8) -> Result<QueryNode> {
        match self.peek() {
            kind if power(kind) < PROJECTION_STOP => Ok(QueryNode::Current),
            Symbol::Sign("[" | "[?") => self.expression(least),
            Symbol::Sign(".") => {
                self.at += 1;
                self.member(least)
            }
            _ => Err(self.unexpected()),
        }
    }

    fn filter(&mut self, left: Box<QueryNode>) -> Result<QueryNode> {
        let condition = self.inner(0)?;
        self.expect("]")?;
        let rest = if self.is(0, "[]") { QueryNode::Current } else { self.rest(21)? };
        Ok(QueryNode::Each(Projection::Filtered(condition), left, Box::new(rest)))
    }

    fn flatten(&mut self, left: Box<QueryNode>) -> Result<QueryNode> {
        self.each(Projection::Items, Box::new(QueryNode::Flatten(left)), 9)
    }

    /// `0]`, `0:2:1]`
    fn index(&mut self, left: Box<QueryNode>) -> Result<QueryNode> {
        let mut parts = [None; 3];
        let mut at = 0;
        loop {
            match self.advance() {
                Symbol::Sign("]") if at > 0 || parts[0].is_some() => break,
                Symbol::Sign(":") if at < 2 => at += 1,
                Symbol::Number(number) if parts[at].is_none() => {
                    parts[at] = Some(number);
                }
                _ => return Err(self.refuse()),
            }
        }
        if at > 0 {
            let slice = QueryNode::Then(left, Box::new(QueryNode::Slice(parts)));
            return self.each(Projection::Items, Box::new(slice), STAR);
        }
        Ok(QueryNode::Then(left, Box::new(QueryNode::Index(parts[0].unwrap_or(0)))))
    }

    fn list(&mut self) -> Result<QueryNode> {
        let members = self.members("]", |parser| parser.expression(0))?;
        Ok(QueryNode::List(members))
    }

    fn dict(&mut self) -> Result<QueryNode> {
        let entries = self.members("}", |parser| {
            let (Symbol::Name(name) | Symbol::Quoted(name)) = parser.advance() else {
                return Err(parser.refuse());
            };
            parser.expect(":")?;
            Ok((name, parser.expression(0)?))
        })?;
        Ok(QueryNode::Dict(entries))
    }

    /// Parses members with commas between them, at least one, up to a closing sign.
    fn members<T>(
        &mut self,
        close: &str,
        member: fn(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut members = vec![member(self)?];
        while !self.take(close) {
            self.expect(",")?;
            members.push(member(self)?);
        }
        Ok(members)
    }

    fn call(&mut self, name: String) -> Result<QueryNode> {
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.expression(0)?);
            if !self.take(",") && !self.is(0, ")") {
                return Err(self.unexpected());
            }
        }
        Ok(QueryNode::Call(name, arguments))
    }
}

#[derive(Clone, Debug)]
struct PlacedSymbol {
    kind: Symbol,
    at: usize,
}

#[derive(Clone, Debug)]
enum Symbol {
    Name(String),
    /// `"name"`
    Quoted(String),
    /// `` `1` `` or `'text'`
    Literal(Value),
    Number(i64),
    /// An operator or a bracket.
    Sign(&'static str),
    End,
}

/// The operators. One that is the start of another comes after it.
const SIGNS: &[&str] = &[
    "[?", "[]", "[", "]", "||", "|", "&&", "&", "<=", "<", ">=", ">", "==", "!=", "!",
    ".", "*", ",", ":", "@", "(", ")", "{", "}",
];

fn tokens(query: &str) -> Result<Vec<PlacedSymbol>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = query.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        if blank > 0 {
            at += blank;
            continue;
        }
        let (kind, length) = token(query, at, rest)?;
        tokens.push(PlacedSymbol { kind, at });
        at += length;
    }
    tokens.push(PlacedSymbol { kind: Symbol::End, at: query.len() });
    Ok(tokens)
}

fn token(query: &str, at: usize, rest: &str) -> Result<(Symbol, usize)> {
    let first = rest.as_bytes().first().copied().unwrap_or(0);
    let quoted = |mark: char| {
        let end = literal::closing_quote(rest, mark);
        end.ok_or_else(|| wrong(query, at, &format!("Unclosed {mark}")))
    };
    Ok(match first {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let name = &rest[..end.unwrap_or(rest.len())];
            (Symbol::Name(name.to_owned()), name.len())
        }
        b'0'..=b'9' | b'-' => {
            let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
            let number = rest[..=digits].parse();
            let number = number.map_err(|_| wrong(query, at, "Unknown token '-'"))?;
            (Symbol::Number(number), digits + 1)
        }
        b'"' => {
            let end = quoted('"')?;
            let name =
                json::load(&rest[..=end]).map_err(|error| bad(query, at, &error))?;
            (Symbol::Quoted(name.as_str().unwrap_or_default().to_owned()), end + 1)
        }
        b'\'' => {
            let end = quoted('\'')?;
            let raw = rest.get(1..end).unwrap_or_default().replace("\\'", "'");
            (Symbol::Literal(Value::from(raw)), end + 1)
        }
        b'`' => {
            let end = quoted('`')?;
            let raw = rest.get(1..end).unwrap_or_default().replace("\\`", "`");
            // A literal without quotes is a string, from before JMESPath was standardized.
            let bare = || json::load(&format!("\"{}\"", raw.trim_start()));
            let value = json::load(&raw).or_else(|_| bare());
            (Symbol::Literal(value.map_err(|error| bad(query, at, &error))?), end + 1)
        }
        _ => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| wrong(query, at, "Unknown token"))?;
            (Symbol::Sign(sign), sign.len())
        }
    })
}

fn bad(query: &str, at: usize, error: &Exception) -> Box<Exception> {
    wrong(query, at, &format!("Bad token ({})", error.message))
}

fn wrong(query: &str, at: usize, what: &str) -> Box<Exception> {
    let column = query.get(..at).map_or(0, |before| before.chars().count()) + 1;
    let message =
        format!("Invalid jmespath expression: {what} at column {column} of: {query}");
    Exception::new(Class::Syntax, message)
}
