//! Expressions, from the weakest operator to the strongest.

use crate::eval::python::{Comparison, Operator, Result};

use super::{Parser, wrong};
use crate::eval::jinja::ast::{Expr, Kind, Relation};
use crate::eval::jinja::token::Lexeme;

impl Parser<'_> {
    /// An expression, with `a if b else c` if that may be one here.
    pub(super) fn expression(&mut self, condition: bool) -> Result<Expr> {
        self.deeper(|parser| if condition { parser.condition() } else { parser.or() })
    }

    /// Expressions with commas between them are a tuple. It may be empty in parentheses.
    pub(super) fn tuple(&mut self, condition: bool, inside: bool) -> Result<Expr> {
        let at = self.place();
        let (mut items, mut is_tuple) = (Vec::new(), false);
        loop {
            if !items.is_empty() {
                self.expect_sign(",")?;
            }
            if self.ends_tuple() {
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

    /// A comma that ends a tuple stands before the end of a tag or a `)`, before no word.
    pub(super) fn ends_tuple(&self) -> bool {
        self.is_end() || self.is_sign(")")
    }

    fn condition(&mut self) -> Result<Expr> {
        let before = self.unknown.len();
        let mut value = self.or()?;
        while self.is_name("if") {
            let at = value.at;
            self.at += 1;
            let test = self.or()?;
            let otherwise = if self.skip_name("else") {
                Some(Box::new(self.deeper(Parser::condition)?))
            } else {
                None
            };
            value = self.make(at, Kind::Condition(Box::new([test, value]), otherwise))?;
            self.unknown.truncate(before);
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
        if others.is_empty() {
            Ok(first)
        } else {
            self.make(first.at, Kind::Compare(Box::new(first), others))
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
        if filters { self.filters(value) } else { Ok(value) }
    }
}
