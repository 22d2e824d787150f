//! The bounded driver of a search for a fixed point: an attempt is repeated until it is
//! done or its budget is used up.

pub(crate) enum Outcome<T> {
    Done(T),
    /// The state is closer to the fixed point; the next attempt continues from there.
    Retry,
    /// A part of the goal was given up, so that the next attempts have another goal.
    Concede,
}

#[derive(Clone, Copy)]
pub(crate) struct Budget {
    /// Number of times that an attempt may be retried before a concession.
    pub(crate) retries: usize,
    pub(crate) concessions: usize,
}

/// Number of retries after a concession. A concession removes the cause of the conflict:
/// one attempt writes the rest of the change, and one retry settles what depends on it.
const RETRIES_AFTER_CONCESSION: usize = 1;

/// Calls `attempt` with what is left of the budget until it is done. Returns `None` if an
/// attempt retries or concedes although nothing of that is left. Fails as `attempt` does.
pub(crate) fn converge<T, E>(
    mut budget: Budget,
    mut attempt: impl FnMut(Budget) -> Result<Outcome<T>, E>,
) -> Result<Option<T>, E> {
    loop {
        match attempt(budget)? {
            Outcome::Done(result) => return Ok(Some(result)),
            Outcome::Retry if budget.retries > 0 => budget.retries -= 1,
            Outcome::Concede if budget.concessions > 0 => {
                budget.concessions -= 1;
                budget.retries = RETRIES_AFTER_CONCESSION;
            }
            Outcome::Retry | Outcome::Concede => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_end() {
        let mut attempts = 0;
        let budget = Budget { retries: 2, concessions: 3 };
        let result = converge(budget, |left| {
            attempts += 1;
            let stuck = left.retries == 0;
            Ok::<_, ()>(if stuck { Outcome::<()>::Concede } else { Outcome::Retry })
        });
        assert_eq!((result, attempts), (Ok(None), 3 + 3 * 2));
        let done = converge(budget, |_| Ok::<_, ()>(Outcome::Done(7)));
        assert_eq!(done, Ok(Some(7)));
    }
}
