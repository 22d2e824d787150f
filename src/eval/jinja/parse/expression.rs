//! Expressions, from the weakest operator to the strongest.

use crate::python::{Comparison, Operator, Result, Value};

use super::{Parser, wrong};
use crate::eval::jinja::ast::{Expr, Given, Kind, Relation};
use crate::eval::jinja::plugin;
use crate::eval::jinja::token::Lexeme;

impl Parser<'_> {
    /// An expression, with `a if b else c` if that may be one here.
    pub(super) fn expression(&mut self, condition: bool) -> Result<Expr> {
        self.deeper(|parser| match condition {
            true => parser.condition(),
            false => parser.or(),
        })
    }

    /// Expressions with commas between them are a tuple. It may be empty in parentheses.
    pub(super) fn tuple(
        &mut self,
        condition: bool,
        until: &[&str],
        inside: bool,
    ) -> Result<Expr> {
        let at = self.place();
        let (mut items, mut is_tuple) = (Vec::new(), false);
        loop {
            if !items.is_empty() {
                self.expect_sign(",")?;
            }
            if self.ends_tuple(until) {
                break;
            }
            items.push(self.expression(condition)?);
            if !self.is_sign(",") {
                break;
            }
            is_tuple = true;
        }
        if !is_tuple && let Some(only) = items.pop() {
            return Ok(only);
        }
        if !is_tuple && !inside {
            let found = self.peek().map_or("end of template".into(), Lexeme::name);
            return Err(wrong(&format!("Expected an expression, got '{found}'")));
        }
        self.make(at, Kind::Tuple(items))
    }

    pub(super) fn ends_tuple(&self, until: &[&str]) -> bool {
        self.is_end() || self.is_sign(")") || until.iter().any(|name| self.is_name(name))
    }

    fn condition(&mut self) -> Result<Expr> {
        let mut value = self.or()?;
        while self.is_name("if") {
            let at = value.at;
            self.at += 1;
            let test = self.or()?;
            let otherwise = match self.skip_name("else") {
                true => Some(Box::new(self.deeper(Parser::condition)?)),
                false => None,
            };
            value = self.make(at, Kind::Condition(Box::new([test, value]), otherwise))?;
        }
        Ok(value)
    }

    fn or(&mut self) -> Result<Expr> {
        let mut left = self.and()?;
        while self.skip_name("or") {
            let right = self.and()?;
            left = self.make(left.at, Kind::Or(Box::new([left, right])))?;
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr> {
        let mut left = self.not()?;
        while self.skip_name("and") {
            let right = self.not()?;
            left = self.make(left.at, Kind::And(Box::new([left, right])))?;
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expr> {
        let at = self.place();
        if self.is_name("not") {
            self.at += 1;
            let inner = self.deeper(Parser::not)?;
            return self.make(at, Kind::Not(Box::new(inner)));
        }
        self.compare()
    }

    fn compare(&mut self) -> Result<Expr> {
        let first = self.sum()?;
        let mut others = Vec::new();
        while let Some((relation, tokens)) = self.relation() {
            self.at += tokens;
            others.push((relation, self.sum()?));
        }
        match others.is_empty() {
            true => Ok(first),
            false => self.make(first.at, Kind::Compare(Box::new(first), others)),
        }
    }

    fn relation(&self) -> Option<(Relation, usize)> {
        Some(match self.peek()? {
            Lexeme::Sign("==") => (Relation::Equal, 1),
            Lexeme::Sign("!=") => (Relation::Unequal, 1),
            Lexeme::Sign("<") => (Relation::Order(Comparison::Less), 1),
            Lexeme::Sign("<=") => (Relation::Order(Comparison::LessEqual), 1),
            Lexeme::Sign(">") => (Relation::Order(Comparison::Greater), 1),
            Lexeme::Sign(">=") => (Relation::Order(Comparison::GreaterEqual), 1),
            Lexeme::Name(name) if name == "in" => (Relation::In, 1),
            Lexeme::Name(name) if name == "not" && self.next_is_name("in") => {
                (Relation::NotIn, 2)
            }
            _ => return None,
        })
    }

    fn sum(&mut self) -> Result<Expr> {
        let mut left = self.concat()?;
        while let Some(operator) =
            self.operator(&[("+", Operator::Add), ("-", Operator::Sub)])
        {
            let right = self.concat()?;
            left = self.make(left.at, Kind::Binary(operator, Box::new([left, right])))?;
        }
        Ok(left)
    }

    fn concat(&mut self) -> Result<Expr> {
        let first = self.product()?;
        if !self.is_sign("~") {
            return Ok(first);
        }
        let (at, mut all) = (first.at, vec![first]);
        while self.skip_sign("~") {
            all.push(self.product()?);
        }
        self.make(at, Kind::Concat(all))
    }

    fn product(&mut self) -> Result<Expr> {
        let signs = [
            ("*", Operator::Mul),
            ("/", Operator::Div),
            ("//", Operator::FloorDiv),
            ("%", Operator::Mod),
        ];
        let mut left = self.power()?;
        while let Some(operator) = self.operator(&signs) {
            let right = self.power()?;
            left = self.make(left.at, Kind::Binary(operator, Box::new([left, right])))?;
        }
        Ok(left)
    }

    fn power(&mut self) -> Result<Expr> {
        let mut left = self.unary(true)?;
        while self.skip_sign("**") {
            let right = self.unary(true)?;
            left =
                self.make(left.at, Kind::Binary(Operator::Pow, Box::new([left, right])))?;
        }
        Ok(left)
    }

    fn operator(&mut self, signs: &[(&str, Operator)]) -> Option<Operator> {
        let found = signs.iter().find(|(sign, _)| self.is_sign(sign))?;
        self.at += 1;
        Some(found.1)
    }

    fn unary(&mut self, filters: bool) -> Result<Expr> {
        let at = self.place();
        let value = if self.skip_sign("-") {
            let inner = self.deeper(|parser| parser.unary(false))?;
            self.make(at, Kind::Negative(Box::new(inner)))?
        } else if self.skip_sign("+") {
            let inner = self.deeper(|parser| parser.unary(false))?;
            self.make(at, Kind::Positive(Box::new(inner)))?
        } else {
            self.primary()?
        };
        let value = self.postfix(value)?;
        match filters {
            true => self.filters(value),
            false => Ok(value),
        }
    }

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
                let inner = self.deeper(|parser| parser.tuple(true, &[], true))?;
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
        self.make(at, Kind::Const(Value::text(whole)))
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

    fn filters(&mut self, mut value: Expr) -> Result<Expr> {
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
        let at = self.place();
        self.at += 1;
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
        self.make(at, Kind::Item(Box::new([value, key])))
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
        match keys.is_empty() && self.is_sign("]") {
            true => Ok(Some(bounds)),
            false => Err(self.expected("']'")),
        }
    }

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
        (self.known)(plugin::Kind::Filter, &name)?;
        let given = match self.is_sign("(") {
            true => self.deeper(Parser::given)?,
            false => Given::default(),
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
    fn test(&mut self, value: Expr) -> Result<Expr> {
        let at = self.place();
        let negated = self.skip_name("not");
        let name = self.full_name()?;
        (self.known)(plugin::Kind::Test, &name)?;
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
        match negated {
            true => self.make(at, Kind::Not(Box::new(test))),
            false => Ok(test),
        }
    }

    fn begins_argument(&self) -> bool {
        match self.peek() {
            Some(Lexeme::Name(name)) => !matches!(&**name, "else" | "or" | "and"),
            Some(Lexeme::Const(_) | Lexeme::Sign("[" | "{")) => true,
            _ => false,
        }
    }
}
