//! Tokens → what a template says, as Jinja's own parser reads it.

mod call;
mod expression;
mod primary;
mod statement;
mod target;

use crate::eval::python::{Class, Exception, Result};

use super::ast::{Body, Expr, Kind};
use super::plugin;
use super::token::{At, Lexeme, Token};

/// How deep expressions may nest.
const DEPTH: u16 = 800;

/// How deep statements may nest.
const BLOCKS: usize = 60;

/// Whether there is a plugin of a kind and a name.
pub(super) type Known<'k> = &'k dyn Fn(plugin::PluginKind, &str) -> Result<()>;

/// Reads a template whose filters and tests are known.
pub(super) fn parse(tokens: Vec<Token>, known: Known<'_>) -> Result<Body> {
    let mut parser = Parser {
        tokens,
        at: 0,
        known,
        nested: 0,
        blocks: 0,
        tags: Vec::new(),
        unknown: Vec::new(),
    };
    let body = parser.frame(|parser| parser.body(&[]));
    body.map_err(|exception| {
        let (line, column) = parser.place();
        exception.at(line, column)
    })
}

struct Parser<'k> {
    tokens: Vec<Token>,
    at: usize,
    known: Known<'k>,
    /// How deep it is in an expression and in statements.
    nested: u16,
    blocks: usize,
    /// The statements that are open and what ends them.
    tags: Vec<(String, Vec<&'static str>)>,
    /// What is said of plugins that are not there, in the order of the text.
    unknown: Vec<Exception>,
}

impl Parser<'_> {
    /// Notes that a plugin is not there.
    fn look_up(&mut self, kind: plugin::PluginKind, name: &str, at: At) {
        if let Err(unknown) = (self.known)(kind, name) {
            self.unknown.push(*unknown.at(at.0, at.1));
        }
    }

    /// Reads what must have all its plugins, but for those that only a branch names.
    fn frame<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.unknown.len();
        let found = read(self)?;
        match self.unknown.drain(before..).next() {
            Some(unknown) => Err(Box::new(unknown)),
            None => Ok(found),
        }
    }

    /// Reads the branches of a condition: a plugin that is not there is missed where one of
    /// them comes to it.
    fn branches<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.unknown.len();
        let found = read(self)?;
        self.unknown.truncate(before);
        Ok(found)
    }

    fn peek(&self) -> Option<&Lexeme> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn peek_next(&self) -> Option<&Lexeme> {
        self.tokens.get(self.at + 1).map(|token| &token.kind)
    }

    /// Where it is, or where the last token was.
    fn place(&self) -> At {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or((1, 1), |token| token.at)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Lexeme::Sign(found)) if *found == sign)
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Some(Lexeme::Name(found)) if found == name)
    }

    fn next_is_name(&self, name: &str) -> bool {
        matches!(self.peek_next(), Some(Lexeme::Name(found)) if found == name)
    }

    fn next_is_sign(&self, sign: &str) -> bool {
        matches!(self.peek_next(), Some(Lexeme::Sign(found)) if *found == sign)
    }

    fn is_end(&self) -> bool {
        matches!(self.peek(), Some(Lexeme::End))
    }

    fn skip_sign(&mut self, sign: &str) -> bool {
        let skips = self.is_sign(sign);
        self.at += usize::from(skips);
        skips
    }

    fn skip_name(&mut self, name: &str) -> bool {
        let skips = self.is_name(name);
        self.at += usize::from(skips);
        skips
    }

    fn expect_sign(&mut self, sign: &str) -> Result<()> {
        if self.skip_sign(sign) {
            Ok(())
        } else {
            Err(self.expected(&format!("'{sign}'")))
        }
    }

    fn expect_name(&mut self, name: &str) -> Result<()> {
        if self.skip_name(name) {
            Ok(())
        } else {
            Err(self.expected(&format!("'{name}'")))
        }
    }

    fn name(&mut self) -> Result<String> {
        match self.peek() {
            Some(Lexeme::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.expected("a name")),
        }
    }

    fn end(&mut self, what: &str) -> Result<()> {
        if self.is_end() {
            self.at += 1;
            Ok(())
        } else {
            Err(self.expected(&format!("'end of {what}'")))
        }
    }

    fn expected(&self, what: &str) -> Box<Exception> {
        match self.peek() {
            Some(found) => {
                wrong(&format!("expected token {what}, got '{}'", found.name()))
            }
            None => wrong(&format!("unexpected end of template, expected {what}")),
        }
    }

    /// An expression of a kind, which nests one deeper than what is in it.
    fn make(&self, at: At, kind: Kind) -> Result<Expr> {
        let mut expr = Expr { kind, at, depth: 0 };
        let mut depth = 0;
        expr.each(&mut |inner| depth = depth.max(inner.depth));
        expr.depth = depth + 1;
        if expr.depth > DEPTH { Err(too_deep()) } else { Ok(expr) }
    }

    /// Does something one deeper.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.nested >= DEPTH / 4 {
            return Err(too_deep());
        }
        self.nested += 1;
        let done = parse(self);
        self.nested -= 1;
        done
    }
}

fn too_deep() -> Box<Exception> {
    Exception::new(Class::Limit, "the template nests too deep")
}

fn wrong(message: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, message)
}
