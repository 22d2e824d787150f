//! Statements: what stands between `{%` and `%}`, and what they hold.

use crate::eval::python::Result;

use super::{BLOCKS, Parser, too_deep, wrong};
use crate::diagnostic::near;
use crate::eval::jinja::ast::{Body, For, Kind, Macro, Statement, Target};
use crate::eval::jinja::token::Lexeme;

const STATEMENTS: [&str; 15] = [
    "autoescape",
    "block",
    "call",
    "extends",
    "filter",
    "for",
    "from",
    "if",
    "import",
    "include",
    "macro",
    "print",
    "raw",
    "set",
    "with",
];

impl Parser<'_> {
    /// Statements until the template or one of these tags ends; the tag's name is next.
    pub(super) fn body(&mut self, until: &[&'static str]) -> Result<Body> {
        self.blocks += 1;
        if self.blocks > BLOCKS {
            return Err(too_deep());
        }
        let mut body = Vec::new();
        while let Some(kind) = self.peek() {
            match kind {
                Lexeme::Text(text) => {
                    body.push(Statement::Text(text.as_str().into()));
                    self.at += 1;
                }
                Lexeme::Variable => {
                    self.at += 1;
                    body.push(Statement::Print(self.tuple(true, false)?));
                    self.end("print statement")?;
                }
                _ => {
                    self.at += 1;
                    if until.iter().any(|name| self.is_name(name)) {
                        self.blocks -= 1;
                        return Ok(body);
                    }
                    self.statement(&mut body)?;
                    self.end("statement block")?;
                }
            }
        }
        self.blocks -= 1;
        match self.tags.last() {
            Some((tag, ends)) => Err(wrong(&format!(
                "Unexpected end of template. Jinja was looking for the following tags: '{}'. \
                 The innermost block that needs to be closed is '{tag}'.",
                ends.join("' or '")
            ))),
            None => Ok(body),
        }
    }

    /// The statements of a tag, up to one of its ends, whose name is next.
    fn inside(&mut self, tag: &str, until: &[&'static str]) -> Result<Body> {
        self.skip_sign(":");
        self.end("statement block")?;
        self.tags.push((tag.to_owned(), until.to_vec()));
        let body = self.body(until)?;
        self.tags.pop();
        Ok(body)
    }

    /// The statements of a tag that has one end.
    fn whole(&mut self, tag: &str, end: &'static str) -> Result<Body> {
        let body = self.frame(|parser| parser.inside(tag, &[end]))?;
        self.at += 1;
        Ok(body)
    }

    fn statement(&mut self, body: &mut Body) -> Result<()> {
        let Some(Lexeme::Name(tag)) = self.peek() else {
            return Err(wrong("tag name expected"));
        };
        let (tag, place) = (tag.clone(), self.place());
        self.at += 1;
        let statement = match &*tag {
            "for" => self.for_loop()?,
            "if" => self.branches(Parser::choice)?,
            "set" => self.set()?,
            "with" => self.with()?,
            "autoescape" => {
                self.expression(true)?;
                Statement::Scope(self.whole(&tag, "endautoescape")?)
            }
            "block" => self.block()?,
            "extends" => Statement::Extends(self.expression(true)?),
            "include" => self.include()?,
            "import" => self.import()?,
            "from" => self.from()?,
            "macro" => {
                let name = self.assigned_name()?;
                let parameters = self.signature()?;
                let body = self.whole(&tag, "endmacro")?;
                Statement::Macro(Macro { name, parameters, body })
            }
            "call" => self.call_block()?,
            "filter" => {
                let mut filter = self.frame(|parser| parser.filter(None))?;
                while self.skip_sign("|") {
                    filter = self.frame(|parser| parser.filter(Some(filter)))?;
                }
                Statement::Filter(filter, self.whole(&tag, "endfilter")?)
            }
            "print" => {
                let mut first = true;
                while !self.is_end() {
                    if !std::mem::take(&mut first) {
                        self.expect_sign(",")?;
                    }
                    body.push(Statement::Print(self.expression(true)?));
                }
                return Ok(());
            }
            _ => return Err(self.unknown(&tag).at(place.0, place.1)),
        };
        body.push(statement);
        Ok(())
    }

    fn unknown(&self, tag: &str) -> Box<crate::eval::python::Exception> {
        let mut message = format!("Encountered unknown tag '{tag}'.");
        if let Some((open, ends)) = self.tags.last() {
            message += &format!(
                " Jinja was looking for the following tags: '{}'. The innermost block that needs \
                 to be closed is '{open}'.",
                ends.join("' or '")
            );
        }
        match near(STATEMENTS, tag) {
            Some(near) => wrong(&message).hint(format!("did you mean '{near}'?")),
            None => wrong(&message),
        }
    }

    fn for_loop(&mut self) -> Result<Statement> {
        let target = self.target()?;
        let mut names = Vec::new();
        target.names(&mut names);
        if names.contains(&"loop") {
            let message = "Can't assign to special loop variable in for-loop target";
            return Err(wrong(message));
        }
        self.expect_name("in")?;
        let over = self.tuple(false, false)?;
        let filter =
            if self.skip_name("if") { Some(self.expression(true)?) } else { None };
        let recursive = self.skip_name("recursive");
        let body = self.frame(|parser| parser.inside("for", &["endfor", "else"]))?;
        let otherwise = if self.skip_name("else") {
            self.frame(|parser| parser.inside("for", &["endfor"]))?
        } else {
            Vec::new()
        };
        self.at += 1;
        Ok(Statement::For(Box::new(For {
            target,
            over,
            filter,
            recursive,
            body,
            otherwise,
        })))
    }

    fn choice(&mut self) -> Result<Statement> {
        let mut branches = Vec::new();
        loop {
            let test = self.tuple(false, false)?;
            let body = self.inside("if", &["elif", "else", "endif"])?;
            branches.push((test, body));
            if !self.skip_name("elif") {
                break;
            }
        }
        let otherwise = if self.skip_name("else") {
            self.inside("if", &["endif"])?
        } else {
            Vec::new()
        };
        self.at += 1;
        Ok(Statement::If(branches, otherwise))
    }

    fn set(&mut self) -> Result<Statement> {
        let target = match (self.peek(), self.next_is_sign(".")) {
            (Some(Lexeme::Name(_)), true) => {
                let namespace = self.name()?;
                self.at += 1;
                Target::Attribute(namespace, self.name()?)
            }
            _ => self.target()?,
        };
        if self.skip_sign("=") {
            return Ok(Statement::Set(target, self.tuple(true, false)?));
        }
        let mut filter = None;
        while self.skip_sign("|") {
            filter = Some(self.frame(|parser| parser.filter(filter))?);
        }
        Ok(Statement::Capture(target, filter, self.whole("set", "endset")?))
    }

    fn with(&mut self) -> Result<Statement> {
        let mut values = Vec::new();
        while !self.is_end() {
            if !values.is_empty() {
                self.expect_sign(",")?;
            }
            let target = self.target()?;
            self.expect_sign("=")?;
            values.push((target, self.expression(true)?));
        }
        Ok(Statement::With(values, self.whole("with", "endwith")?))
    }

    fn block(&mut self) -> Result<Statement> {
        let name = self.name()?;
        self.skip_name("scoped");
        let required = self.skip_name("required");
        if self.is_sign("-") {
            let message = "Block names in Jinja have to be valid Python identifiers and may not \
                           contain hyphens, use an underscore instead.";
            return Err(wrong(message));
        }
        let body = self.whole("block", "endblock")?;
        let blank =
            |s: &Statement| matches!(s, Statement::Text(t) if t.trim().is_empty());
        if required && !body.iter().all(blank) {
            return Err(wrong("Required blocks can only contain comments or whitespace"));
        }
        if self.is_name(&name) {
            self.at += 1;
        }
        Ok(Statement::Block(name, required, body))
    }

    fn context(&mut self, default: bool) -> bool {
        let with = self.is_name("with");
        if (with || self.is_name("without")) && self.next_is_name("context") {
            self.at += 2;
            return with;
        }
        default
    }

    fn include(&mut self) -> Result<Statement> {
        let name = self.expression(true)?;
        let missing = self.is_name("ignore") && self.next_is_name("missing");
        self.at += if missing { 2 } else { 0 };
        let context = self.context(true);
        Ok(Statement::Include { name, missing, context })
    }

    fn import(&mut self) -> Result<Statement> {
        let name = self.expression(true)?;
        self.expect_name("as")?;
        let target = self.assigned_name()?;
        let context = self.context(false);
        Ok(Statement::Import { name, target, context })
    }

    fn from(&mut self) -> Result<Statement> {
        let name = self.expression(true)?;
        self.expect_name("import")?;
        let mut names = Vec::new();
        loop {
            if (self.is_name("with") || self.is_name("without"))
                && self.next_is_name("context")
            {
                break;
            }
            let name = self.assigned_name()?;
            if name.starts_with('_') {
                return Err(wrong(
                    "names starting with an underline can not be imported",
                ));
            }
            let alias =
                if self.skip_name("as") { self.assigned_name()? } else { name.clone() };
            names.push((name, alias));
            if !self.skip_sign(",") || self.is_end() {
                break;
            }
        }
        let context = self.context(false);
        Ok(Statement::From { name, names, context })
    }

    fn call_block(&mut self) -> Result<Statement> {
        let parameters = if self.is_sign("(") { self.signature()? } else { Vec::new() };
        let call = self.expression(true)?;
        if !matches!(call.kind, Kind::Call(..)) {
            return Err(wrong("expected call"));
        }
        let body = self.whole("call", "endcall")?;
        Ok(Statement::Call(call, Macro { name: "caller".into(), parameters, body }))
    }
}
