//! What is assigned to: names, tuples of names, the parameters of a macro.

use crate::eval::python::Result;

use super::{Parser, wrong};
use crate::eval::jinja::ast::{Expr, Target};
use crate::eval::jinja::token::Lexeme;

impl Parser<'_> {
    pub(super) fn signature(&mut self) -> Result<Vec<(String, Option<Expr>)>> {
        self.expect_sign("(")?;
        let mut parameters: Vec<(String, Option<_>)> = Vec::new();
        while !self.is_sign(")") {
            if !parameters.is_empty() {
                self.expect_sign(",")?;
                if self.is_sign(")") {
                    return Err(self.expected("a name"));
                }
            }
            let name = self.assigned_name()?;
            let default =
                if self.skip_sign("=") { Some(self.expression(true)?) } else { None };
            if default.is_none() && parameters.last().is_some_and(|(_, d)| d.is_some()) {
                return Err(wrong("non-default argument follows default argument"));
            }
            if parameters.iter().any(|(known, _)| *known == name) {
                return Err(wrong(&format!("duplicate argument '{name}'")));
            }
            parameters.push((name, default));
        }
        self.expect_sign(")")?;
        Ok(parameters)
    }

    pub(super) fn assigned_name(&mut self) -> Result<String> {
        let name = self.name()?;
        match &*name {
            "true" | "false" | "none" | "True" | "False" | "None" => {
                Err(wrong(&format!("can't assign to '{name}'")))
            }
            _ => Ok(name),
        }
    }

    /// What is assigned to: a name, or names with commas between them.
    pub(super) fn target(&mut self) -> Result<Target> {
        let mut targets = Vec::new();
        loop {
            targets.push(self.one_target()?);
            if !self.skip_sign(",") {
                break;
            }
            if self.ends_tuple() {
                return Ok(Target::Tuple(targets));
            }
        }
        match targets.pop() {
            Some(only) if targets.is_empty() => Ok(only),
            last => {
                targets.extend(last);
                Ok(Target::Tuple(targets))
            }
        }
    }

    fn one_target(&mut self) -> Result<Target> {
        if !self.skip_sign("(") {
            return match self.peek() {
                Some(Lexeme::Name(_)) => match self.assigned_name()? {
                    name if name == "loop" && self.tags.iter().any(|t| t.0 == "for") => {
                        let special = "Can't assign to special loop variable in for-loop \
                                       target";
                        Err(wrong(special))
                    }
                    name => Ok(Target::Name(name)),
                },
                Some(other) => Err(wrong(&format!("can't assign to '{}'", other.name()))),
                None => Err(wrong("unexpected end of template")),
            };
        }
        let inner = self.deeper(|parser| {
            let mut targets = vec![parser.one_target()?];
            let mut comma = false;
            while parser.skip_sign(",") {
                comma = true;
                if parser.is_sign(")") {
                    break;
                }
                targets.push(parser.one_target()?);
            }
            parser.expect_sign(")")?;
            Ok((targets, comma))
        })?;
        Ok(match inner {
            (mut targets, false) => targets.pop().unwrap_or(Target::Tuple(Vec::new())),
            (targets, true) => Target::Tuple(targets),
        })
    }
}
