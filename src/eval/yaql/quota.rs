//! The settings of yaql.

/// yaql as Heat runs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Yaql {
    /// The limits of each value.
    pub quota: Quota,
}

/// The limits of a value of an expression. A negative limit is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Members of a collection that is iterated over or returned.
    pub iterators: i64,
    /// Bytes that Python would need for an argument or a result.
    pub memory: i64,
}

impl Default for Quota {
    /// Heat's limits.
    fn default() -> Quota {
        Quota { iterators: 200, memory: 10_000 }
    }
}
