//! The parser of queries: the grammar of RFC 9535 and the types of its functions.

use super::error::{PatternWarning, QueryError};
use super::lexer::QueryCursor;
use super::syntax::{ComparisonOp, Condition, Nested, Operand, Segment, Selector, Slice};
use crate::scalar::Scalar;

type Result<T> = std::result::Result<T, QueryError>;

/// Maximum depth of conditions and functions in each other, which are read recursively.
// People write three or four. A thread with a stack of 2 MiB has 32 KiB for each level.
const DEEPEST: usize = 64;

/// The functions of RFC 9535.
pub(super) const FUNCTIONS: [&str; 5] = ["length", "count", "match", "search", "value"];

pub(super) struct QueryParser<'q> {
    cursor: QueryCursor<'q>,
    /// Number of filters and brackets around the cursor.
    depth: usize,
    /// Warnings about the patterns read so far.
    warnings: Vec<PatternWarning>,
}

/// Part of a condition, before it is known if it is compared or tested.
enum ConditionTerm {
    Literal(Scalar<'static>),
    Query(Nested),
    /// `length(…)`, `count(…)`, `value(…)`
    Value(Operand),
    /// `match(…)`, `search(…)`
    Test(Condition),
}

impl<'q> QueryParser<'q> {
    pub(super) fn new(text: &'q str) -> QueryParser<'q> {
        QueryParser { cursor: QueryCursor::new(text), depth: 0, warnings: Vec::new() }
    }

    /// Reads a query of which nothing is left.
    pub(super) fn query(mut self) -> Result<(Vec<Segment>, Vec<PatternWarning>)> {
        if !self.cursor.take("$") {
            return self.cursor.error("a query begins with '$'");
        }
        let segments = self.segments()?;
        if !self.cursor.rest().is_empty() {
            return self.cursor.error("expected '.', '[' or the end");
        }
        Ok((segments, self.warnings))
    }

    /// Reads a condition of which nothing is left.
    pub(super) fn whole_condition(mut self) -> Result<(Condition, Vec<PatternWarning>)> {
        let condition = self.condition()?;
        self.cursor.skip_blanks();
        if !self.cursor.rest().is_empty() {
            return self.cursor.error("expected '&&', '||' or the end");
        }
        Ok((condition, self.warnings))
    }

    fn segments(&mut self) -> Result<Vec<Segment>> {
        let mut segments = Vec::new();
        loop {
            let before = self.cursor;
            self.cursor.skip_blanks();
            let start = self.cursor.at;
            let descends = self.cursor.take("..");
            let selectors = if self.cursor.peek() == Some('[') {
                self.brackets()?
            } else if descends || self.cursor.take(".") {
                vec![self.member()?]
            } else {
                self.cursor = before;
                return Ok(segments);
            };
            segments.push(Segment { start, descends, selectors });
        }
    }

    fn member(&mut self) -> Result<Selector> {
        let is_star = self.cursor.take("*");
        if is_star {
            Ok(Selector::Wildcard)
        } else {
            self.cursor.name().map(Selector::Name)
        }
    }

    fn brackets(&mut self) -> Result<Vec<Selector>> {
        let mut selectors = Vec::new();
        self.cursor.take("[");
        loop {
            self.cursor.skip_blanks();
            selectors.push(self.selector()?);
            self.cursor.skip_blanks();
            if self.cursor.take("]") {
                return Ok(selectors);
            }
            if !self.cursor.take(",") {
                return self.cursor.error("expected ',' or ']'");
            }
        }
    }

    fn selector(&mut self) -> Result<Selector> {
        match self.cursor.peek() {
            Some('\'' | '"') => self.cursor.quoted().map(Selector::Name),
            Some('*') => {
                self.cursor.advance(1);
                Ok(Selector::Wildcard)
            }
            Some('?') => {
                self.cursor.advance(1);
                self.cursor.skip_blanks();
                self.condition().map(Selector::Filter)
            }
            Some('-' | '0'..='9' | ':') => self.index_or_slice(),
            Some(_) | None => {
                self.cursor.error("expected a name in quotes, an index, '*', ':' or '?'")
            }
        }
    }

    fn index_or_slice(&mut self) -> Result<Selector> {
        let start = self.bound()?;
        // Without a start, it begins with the colon.
        if let (false, Some(index)) = (self.takes_colon(), start) {
            return Ok(Selector::Index(index));
        }
        let end = self.bound()?;
        let step = if self.takes_colon() { self.bound()? } else { None };
        Ok(Selector::Slice(Slice { start, end, step: step.unwrap_or(1) }))
    }

    /// Reads a colon and the blanks around it, if it is next.
    fn takes_colon(&mut self) -> bool {
        self.cursor.skip_blanks();
        let found = self.cursor.take(":");
        self.cursor.skip_blanks();
        found
    }

    fn bound(&mut self) -> Result<Option<i64>> {
        match self.cursor.peek() {
            Some('-' | '0'..='9') => self.cursor.index().map(Some),
            Some(_) | None => Ok(None),
        }
    }

    /// Reads `a || b`.
    fn condition(&mut self) -> Result<Condition> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.cursor.error(format!("conditions nest at most {DEEPEST} deep"));
        }
        let condition = self.joined("||", Condition::Any, |it| {
            it.joined("&&", Condition::All, QueryParser::basic)
        });
        self.depth -= 1;
        condition
    }

    /// Reads parts with an operator between them.
    fn joined(
        &mut self,
        operator: &str,
        join: fn(Vec<Condition>) -> Condition,
        part: impl Fn(&mut Self) -> Result<Condition>,
    ) -> Result<Condition> {
        let mut parts = vec![part(self)?];
        self.cursor.skip_blanks();
        while self.cursor.take(operator) {
            self.cursor.skip_blanks();
            parts.push(part(self)?);
            self.cursor.skip_blanks();
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { join(parts) })
    }

