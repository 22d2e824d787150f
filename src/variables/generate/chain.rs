//! The chains of messages that generators fail with.

use std::fmt::Display;

use crate::variables::secret::{ErrorChain, ErrorLine};

/// Adds the message of the surrounding action to an error.
pub(super) fn within(
    context: impl Into<ErrorLine>,
) -> impl FnOnce(ErrorChain) -> ErrorChain {
    |mut chain| {
        chain.insert(0, context.into());
        chain
    }
}

/// Returns an error in the words of the library that it comes from.
pub(super) fn cause(error: impl Display) -> ErrorChain {
    vec![error.to_string().into()]
}
