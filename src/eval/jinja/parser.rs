//! Parses a template as Jinja's own parser does. Tokens in, statements out.

use std::collections::BTreeSet;

use crate::eval::python::{
    Class, Comparison, Exception, Operator, Result, Stamp, Str, Value,
};

use super::ast::{
    Assignee, Block, CallArguments, Expr, ExprKind, For, MacroDeclaration, Relation,
    Statement, Statements, bind_target, mentions,
};
use super::lexer::{At, Lexeme, PlacedLexeme, lex};
use super::plugin;
use super::syntax::Syntax;

/// Maximum height of an expression. Evaluation recurses once for each level; this stays
/// within the stack reserve of `stack`. Parentheses recurse through eight functions, so
/// they may nest a quarter as deep.
const DEPTH: u16 = 800;

/// Maximum nesting of statements. minijinja's own parser fails at 150 levels of its
/// syntax, of which a rewritten statement takes two.
const BLOCKS: usize = 60;

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

/// Checks that there is a plugin of a kind and a name.
pub(super) type PluginCheck<'k> = &'k dyn Fn(plugin::PluginKind, &str) -> Result<()>;

/// Parses a template. With `raw`, backslashes in its strings are no escapes. `known` checks
/// the names of filters and tests.
pub(super) fn parse(
    source: &str,
    syntax: &Syntax,
    raw: bool,
    known: PluginCheck<'_>,
) -> Result<Statements> {
    let mut parser = JinjaParser {
        tokens: lex(source, syntax, raw).map_err(Exception::naming_source)?,
        at: 0,
        known,
        nested: 0,
        blocks: 0,
        made: 0,
        tags: Vec::new(),
        unknown: Vec::new(),
    };
    parser
        .frame(|parser| parser.body(&[]))
        .map_err(|exception| exception.at_in(parser.place(), None).naming_source())
}

/// Strength with which `or` binds, the least of all operators.
const OR: u8 = 0;

/// Strength with which `not` binds: more than `or` and `and`, less than all others.
const NOT: u8 = 2;

/// An operator between operands.
enum Infix {
    Pair(fn(Box<[Expr; 2]>) -> ExprKind),
    /// `a < b < c` is one comparison.
    Relation(Relation),
    /// `a ~ b ~ c` is one text.
    Concat,
}

struct JinjaParser<'k> {
    tokens: Vec<PlacedLexeme>,
    at: usize,
    known: PluginCheck<'k>,
    nested: u16,
    blocks: usize,
    /// The number of expressions so far.
    made: usize,
    /// The open statements and the tags that end them.
    tags: Vec<(String, Vec<&'static str>)>,
    /// The exceptions for unknown plugins, in the order of the text.
    unknown: Vec<Exception>,
}