    /// Reads a test, a comparison, or a condition in brackets.
    fn basic(&mut self) -> Result<Condition> {
        let negated = self.cursor.take("!");
        if negated {
            self.cursor.skip_blanks();
        }
        let condition = if self.cursor.take("(") {
            self.cursor.skip_blanks();
            let inner = self.condition()?;
            self.close()?;
            inner
        } else {
            self.test_or_comparison(negated)?
        };
        Ok(if negated { Condition::Not(Box::new(condition)) } else { condition })
    }

    fn test_or_comparison(&mut self, negated: bool) -> Result<Condition> {
        let start = self.cursor;
        let term = self.term()?;
        self.cursor.skip_blanks();
        let found =
            ComparisonOp::ALL.into_iter().find(|(sign, _)| self.cursor.take(sign));
        let Some((_, comparison)) = found else {
            return match term {
                ConditionTerm::Query(nested) => Ok(Condition::Exists(nested)),
                ConditionTerm::Test(condition) => Ok(condition),
                ConditionTerm::Literal(_) => {
                    start.error("a value alone is no test: compare it")
                }
                ConditionTerm::Value(_) => {
                    start.error("this function gives a value: compare it")
                }
            };
        };
        if negated {
            return start.error("'!' negates no comparison: put it in brackets");
        }
        self.cursor.skip_blanks();
        let left = operand(term, start)?;
        let start = self.cursor;
        Ok(Condition::Compare(left, comparison, operand(self.term()?, start)?))
    }

    fn term(&mut self) -> Result<ConditionTerm> {
        match self.cursor.peek() {
            Some('$' | '@') => self.nested().map(ConditionTerm::Query),
            Some('\'' | '"') => self
                .cursor
                .quoted()
                .map(|text| ConditionTerm::Literal(Scalar::String(text.into()))),
            Some('-' | '0'..='9') => self.cursor.number().map(ConditionTerm::Literal),
            Some('a'..='z') => self.word(),
            Some(_) | None => self
                .cursor
                .error("expected a query with '@' or '$', a value or a function"),
        }
    }

    fn nested(&mut self) -> Result<Nested> {
        let is_absolute = self.cursor.take("$");
        if !is_absolute {
            self.cursor.take("@");
        }
        Ok(Nested { is_absolute, segments: self.segments()? })
    }

    fn word(&mut self) -> Result<ConditionTerm> {
        let start = self.cursor;
        let word = self
            .cursor
            .take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if self.cursor.take("(") {
            return self.function(word, start);
        }
        Ok(ConditionTerm::Literal(match word {
            "true" => Scalar::Bool(true),
            "false" => Scalar::Bool(false),
            "null" => Scalar::Null,
            _ => return start.error("expected true, false, null or a function"),
        }))
    }

    fn function(&mut self, name: &str, start: QueryCursor<'q>) -> Result<ConditionTerm> {
        Ok(match name {
            "length" => {
                ConditionTerm::Value(Operand::Length(Box::new(self.last_value()?)))
            }
            "count" => ConditionTerm::Value(Operand::Count(self.nodes()?)),
            "value" => ConditionTerm::Value(Operand::Value(self.nodes()?)),
            "match" | "search" => {
                let text = self.value()?;
                self.cursor.skip_blanks();
                if !self.cursor.take(",") {
                    return self.cursor.error(format!("{name}() has two arguments"));
                }
                let pattern = self.last_value()?;
                if let Operand::Literal(Scalar::String(pattern)) = &pattern {
                    self.warnings.extend(PatternWarning::of(name, pattern));
                }
                let whole = name == "match";
                ConditionTerm::Test(Condition::Regexp { whole, text, pattern })
            }
            _ => {
                let known = FUNCTIONS.join("(), ");
                return start.error(format!("there are the functions {known}()"));
            }
        })
    }

    fn value(&mut self) -> Result<Operand> {
        self.cursor.skip_blanks();
        let start = self.cursor;
        self.depth += 1;
        if self.depth > DEEPEST {
            return start.error(format!("functions nest at most {DEEPEST} deep"));
        }
        let term = self.term()?;
        self.depth -= 1;
        operand(term, start)
    }

    fn last_value(&mut self) -> Result<Operand> {
        let value = self.value()?;
        self.close()?;
        Ok(value)
    }

    fn nodes(&mut self) -> Result<Nested> {
        self.cursor.skip_blanks();
        if !matches!(self.cursor.peek(), Some('$' | '@')) {
            return self.cursor.error("this function has a query as its argument");
        }
        let nested = self.nested()?;
        self.close()?;
        Ok(nested)
    }

    fn close(&mut self) -> Result<()> {
        self.cursor.skip_blanks();
        if self.cursor.take(")") { Ok(()) } else { self.cursor.error("expected ')'") }
    }
}

/// Returns a term as a value.
fn operand(term: ConditionTerm, start: QueryCursor<'_>) -> Result<Operand> {
    match term {
        ConditionTerm::Literal(scalar) => Ok(Operand::Literal(scalar)),
        ConditionTerm::Query(nested) if nested.is_singular() => {
            Ok(Operand::Singular(nested))
        }
        ConditionTerm::Query(_) => {
            start.error("a query that is compared selects one node at most")
        }
        ConditionTerm::Value(value) => Ok(value),
        ConditionTerm::Test(_) => {
            start.error("this function is true or false: it is not compared")
        }
    }
}
