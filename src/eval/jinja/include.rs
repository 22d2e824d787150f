//! The name of a template that another includes → its text, rewritten.

use std::io;
use std::path::{Component, Path};
use std::sync::Arc;

use minijinja::Error;

use super::ast::Body;
use super::machine::Run;
use super::parse::parse;
use super::rewrite::{From, rewrite};
use super::syntax::Syntax;
use super::{dialect, lexer};
use crate::eval::python::{Class, Exception, Result};
use crate::source::reason;

/// Marks the name of a template that sees no names of the one that asks for it.
pub(super) const ISOLATED: &str = "\u{1}";

impl Run {
    /// The text of a template that is included, rewritten.
    pub(super) fn load(&self, name: &str) -> std::result::Result<Option<String>, Error> {
        self.file(name).map_err(|exception| self.fail(exception))
    }

    fn file(&self, name: &str) -> Result<Option<String>> {
        let isolated = name.starts_with(ISOLATED);
        let path = Path::new(name.trim_start_matches(ISOLATED));
        if path
            .components()
            .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
        {
            *self.outside.write() = Some(path.display().to_string());
            return Ok(None);
        }
        let context = &self.scope.context;
        context.permit("file", &format!("the template '{}'", path.display()))?;
        let bytes = match context.world.read(&context.folder.join(path)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let (path, why) = (path.display(), reason(&error));
                let message = format!("cannot read the template '{path}': {why}");
                return Err(Exception::new(Class::Missing, message));
            }
        };
        let text = String::from_utf8(bytes).map_err(|_| {
            Exception::of_value(format!("the template '{}' is not UTF-8", path.display()))
        })?;
        let file: Arc<str> = path.to_string_lossy().into();
        let body = self.read(&text).map_err(|mut exception| {
            exception.file = exception.position.map(|_| file.clone());
            exception
        })?;
        let from = From::File { name: file, isolated };
        Ok(Some(rewrite(body, from, &mut self.code.write())))
    }

    fn read(&self, text: &str) -> Result<Body> {
        let tokens = lexer::lex(text, &Syntax::default(), false)?;
        parse(tokens, &dialect::known(&self.scope, &self.engine))
    }
}