impl JinjaParser<'_> {
    /// Parses statements up to the end or to one of some tags, whose name is next.
    fn body(&mut self, until: &[&'static str]) -> Result<Statements> {
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
                    if until.iter().any(|name| self.is(name)) {
                        self.blocks -= 1;
                        return Ok(body);
                    }
                    self.statement(&mut body)?;
                    self.end("statement block")?;
                }
            }
        }
        self.blocks -= 1;
        if self.tags.is_empty() {
            return Ok(body);
        }
        Err(wrong(&format!("Unexpected end of template.{}", self.wanted())))
    }

    /// Returns the part of a message that names the tags which would end a statement.
    fn wanted(&self) -> String {
        let Some((open, ends)) = self.tags.last() else { return String::new() };
        format!(
            " Jinja was looking for the following tags: '{}'. The innermost block that needs to \
             be closed is '{open}'.",
            ends.join("' or '")
        )
    }

    /// Parses the body of a tag up to one of its ends, whose name is next.
    fn inside(&mut self, tag: &str, until: &[&'static str]) -> Result<Statements> {
        self.skip(":");
        self.end("statement block")?;
        self.tags.push((tag.to_owned(), until.to_vec()));
        let body = self.body(until)?;
        self.tags.pop();
        Ok(body)
    }

    /// Parses the body of a tag that has one end.
    fn whole(&mut self, tag: &str, end: &'static str) -> Result<Statements> {
        let body = self.frame(|parser| parser.inside(tag, &[end]))?;
        self.at += 1;
        Ok(body)
    }

    fn statement(&mut self, body: &mut Statements) -> Result<()> {
        let Some(Lexeme::Name(tag)) = self.peek() else {
            return Err(wrong("tag name expected"));
        };
        let tag = tag.clone();
        let place = self.place();
        self.at += 1;
        let statement = match &*tag {
            "for" => self.for_loop()?,
            "if" => self.choice()?,
            "set" => self.set()?,
            "with" => self.with()?,
            "autoescape" => {
                let escapes = self.expression(true)?;
                Statement::Autoescape(escapes, self.whole(&tag, "endautoescape")?)
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
                Statement::Macro(declared(name, parameters, body)?)
            }
            "call" => self.call_block()?,
            "filter" => {
                let mut filter = self.frame(|parser| parser.filter(None))?;
                while self.skip("|") {
                    filter = self.frame(|parser| parser.filter(Some(filter)))?;
                }
                Statement::Filter(filter, self.whole(&tag, "endfilter")?)
            }
            "print" => {
                let mut first = true;
                while !self.is_end() {
                    if !std::mem::take(&mut first) {
                        self.expect(",")?;
                    }
                    body.push(Statement::Print(self.expression(true)?));
                }
                return Ok(());
            }
            _ => return Err(self.unknown(&tag).at_in(place, None)),
        };
        body.push(statement);
        Ok(())
    }

    fn unknown(&self, tag: &str) -> Box<Exception> {
        let message = format!("Encountered unknown tag '{tag}'.{}", self.wanted());
        wrong(&message).did_you_mean(STATEMENTS, tag)
    }

    fn for_loop(&mut self) -> Result<Statement> {
        let target = self.targets(JinjaParser::one_target)?;
        let mut names = BTreeSet::new();
        bind_target(&target, &mut names);
        if names.contains("loop") {
            return Err(wrong(
                "Can't assign to special loop variable in for-loop target",
            ));
        }
        self.expect("in")?;
        let over = self.tuple(false, false)?;
        let filter = if self.skip("if") { Some(self.expression(true)?) } else { None };
        let recursive = self.skip("recursive");
        let body = self.frame(|parser| parser.inside("for", &["endfor", "else"]))?;
        let otherwise = self.frame(|parser| parser.otherwise("for", "endfor"))?;
        let each = For { target, over, filter, recursive, body, otherwise };
        Ok(Statement::For(Box::new(each)))
    }

    /// Parses a condition. Jinja reports an unknown plugin in it when its branch runs, so it is
    /// no error here.
    fn choice(&mut self) -> Result<Statement> {
        let before = self.unknown.len();
        let mut branches = Vec::new();
        loop {
            let test = self.tuple(false, false)?;
            branches.push((test, self.inside("if", &["elif", "else", "endif"])?));
            if !self.skip("elif") {
                break;
            }
        }
        let otherwise = self.otherwise("if", "endif")?;
        self.unknown.truncate(before);
        Ok(Statement::If(branches, otherwise))
    }

    /// Parses the branch `else`, if there is one, and the end of the statement.
    fn otherwise(&mut self, tag: &str, end: &'static str) -> Result<Statements> {
        let body = if self.skip("else") { self.inside(tag, &[end])? } else { Vec::new() };
        self.at += 1;
        Ok(body)
    }

    fn set(&mut self) -> Result<Statement> {
        let target = self.targets(JinjaParser::set_target)?;
        if self.skip("=") {
            return Ok(Statement::Set(target, self.tuple(true, false)?));
        }
        let mut filter = None;
        while self.skip("|") {
            filter = Some(self.frame(|parser| parser.filter(filter))?);
        }
        Ok(Statement::Capture(target, filter, self.whole("set", "endset")?))
    }

    fn with(&mut self) -> Result<Statement> {
        let mut values = Vec::new();
        while !self.is_end() {
            if !values.is_empty() {
                self.expect(",")?;
            }
            let target = self.targets(JinjaParser::one_target)?;
            self.expect("=")?;
            values.push((target, self.expression(true)?));
        }
        Ok(Statement::With(values, self.whole("with", "endwith")?))
    }

    fn block(&mut self) -> Result<Statement> {
        let name = self.name()?;
        let scoped = self.skip("scoped");
        let required = self.skip("required");
        if self.is("-") {
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
        if self.is(&name) {
            self.at += 1;
        }
        Ok(Statement::Block(Block { name, scoped, required, body }))
    }

    fn context(&mut self, default: bool) -> bool {
        let with = self.is("with");
        if self.is_context() {
            self.at += 2;
            return with;
        }
        default
    }

    fn is_context(&self) -> bool {
        (self.is("with") || self.is("without")) && self.is_next("context")
    }

    fn include(&mut self) -> Result<Statement> {
        let name = self.expression(true)?;
        let missing = self.is("ignore") && self.is_next("missing");
        self.at += if missing { 2 } else { 0 };
        let context = self.context(true);
        Ok(Statement::Include { name, missing, context })
    }

    fn import(&mut self) -> Result<Statement> {
        let name = self.expression(true)?;
        self.expect("as")?;
        let target = self.assigned_name()?;
        let context = self.context(false);
        Ok(Statement::Import { name, target, context })
    }

    fn from(&mut self) -> Result<Statement> {
        let name = self.expression(true)?;
        self.expect("import")?;
        let mut names = Vec::new();
        while !self.is_context() {
            let name = self.assigned_name()?;
            if name.starts_with('_') {
                return Err(wrong(
                    "names starting with an underline can not be imported",
                ));
            }
            let alias =
                if self.skip("as") { self.assigned_name()? } else { name.clone() };
            names.push((name, alias));
            if !self.skip(",") || self.is_end() {
                break;
            }
        }
        let context = self.context(false);
        Ok(Statement::From { name, names, context })
    }

    fn call_block(&mut self) -> Result<Statement> {
        let parameters = if self.is("(") { self.signature()? } else { Vec::new() };
        let call = self.expression(true)?;
        if !matches!(call.kind, ExprKind::Call(..)) {
            return Err(wrong("expected call"));
        }
        let body = self.whole("call", "endcall")?;
        Ok(Statement::Call(call, declared("caller".into(), parameters, body)?))
    }

    fn signature(&mut self) -> Result<Vec<(String, Option<Expr>)>> {
        self.expect("(")?;
        let mut parameters: Vec<(String, Option<_>)> = Vec::new();
        while !self.is(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
                if self.is(")") {
                    return Err(self.expected("a name"));
                }
            }
            let name = self.assigned_name()?;
            let usual = if self.skip("=") { Some(self.expression(true)?) } else { None };
            if usual.is_none() && parameters.last().is_some_and(|(_, d)| d.is_some()) {
                return Err(wrong("non-default argument follows default argument"));
            }
            if parameters.iter().any(|(known, _)| *known == name) {
                return Err(wrong(&format!("duplicate argument '{name}'")));
            }
            parameters.push((name, usual));
        }
        self.expect(")")?;
        Ok(parameters)
    }

    fn assigned_name(&mut self) -> Result<String> {
        let name = self.name()?;
        match &*name {
            "true" | "false" | "none" | "True" | "False" | "None" => {
                Err(wrong(&format!("can't assign to '{name}'")))
            }
            _ => Ok(name),
        }
    }

    /// Parses a target of `set`, which may be an attribute of a namespace.
    fn set_target(&mut self) -> Result<Assignee> {
        if !matches!(self.peek(), Some(Lexeme::Name(_))) || !self.is_next(".") {
            return self.one_target();
        }
        let namespace = self.name()?;
        self.at += 1;
        Ok(Assignee::Attribute(namespace, self.name()?))
    }

    /// Parses a target: one, or a tuple of several.
    fn targets(&mut self, one: fn(&mut Self) -> Result<Assignee>) -> Result<Assignee> {
        let mut targets = Vec::new();
        loop {
            targets.push(one(self)?);
            if !self.skip(",") {
                break;
            }
            if self.ends_tuple() {
                return Ok(Assignee::Tuple(targets));
            }
        }
        Ok(if targets.len() == 1 { targets.remove(0) } else { Assignee::Tuple(targets) })
    }

    fn one_target(&mut self) -> Result<Assignee> {
        if !self.skip("(") {
            return match self.peek() {
                Some(Lexeme::Name(_)) => match self.assigned_name()? {
                    name if name == "loop" && self.tags.iter().any(|t| t.0 == "for") => {
                        let special = "Can't assign to special loop variable in for-loop \
                                       target";
                        Err(wrong(special))
                    }
                    name => Ok(Assignee::Name(name)),
                },
                Some(other) => Err(wrong(&format!("can't assign to '{}'", other.name()))),
                None => Err(wrong("unexpected end of template")),
            };
        }
        self.deeper(|parser| {
            let mut targets = vec![parser.one_target()?];
            let mut comma = false;
            while parser.skip(",") {
                comma = true;
                if parser.is(")") {
                    break;
                }
                targets.push(parser.one_target()?);
            }
            parser.expect(")")?;
            Ok(if comma { Assignee::Tuple(targets) } else { targets.remove(0) })
        })
    }

    /// Parses an expression; with `condition` it may be `a if b else c`.
    fn expression(&mut self, condition: bool) -> Result<Expr> {
        self.deeper(|it| if condition { it.condition() } else { it.binary(OR) })
    }

    /// Parses an expression or a bare tuple; `inside` of parentheses it may be empty.
    fn tuple(&mut self, condition: bool, inside: bool) -> Result<Expr> {
        let at = self.place();
        let mut items = Vec::new();
        let mut is_tuple = false;
        loop {
            if !items.is_empty() {
                self.expect(",")?;
            }
            if self.ends_tuple() {
                break;
            }
            items.push(self.expression(condition)?);
            if !self.is(",") {
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
        self.make(at, ExprKind::Tuple(items))
    }

    /// Returns true after the last comma of a tuple: before the end of a tag or `)`.
    fn ends_tuple(&self) -> bool {
        self.is_end() || self.is(")")
    }

    fn condition(&mut self) -> Result<Expr> {
        let before = self.unknown.len();
        let mut value = self.binary(OR)?;
        while self.is("if") {
            let at = value.at;
            self.at += 1;
            let test = self.binary(OR)?;
            let otherwise = if self.skip("else") {
                Some(Box::new(self.deeper(JinjaParser::condition)?))
            } else {
                None
            };
            value =
                self.make(at, ExprKind::Condition(Box::new([test, value]), otherwise))?;
            self.unknown.truncate(before);
        }
        Ok(value)
    }

    /// Parses operands and the operators between them that bind at least as much as `least`.
    fn binary(&mut self, least: u8) -> Result<Expr> {
        let at = self.place();
        let mut left = if least <= NOT && self.skip("not") {
            let inner = self.deeper(|parser| parser.binary(NOT))?;
            self.make(at, ExprKind::Not(Box::new(inner)))?
        } else {
            self.unary(true)?
        };
        while let Some((power, infix)) = self.infix().filter(|(power, _)| *power >= least)
        {
            let at = left.at;
            let kind = match infix {
                Infix::Relation(_) => {
                    let mut others = Vec::new();
                    while let Some((_, Infix::Relation(relation))) = self.infix() {
                        self.at +=
                            if matches!(relation, Relation::NotIn) { 2 } else { 1 };
                        others.push((relation, self.binary(power + 1)?));
                    }
                    ExprKind::Compare(Box::new(left), others)
                }
                Infix::Concat => {
                    let mut all = vec![left];
                    while self.skip("~") {
                        all.push(self.binary(power + 1)?);
                    }
                    ExprKind::Concat(all)
                }
                Infix::Pair(make) => {
                    self.at += 1;
                    make(Box::new([left, self.binary(power + 1)?]))
                }
            };
            left = self.make(at, kind)?;
        }
        Ok(left)
    }

    /// Returns the operator that is next, and how much it binds.
    fn infix(&self) -> Option<(u8, Infix)> {
        let word = match self.peek()? {
            Lexeme::Name(name) => name.as_str(),
            Lexeme::Sign(sign) => sign,
            _ => return None,
        };
        Some(match word {
            "or" => (OR, Infix::Pair(ExprKind::Or)),
            "and" => (OR + 1, Infix::Pair(ExprKind::And)),
            "==" => (NOT + 1, Infix::Relation(Relation::Equal)),
            "!=" => (NOT + 1, Infix::Relation(Relation::Unequal)),
            "<" => (NOT + 1, Infix::Relation(Relation::Order(Comparison::Less))),
            "<=" => (NOT + 1, Infix::Relation(Relation::Order(Comparison::LessEqual))),
            ">" => (NOT + 1, Infix::Relation(Relation::Order(Comparison::Greater))),
            ">=" => (NOT + 1, Infix::Relation(Relation::Order(Comparison::GreaterEqual))),
            "in" => (NOT + 1, Infix::Relation(Relation::In)),
            "not" if self.is_next("in") => (NOT + 1, Infix::Relation(Relation::NotIn)),
            "+" => (NOT + 2, Infix::Pair(|pair| ExprKind::Binary(Operator::Add, pair))),
            "-" => (NOT + 2, Infix::Pair(|pair| ExprKind::Binary(Operator::Sub, pair))),
            "~" => (NOT + 3, Infix::Concat),
            "*" => (NOT + 4, Infix::Pair(|pair| ExprKind::Binary(Operator::Mul, pair))),
            "/" => (NOT + 4, Infix::Pair(|pair| ExprKind::Binary(Operator::Div, pair))),
            "//" => {
                (NOT + 4, Infix::Pair(|pair| ExprKind::Binary(Operator::FloorDiv, pair)))
            }
            "%" => (NOT + 4, Infix::Pair(|pair| ExprKind::Binary(Operator::Mod, pair))),
            "**" => (NOT + 5, Infix::Pair(|pair| ExprKind::Binary(Operator::Pow, pair))),
            _ => return None,
        })
    }

    fn unary(&mut self, filters: bool) -> Result<Expr> {
        let at = self.place();
        let value = if self.skip("-") {
            let inner = self.deeper(|parser| parser.unary(false))?;
            self.make(at, ExprKind::Negative(Box::new(inner)))?
        } else if self.skip("+") {
            let inner = self.deeper(|parser| parser.unary(false))?;
            self.make(at, ExprKind::Positive(Box::new(inner)))?
        } else {
            self.primary()?
        };
        let value = self.postfix(value)?;
        if filters { self.filters(value) } else { Ok(value) }
    }

    fn primary(&mut self) -> Result<Expr> {
        let at = self.place();
        let kind = match self.peek() {
            Some(Lexeme::Name(name)) => match &**name {
                "true" | "True" => ExprKind::Const(Value::Bool(true)),
                "false" | "False" => ExprKind::Const(Value::Bool(false)),
                "none" | "None" => ExprKind::Const(Value::None),
                name => ExprKind::Name(name.into()),
            },
            Some(Lexeme::Const(Value::Str(_))) => return self.string(),
            Some(Lexeme::Const(value)) => ExprKind::Const(value.clone()),
            Some(Lexeme::Sign("(")) => {
                self.at += 1;
                let inner = self.deeper(|parser| parser.tuple(true, true))?;
                self.expect(")")?;
                return Ok(inner);
            }
            Some(Lexeme::Sign("[")) => {
                self.at += 1;
                let items = self.items("]", |parser| parser.expression(true))?;
                return self.make(at, ExprKind::List(items));
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

    /// Parses strings that follow each other as one.
    fn string(&mut self) -> Result<Expr> {
        let at = self.place();
        let mut whole = String::new();
        while let Some(Lexeme::Const(Value::Str(text))) = self.peek() {
            whole.push_str(text);
            self.at += 1;
        }
        let stamp = Stamp { constant: true, ..Stamp::default() };
        self.make(at, ExprKind::Const(Value::Str(Str::stamped(whole, stamp))))
    }

    /// Parses items with commas between them, up to a closing sign.
    fn items<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.is(close) {
            if !items.is_empty() {
                self.expect(",")?;
                if self.is(close) {
                    break;
                }
            }
            items.push(item(self)?);
        }
        self.expect(close)?;
        Ok(items)
    }

    fn dict(&mut self) -> Result<Expr> {
        let at = self.place();
        let entries = self.items("}", |parser| {
            let key = parser.expression(true)?;
            parser.expect(":")?;
            Ok((key, parser.expression(true)?))
        })?;
        self.make(at, ExprKind::Dict(entries))
    }

    fn postfix(&mut self, mut value: Expr) -> Result<Expr> {
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
        self.at += 1;
        let at = self.place();
        let kind = match self.peek() {
            Some(Lexeme::Name(name)) => {
                ExprKind::Attribute(Box::new(value), (&**name).into())
            }
            Some(Lexeme::Const(index @ (Value::Int(_) | Value::Big(_)))) => {
                let index = ExprKind::Const(index.clone());
                ExprKind::Item(Box::new([value, self.make(self.place(), index)?]))
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
        while !self.is("]") {
            if !keys.is_empty() {
                self.expect(",")?;
            }
            if let Some(bounds) = self.bounds(&mut keys)? {
                self.expect("]")?;
                return self.make(at, ExprKind::Slice(Box::new(value), bounds));
            }
        }
        self.expect("]")?;
        let is_tuple = keys.len() != 1;
        let key =
            if is_tuple { self.make(at, ExprKind::Tuple(keys))? } else { keys.remove(0) };
        self.make(key.at, ExprKind::Item(Box::new([value, key])))
    }

    /// Parses a key into `keys`, or the bounds of a slice.
    fn bounds(&mut self, keys: &mut Vec<Expr>) -> Result<Option<[Option<Box<Expr>>; 3]>> {
        let mut bounds = [None, None, None];
        if !self.is(":") {
            let first = self.expression(true)?;
            if !self.is(":") {
                keys.push(first);
                return Ok(None);
            }
            bounds[0] = Some(Box::new(first));
        }
        for bound in bounds.iter_mut().skip(1) {
            if self.skip(":") && ![":", "]", ","].iter().any(|sign| self.is(sign)) {
                *bound = Some(Box::new(self.expression(true)?));
            }
        }
        if keys.is_empty() && self.is("]") {
            return Ok(Some(bounds));
        }
        Err(self.expected("']'"))
    }

    fn call(&mut self, value: Expr) -> Result<Expr> {
        let given = self.deeper(JinjaParser::given)?;
        self.make(value.at, ExprKind::Call(Box::new(value), given))
    }

    fn given(&mut self) -> Result<CallArguments> {
        self.expect("(")?;
        let mut given = CallArguments::default();
        self.items(")", |parser| parser.argument(&mut given))?;
        Ok(given)
    }

    fn argument(&mut self, given: &mut CallArguments) -> Result<()> {
        let star = given.star.is_some();
        let stars = given.stars.is_some();
        let is_misplaced = if self.skip("*") {
            given.star = Some(Box::new(self.expression(true)?));
            star || stars
        } else if self.skip("**") {
            given.stars = Some(Box::new(self.expression(true)?));
            stars
        } else if matches!(self.peek(), Some(Lexeme::Name(_))) && self.is_next("=") {
            let name = self.name()?;
            self.at += 1;
            // Python refuses the code that Jinja makes of such a call.
            if given.keywords.iter().any(|(known, _)| **known == *name) {
                return Err(wrong(&format!("keyword argument repeated: {name}")));
            }
            let stamp = Stamp { constant: true, ..Stamp::default() };
            let name = Str::stamped(name.as_str(), stamp);
            given.keywords.push((name, self.expression(true)?));
            stars
        } else {
            given.positional.push(self.expression(true)?);
            star || stars || !given.keywords.is_empty()
        };
        if is_misplaced {
            return Err(wrong("invalid syntax for function call expression"));
        }
        Ok(())
    }

    /// Parses a filter after its `|`.
    fn filter(&mut self, value: Option<Expr>) -> Result<Expr> {
        let at = self.place();
        let name = self.full_name()?;
        self.look_up(plugin::PluginKind::Filter, &name, at);
        let given = if self.is("(") {
            self.deeper(JinjaParser::given)?
        } else {
            CallArguments::default()
        };
        self.make(at, ExprKind::Filter(value.map(Box::new), name.as_str().into(), given))
    }

    fn full_name(&mut self) -> Result<String> {
        let mut name = self.name()?;
        while self.skip(".") {
            name = format!("{name}.{}", self.name()?);
        }
        Ok(name)
    }

    /// Parses a test after its `is`.
    fn test(&mut self, value: Expr) -> Result<Expr> {
        let at = self.place();
        let negated = self.skip("not");
        let name = self.full_name()?;
        self.look_up(plugin::PluginKind::Test, &name, at);
        let mut given = CallArguments::default();
        if self.is("(") {
            given = self.deeper(JinjaParser::given)?;
        } else if self.begins_argument() {
            if self.is("is") {
                return Err(wrong("You cannot chain multiple tests with is"));
            }
            let argument = self.deeper(JinjaParser::primary)?;
            given.positional.push(self.postfix(argument)?);
        }
        let test =
            self.make(at, ExprKind::Test(Box::new(value), name.as_str().into(), given))?;
        if negated { self.make(at, ExprKind::Not(Box::new(test))) } else { Ok(test) }
    }

    fn begins_argument(&self) -> bool {
        match self.peek() {
            Some(Lexeme::Name(name)) => !matches!(&**name, "else" | "or" | "and"),
            Some(Lexeme::Const(_) | Lexeme::Sign("[" | "{")) => true,
            _ => false,
        }
    }

    /// Checks the name of a plugin. An unknown one is an error of the outer statement.
    fn look_up(&mut self, kind: plugin::PluginKind, name: &str, at: At) {
        if let Err(unknown) = (self.known)(kind, name) {
            self.unknown.push(*unknown.at_in(at, None));
        }
    }

    /// Parses something whose plugins must be known.
    fn frame<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.unknown.len();
        let found = read(self)?;
        match self.unknown.drain(before..).next() {
            Some(unknown) => Err(Box::new(unknown)),
            None => Ok(found),
        }
    }

    fn peek(&self) -> Option<&Lexeme> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    /// Returns the position of the next token, or of the last one at the end.
    fn place(&self) -> At {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or((1, 1), |token| token.at)
    }

    /// Returns true if a name or a sign is next.
    fn is(&self, word: &str) -> bool {
        self.peek().is_some_and(|found| found.is(word))
    }

    /// Returns true if a name or a sign follows the next token.
    fn is_next(&self, word: &str) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|token| token.kind.is(word))
    }

    fn is_end(&self) -> bool {
        matches!(self.peek(), Some(Lexeme::End))
    }

    fn skip(&mut self, word: &str) -> bool {
        let skips = self.is(word);
        self.at += usize::from(skips);
        skips
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.skip(word) { Ok(()) } else { Err(self.expected(&format!("'{word}'"))) }
    }

    fn name(&mut self) -> Result<String> {
        let Some(Lexeme::Name(name)) = self.peek().cloned() else {
            return Err(self.expected("a name"));
        };
        self.at += 1;
        Ok(name)
    }

    fn end(&mut self, what: &str) -> Result<()> {
        if !self.is_end() {
            return Err(self.expected(&format!("'end of {what}'")));
        }
        self.at += 1;
        Ok(())
    }

    fn expected(&self, what: &str) -> Box<Exception> {
        match self.peek() {
            Some(found) => {
                wrong(&format!("expected token {what}, got '{}'", found.name()))
            }
            None => wrong(&format!("unexpected end of template, expected {what}")),
        }
    }

    /// Makes an expression one level higher than its operands.
    fn make(&mut self, at: At, kind: ExprKind) -> Result<Expr> {
        self.made += 1;
        let mut expr = Expr { kind, at, depth: 0, number: self.made };
        let mut depth = 0;
        // Computed bottom-up: a chain such as `a|b|c` nests without recursion of the parser.
        expr.each(&mut |inner| depth = depth.max(inner.depth));
        expr.depth = depth + 1;
        if expr.depth > DEPTH { Err(too_deep()) } else { Ok(expr) }
    }

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

/// Makes a macro. Its parameter `caller` needs a default if the body uses it: the macro may
/// be called without a call block.
fn declared(
    name: String,
    parameters: Vec<(String, Option<Expr>)>,
    body: Statements,
) -> Result<MacroDeclaration> {
    let caller = parameters.iter().find(|(name, _)| name == "caller");
    if caller.is_some_and(|(_, default)| default.is_none()) && mentions(&body, "caller") {
        return Err(wrong(
            "When defining macros or call blocks the special \"caller\" argument must be omitted \
             or be given a default.",
        ));
    }
    Ok(MacroDeclaration { name, parameters, body })
}

fn too_deep() -> Box<Exception> {
    Exception::new(Class::Limit, "the template nests too deep")
}

fn wrong(message: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, message)
}
