//! Calls, filters and tests, with their arguments.

use crate::eval::python::Result;

use super::{Parser, wrong};
use crate::eval::jinja::ast::{Expr, Given, Kind};
use crate::eval::jinja::plugin;
use crate::eval::jinja::token::Lexeme;

impl Parser<'_> {
    pub(super) fn call(&mut self, value: Expr) -> Result<Expr> {
        let given = self.deeper(Parser::given)?;
        self.make(value.at, Kind::Call(Box::new(value), given))
    }

    fn given(&mut self) -> Result<Given> {
        self.expect_sign("(")?;
        let (mut given, mut first) = (Given::default(), true);
        while !self.is_sign(")") {
            if !first {
                self.expect_sign(",")?;
                if self.is_sign(")") {
                    break;
                }
            }
            first = false;
            self.argument(&mut given)?;
        }
        self.expect_sign(")")?;
        Ok(given)
    }

    fn argument(&mut self, given: &mut Given) -> Result<()> {
        let (star, stars) = (given.star.is_some(), given.stars.is_some());
        let wrong_order = || wrong("invalid syntax for function call expression");
        if self.skip_sign("*") {
            let value = self.expression(true)?;
            given.star = Some(Box::new(value));
            return if star || stars { Err(wrong_order()) } else { Ok(()) };
        }
        if self.skip_sign("**") {
            let value = self.expression(true)?;
            given.stars = Some(Box::new(value));
            return if stars { Err(wrong_order()) } else { Ok(()) };
        }
        if matches!(self.peek(), Some(Lexeme::Name(_))) && self.next_is_sign("=") {
            let name = self.name()?;
            self.at += 1;
            let value = self.expression(true)?;
            given.keywords.push((name.as_str().into(), value));
            return if stars { Err(wrong_order()) } else { Ok(()) };
        }
        let value = self.expression(true)?;
        let misplaced = star || stars || !given.keywords.is_empty();
        given.positional.push(value.into());
        if misplaced { Err(wrong_order()) } else { Ok(()) }
    }

    /// A filter, after its `|`.
    pub(super) fn filter(&mut self, value: Option<Expr>) -> Result<Expr> {
        let at = self.place();
        let name = self.full_name()?;
        self.look_up(plugin::PluginKind::Filter, &name, at);
        let given = if self.is_sign("(") {
            self.deeper(Parser::given)?
        } else {
            Given::default()
        };
        self.make(at, Kind::Filter(value.map(Box::new), name.as_str().into(), given))
    }

    fn full_name(&mut self) -> Result<String> {
        let mut name = self.name()?;
        while self.skip_sign(".") {
            name = format!("{name}.{}", self.name()?);
        }
        Ok(name)
    }

    /// A test, after its `is`.
    pub(super) fn test(&mut self, value: Expr) -> Result<Expr> {
        let at = self.place();
        let negated = self.skip_name("not");
        let name = self.full_name()?;
        self.look_up(plugin::PluginKind::Test, &name, at);
        let mut given = Given::default();
        if self.is_sign("(") {
            given = self.deeper(Parser::given)?;
        } else if self.begins_argument() {
            if self.is_name("is") {
                return Err(wrong("You cannot chain multiple tests with is"));
            }
            let argument = self.deeper(Parser::primary)?;
            given.positional.push(self.postfix(argument)?.into());
        }
        let test =
            self.make(at, Kind::Test(Box::new(value), name.as_str().into(), given))?;
        if negated { self.make(at, Kind::Not(Box::new(test))) } else { Ok(test) }
    }

    fn begins_argument(&self) -> bool {
        match self.peek() {
            Some(Lexeme::Name(name)) => !matches!(&**name, "else" | "or" | "and"),
            Some(Lexeme::Const(_) | Lexeme::Sign("[" | "{")) => true,
            _ => false,
        }
    }
}
