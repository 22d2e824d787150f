//! Literals, names, and what follows a value: attributes, items, slices.

use crate::eval::python::{Result, Stamp, Str, Value};

use super::{Parser, wrong};
use crate::eval::jinja::ast::{Expr, Kind};
use crate::eval::jinja::token::Lexeme;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Result<Expr> {
        let at = self.place();
        let kind = match self.peek() {
            Some(Lexeme::Name(name)) => match &**name {
                "true" | "True" => Kind::Const(Value::Bool(true)),
                "false" | "False" => Kind::Const(Value::Bool(false)),
                "none" | "None" => Kind::Const(Value::None),
                name => Kind::Name(name.into()),
            },
            Some(Lexeme::Const(Value::Str(_))) => return self.string(),
            Some(Lexeme::Const(value)) => Kind::Const(value.clone()),
            Some(Lexeme::Sign("(")) => {
                self.at += 1;
                let inner = self.deeper(|parser| parser.tuple(true, true))?;
                self.expect_sign(")")?;
                return Ok(inner);
            }
            Some(Lexeme::Sign("[")) => {
                self.at += 1;
                let items = self.items("]")?;
                return self.make(at, Kind::List(items));
            }
            Some(Lexeme::Sign("{")) => {
                self.at += 1;
                return self.dict();
            }
            Some(other) => return Err(wrong(&format!("unexpected '{}'", other.name()))),
            None => return Err(wrong("unexpected end of template")),
        };
        self.at += 1;
        self.make(at, kind)
    }

    /// Strings that follow each other are one.
    fn string(&mut self) -> Result<Expr> {
        let (at, mut whole) = (self.place(), String::new());
        while let Some(Lexeme::Const(Value::Str(text))) = self.peek() {
            whole.push_str(text);
            self.at += 1;
        }
        let stamp = Stamp { constant: true, ..Stamp::default() };
        self.make(at, Kind::Const(Value::Str(Str::stamped(whole, stamp))))
    }

    fn items(&mut self, close: &str) -> Result<Vec<Expr>> {
        let mut items = Vec::new();
        while !self.is_sign(close) {
            if !items.is_empty() {
                self.expect_sign(",")?;
                if self.is_sign(close) {
                    break;
                }
            }
            items.push(self.expression(true)?);
        }
        self.expect_sign(close)?;
        Ok(items)
    }

    fn dict(&mut self) -> Result<Expr> {
        let (at, mut entries) = (self.place(), Vec::new());
        while !self.is_sign("}") {
            if !entries.is_empty() {
                self.expect_sign(",")?;
                if self.is_sign("}") {
                    break;
                }
            }
            let key = self.expression(true)?;
            self.expect_sign(":")?;
            entries.push((key, self.expression(true)?));
        }
        self.expect_sign("}")?;
        self.make(at, Kind::Dict(entries))
    }

    pub(super) fn postfix(&mut self, mut value: Expr) -> Result<Expr> {
        loop {
            value = match self.peek() {
                Some(Lexeme::Sign(".")) => self.dotted(value)?,
                Some(Lexeme::Sign("[")) => self.subscript(value)?,
                Some(Lexeme::Sign("(")) => self.call(value)?,
                _ => return Ok(value),
            };
        }
    }

    pub(super) fn filters(&mut self, mut value: Expr) -> Result<Expr> {
        loop {
            value = match self.peek() {
                Some(Lexeme::Sign("|")) => {
                    self.at += 1;
                    self.filter(Some(value))?
                }
                Some(Lexeme::Sign("(")) => self.call(value)?,
                Some(Lexeme::Name(name)) if name == "is" => {
                    self.at += 1;
                    self.test(value)?
                }
                _ => return Ok(value),
            };
        }
    }

    fn dotted(&mut self, value: Expr) -> Result<Expr> {
        self.at += 1;
        let at = self.place();
        let kind = match self.peek() {
            Some(Lexeme::Name(name)) => {
                Kind::Attribute(Box::new(value), (&**name).into())
            }
            Some(Lexeme::Const(index @ (Value::Int(_) | Value::Big(_)))) => {
                let index = Kind::Const(index.clone());
                let index = self.make(self.place(), index)?;
                Kind::Item(Box::new([value, index]))
            }
            _ => return Err(wrong("expected name or number")),
        };
        self.at += 1;
        self.make(at, kind)
    }

    fn subscript(&mut self, value: Expr) -> Result<Expr> {
        let at = self.place();
        self.at += 1;
        let mut keys = Vec::new();
        while !self.is_sign("]") {
            if !keys.is_empty() {
                self.expect_sign(",")?;
            }
            if let Some(bounds) = self.bounds(&mut keys)? {
                self.expect_sign("]")?;
                return self.make(at, Kind::Slice(Box::new(value), bounds));
            }
        }
        self.expect_sign("]")?;
        let key = match keys.pop() {
            Some(only) if keys.is_empty() => only,
            last => {
                keys.extend(last);
                self.make(at, Kind::Tuple(keys))?
            }
        };
        self.make(key.at, Kind::Item(Box::new([value, key])))
    }

    /// One key, or the bounds of a slice.
    fn bounds(&mut self, keys: &mut Vec<Expr>) -> Result<Option<[Option<Box<Expr>>; 3]>> {
        let mut bounds = [None, None, None];
        if !self.is_sign(":") {
            let first = self.expression(true)?;
            if !self.is_sign(":") {
                keys.push(first);
                return Ok(None);
            }
            bounds[0] = Some(Box::new(first));
        }
        for bound in bounds.iter_mut().skip(1) {
            if self.skip_sign(":")
                && ![":", "]", ","].iter().any(|sign| self.is_sign(sign))
            {
                *bound = Some(Box::new(self.expression(true)?));
            }
        }
        if keys.is_empty() && self.is_sign("]") {
            Ok(Some(bounds))
        } else {
            Err(self.expected("']'"))
        }
    }
}
