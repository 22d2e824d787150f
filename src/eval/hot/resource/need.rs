//! Which resources a resource needs: named in `depends_on`, or by functions in its
//! properties and metadata.

use indexmap::{IndexMap, IndexSet};

use crate::eval::hot::condition::at;
use crate::eval::hot::stack::{Stack, unknown};
use crate::python::{self, Class, Exception, Result};

use super::{Definition, Definitions};

impl Definitions {
    /// What each of the resources needs.
    ///
    /// # Errors
    /// Something that is needed is not there, or needs itself.
    pub(in crate::eval::hot) fn needs(
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
            implicit.extend(stack.needs(value, &format!("{name}.{section}"))?);
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
            return Err(Exception::new(Class::Syntax, message));
        }
        let mut needed = IndexSet::new();
        for other in &definition.depends_on {
            if self.enabled.contains_key(other) {
                needed.insert(other.clone());
            } else if !self.disabled.contains(other) {
                return Err(unknown(other, name));
            }
        }
        needed.extend(implicit);
        Ok(needed)
    }
}

/// The resources that need each other in a circle, if any do: the first of them, and all as
/// Python shows a graph.
fn circle<'n>(needs: &IndexMap<&'n str, IndexSet<String>>) -> Option<(&'n str, String)> {
    let mut left: IndexMap<&str, IndexSet<&str>> = needs
        .iter()
        .map(|(name, needed)| (*name, needed.iter().map(|name| &**name).collect()))
        .collect();
    // What needs nothing that is left is in no circle, nor is what nothing needs.
    loop {
        let before = left.len();
        let open: IndexSet<&str> = left.keys().copied().collect();
        left.retain(|_, needed| {
            needed.retain(|name| open.contains(name));
            !needed.is_empty()
        });
        let needed: IndexSet<&str> = left.values().flatten().copied().collect();
        left.retain(|name, _| needed.contains(name));
        if left.len() == before {
            break;
        }
    }
    let shown = left.iter().map(|(name, needed)| {
        let needed: Vec<&str> = needed.iter().copied().collect();
        format!("{name}: {{{}}}", needed.join(", "))
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    needs.keys().find(|name| left.contains_key(**name)).map(|first| (*first, shown))
}
