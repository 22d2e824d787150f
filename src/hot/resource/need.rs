//! Which resources a resource needs: named in `depends_on`, or by functions in its
//! properties and metadata.

use indexmap::{IndexMap, IndexSet};

use crate::eval::python::{self, Class, Exception, Result};
use crate::hot::exception::{at, meant, unknown};
use crate::hot::stack::Stack;

use super::{Definition, Definitions};

impl Definitions {
    /// What each of the resources needs.
    ///
    /// # Errors
    /// Something that is needed is not there, or needs itself.
    pub(in crate::hot) fn needs(
        &self,
        stack: &Stack,
    ) -> Result<IndexMap<&str, IndexSet<String>>> {
        let mut needs = IndexMap::new();
        for (name, definition) in &self.enabled {
            let needed = self.needed(stack, name, definition);
            let needed = needed.map_err(|raised| at(raised, definition.span))?;
            needs.insert(&**name, needed);
        }
        match circle(&needs) {
            None => Ok(needs),
            Some((first, circle)) => {
                let message = format!("Circular Dependency Found: {{{circle}}}");
                let span = self.enabled.get(first).and_then(|definition| definition.span);
                Err(at(Exception::new(Class::Syntax, message), span))
            }
        }
    }

    fn needed(
        &self,
        stack: &Stack,
        name: &str,
        definition: &Definition,
    ) -> Result<IndexSet<String>> {
        let mut implicit = IndexSet::new();
        for (value, section) in
            [(&definition.properties, "Properties"), (&definition.metadata, "Metadata")]
        {
            implicit.extend(stack.needs(value, || format!("{name}.{section}"))?);
        }
        let external = stack.resolve(&definition.external_id)?;
        if python::truth(&external)? {
            if definition.depends_on.is_empty() {
                return Ok(IndexSet::new());
            }
            let message = format!(
                "Invalid dependency with external {} resource: {}",
                python::str(&definition.kind)?,
                python::str(&external)?
            );
            let span = definition.depends_on.first().and_then(|(_, span)| *span);
            return Err(at(Exception::new(Class::Syntax, message), span));
        }
        let mut needed = IndexSet::new();
        for (other, span) in &definition.depends_on {
            if self.enabled.contains_key(other) {
                needed.insert(other.clone());
            } else if !self.disabled.contains(other) {
                let known = self.enabled.keys().chain(&self.disabled);
                let raised = unknown(other, name);
                let raised = meant(raised, known.map(|known| &**known), other);
                return Err(at(raised, *span));
            }
        }
        needed.extend(implicit);
        Ok(needed)
    }
}

/// The resources that need each other in a circle, if any do: the first of them, and all as
/// Python shows a graph.
fn circle<'n>(needs: &IndexMap<&'n str, IndexSet<String>>) -> Option<(&'n str, String)> {
    let known = |name: &String| needs.get_index_of(&**name);
    let needed: Vec<Vec<usize>> =
        needs.values().map(|names| names.iter().filter_map(known).collect()).collect();
    let mut users = vec![Vec::new(); needs.len()];
    for (user, needed) in needed.iter().enumerate() {
        needed.iter().for_each(|at| users[*at].push(user));
    }
    // What needs nothing that is left is in no circle, nor is what nothing needs.
    let mut left: Vec<[usize; 2]> =
        needed.iter().zip(&users).map(|(a, b)| [a.len(), b.len()]).collect();
    let mut todo: Vec<usize> = (0..needs.len()).collect();
    let mut gone = vec![false; needs.len()];
    while let Some(at) = todo.pop() {
        if gone[at] || !left[at].contains(&0) {
            continue;
        }
        gone[at] = true;
        for (others, side) in [(&users[at], 0), (&needed[at], 1)] {
            for other in others {
                left[*other][side] = left[*other][side].saturating_sub(1);
                todo.push(*other);
            }
        }
    }
    let open = |at: &usize| !gone[*at];
    let first = (0..needs.len()).find(open)?;
    let name = |at: usize| needs.get_index(at).map_or("", |(name, _)| *name);
    let shown = (0..needs.len()).filter(open).map(|at| {
        let needed: Vec<&str> =
            needed[at].iter().copied().filter(open).map(name).collect();
        format!("{}: {{{}}}", name(at), needed.join(", "))
    });
    Some((name(first), shown.collect::<Vec<_>>().join(", ")))
}
