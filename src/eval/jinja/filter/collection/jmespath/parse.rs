//! Tokens → the expression they stand for, by the binding power of each.

use super::lexer::{Kind, Token, tokens};
use super::{Expression, Members, wrong};
use crate::eval::python::{Class, Exception, Result};

/// Reads an expression.
pub(super) fn parse(query: &str) -> Result<Expression> {
    let mut parser = Parser { query, tokens: tokens(query)?, at: 0, parts: 0 };
    let expression = parser.expression(0)?;
    match parser.peek() {
        Kind::End => Ok(expression),
        _ => Err(parser.unexpected()),
    }
}

/// The most parts of an expression: none is nested deeper.
const PARTS: usize = 500;

/// What binds less ends what is done with each member.
const EACH: u8 = 10;
const STAR: u8 = 20;

struct Parser<'a> {
    query: &'a str,
    tokens: Vec<Token>,
    at: usize,
    parts: usize,
}

fn power(kind: &Kind) -> u8 {
    let Kind::Sign(sign) = kind else { return 0 };
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

impl Parser<'_> {
    fn peek(&self) -> &Kind {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> &Kind {
        self.tokens.get(self.at + by).map_or(&Kind::End, |token| &token.kind)
    }

    fn is(&self, by: usize, sign: &str) -> bool {
        matches!(self.ahead(by), Kind::Sign(found) if *found == sign)
    }

    fn advance(&mut self) -> Kind {
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
            Kind::End => "Incomplete expression",
            _ => "Unexpected token",
        };
        wrong(self.query, at, what)
    }

    /// An expression, up to what binds no more than `least`.
    fn expression(&mut self, least: u8) -> Result<Expression> {
        let mut left = self.first()?;
        while power(self.peek()) > least {
            self.count()?;
            left = self.next(left)?;
        }
        Ok(left)
    }

    fn count(&mut self) -> Result<()> {
        self.parts += 1;
        if self.parts > PARTS {
            Err(Exception::new(
                Class::Limit,
                format!("a JMESPath expression has more than {PARTS} parts"),
            ))
        } else {
            Ok(())
        }
    }

    fn inner(&mut self, least: u8) -> Result<Box<Expression>> {
        self.expression(least).map(Box::new)
    }

    /// What an expression begins with.
    fn first(&mut self) -> Result<Expression> {
        self.count()?;
        let sign = match self.advance() {
            Kind::Name(name) => return Ok(Expression::Field(name)),
            Kind::Quoted(name) if !self.is(0, "(") => return Ok(Expression::Field(name)),
            Kind::Literal(value) => return Ok(Expression::Literal(value)),
            Kind::Sign(sign) => sign,
            Kind::Quoted(_) | Kind::Number(_) | Kind::End => "",
        };
        let current = Box::new(Expression::Current);
        match sign {
            "@" => Ok(Expression::Current),
            "*" => self.each(Members::Values, current, STAR),
            "[?" => self.filter(current),
            "[]" => self.flatten(current),
            "{" => self.dict(),
            "!" => self.inner(45).map(Expression::Not),
            "&" => self.inner(0).map(Expression::Reference),
            "(" => {
                let inner = self.expression(0)?;
                self.expect(")").map(|()| inner)
            }
            "[" if matches!(self.peek(), Kind::Number(_)) || self.is(0, ":") => {
                self.index(current)
            }
            "[" if self.is(0, "*") && self.is(1, "]") => {
                self.at += 2;
                self.each(Members::Items, current, STAR)
            }
            "[" => self.list(),
            _ => {
                self.at -= 1;
                Err(self.unexpected())
            }
        }
    }

    /// What follows an expression.
    fn next(&mut self, left: Expression) -> Result<Expression> {
        if let (Expression::Field(name), true) = (&left, self.is(0, "(")) {
            let name = name.clone();
            self.at += 1;
            return self.call(name);
        }
        let (token, left) = (self.advance(), Box::new(left));
        let Kind::Sign(sign) = token else { return Err(self.unexpected()) };
        match sign {
            "." if self.take("*") => self.each(Members::Values, left, 40),
            "." => Ok(Expression::Then(left, Box::new(self.member(40)?))),
            "|" => Ok(Expression::Then(left, self.inner(1)?)),
            "||" => Ok(Expression::Or(left, self.inner(2)?)),
            "&&" => Ok(Expression::And(left, self.inner(3)?)),
            "==" | "!=" | "<" | "<=" | ">" | ">=" => {
                Ok(Expression::Compare(sign, left, self.inner(5)?))
            }
            "[?" => self.filter(left),
            "[]" => self.flatten(left),
            "[" if self.take("*") => {
                self.expect("]")?;
                self.each(Members::Items, left, STAR)
            }
            "[" => self.index(left),
            _ => {
                self.at -= 1;
                Err(self.unexpected())
            }
        }
    }

    /// What comes after a dot.
    fn member(&mut self, least: u8) -> Result<Expression> {
        match self.peek() {
            Kind::Name(_) | Kind::Quoted(_) => self.expression(least),
            Kind::Sign("*") => self.expression(least),
            Kind::Sign("[") => {
                self.at += 1;
                self.list()
            }
            Kind::Sign("{") => {
                self.at += 1;
                self.dict()
            }
            _ => Err(self.unexpected()),
        }
    }

    fn each(
        &mut self,
        members: Members,
        left: Box<Expression>,
        least: u8,
    ) -> Result<Expression> {
        Ok(Expression::Each(members, left, Box::new(self.rest(least)?)))
    }

    /// What is done with each member.
    fn rest(&mut self, least: u8) -> Result<Expression> {
        match self.peek() {
            kind if power(kind) < EACH => Ok(Expression::Current),
            Kind::Sign("[" | "[?") => self.expression(least),
            Kind::Sign(".") => {
                self.at += 1;
                self.member(least)
            }
            _ => Err(self.unexpected()),
        }
    }

    fn filter(&mut self, left: Box<Expression>) -> Result<Expression> {
        let condition = self.inner(0)?;
        self.expect("]")?;
        let rest = if self.is(0, "[]") { Expression::Current } else { self.rest(21)? };
        Ok(Expression::Filter(left, Box::new(rest), condition))
    }

    fn flatten(&mut self, left: Box<Expression>) -> Result<Expression> {
        self.each(Members::Items, Box::new(Expression::Flatten(left)), 9)
    }

    /// `0]`, `0:2:1]`
    fn index(&mut self, left: Box<Expression>) -> Result<Expression> {
        let (mut parts, mut at) = ([None; 3], 0);
        loop {
            match self.advance() {
                Kind::Sign("]") if at > 0 || parts[0].is_some() => break,
                Kind::Sign(":") if at < 2 => at += 1,
                Kind::Number(number) if parts[at].is_none() => parts[at] = Some(number),
                _ => {
                    self.at -= 1;
                    return Err(self.unexpected());
                }
            }
        }
        if at > 0 {
            let slice = Expression::Then(left, Box::new(Expression::Slice(parts)));
            return self.each(Members::Items, Box::new(slice), STAR);
        }
        let index = Expression::Index(parts[0].unwrap_or(0));
        Ok(Expression::Then(left, Box::new(index)))
    }

    fn list(&mut self) -> Result<Expression> {
        let mut members = Vec::new();
        loop {
            members.push(self.expression(0)?);
            if self.take("]") {
                return Ok(Expression::List(members));
            }
            self.expect(",")?;
        }
    }

    fn dict(&mut self) -> Result<Expression> {
        let mut entries = Vec::new();
        loop {
            let (Kind::Name(name) | Kind::Quoted(name)) = self.advance() else {
                self.at -= 1;
                return Err(self.unexpected());
            };
            self.expect(":")?;
            entries.push((name, self.expression(0)?));
            if self.take("}") {
                return Ok(Expression::Dict(entries));
            }
            self.expect(",")?;
        }
    }

    fn call(&mut self, name: String) -> Result<Expression> {
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.expression(0)?);
            if !self.take(",") && !self.is(0, ")") {
                return Err(self.unexpected());
            }
        }
        Ok(Expression::Call(name, arguments))
    }
}
