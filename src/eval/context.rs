//! What holds for a whole run: the world and what of it may be reached, the languages,
//! and how much work is left.

use std::any::Any;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::hidden_text::HiddenTexts;
use super::outside::Outside;
use super::{Dialect, stack};
use crate::eval::python::random::Random;
use crate::eval::python::{self, Class, Exception, Lock, Result, Secrecy, Value};
use crate::source::{Allow, Moment, World};
use crate::yaml::Expansion;

/// A run of the evaluator.
#[derive(Debug)]
pub struct Context {
    /// Everything outside, and what is to be written there.
    pub world: Outside,
    /// What of it may be reached.
    pub allow: Allow,
    /// The folder that relative paths start at.
    pub folder: PathBuf,
    /// The languages, the first that speaks a source evaluates it.
    pub dialects: Vec<Arc<dyn Dialect>>,
    /// The limits of the run.
    pub limits: Limits,
    spent: AtomicU64,
    depth: AtomicUsize,
    /// How often something was used for that is something else each time.
    volatile_reads: AtomicUsize,
    /// The variables whose value somebody has used for.
    used: Lock<BTreeSet<String>>,
    /// What is in sight may be as secret as this.
    secrecy: Lock<Secrecy>,
    /// What no message says, whatever it came from.
    hidden: Lock<HiddenTexts>,
}

/// How much a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of all templates and expressions together.
    pub fuel: u64,
    /// Characters of one result.
    pub output: usize,
    /// Evaluations within evaluations.
    pub depth: usize,
    /// How far aliases may make a document grow that is read.
    pub expansion: Expansion,
}

impl Default for Limits {
    fn default() -> Limits {
        let expansion = Expansion::default();
        Limits { fuel: 50_000_000, output: 1 << 26, depth: 100, expansion }
    }
}

impl Context {
    /// A run that has done nothing yet.
    pub fn new(
        world: Arc<dyn World + Send + Sync>,
        allow: Allow,
        folder: impl Into<PathBuf>,
        dialects: Vec<Arc<dyn Dialect>>,
    ) -> Context {
        Context {
            world: Outside::new(world),
            allow,
            folder: folder.into(),
            dialects,
            limits: Limits::default(),
            spent: AtomicU64::new(0),
            depth: AtomicUsize::new(0),
            volatile_reads: AtomicUsize::new(0),
            used: Lock::default(),
            secrecy: Lock::default(),
            hidden: Lock::default(),
        }
    }

    /// Lets something outside be reached: `what` a word of `--allow` stands for.
    ///
    /// # Errors
    /// It may not be.
    pub fn permit(&self, word: &str, what: &str) -> Result<()> {
        if self.allow.has(word) {
            return Ok(());
        }
        let option = self.allow.option(word);
        let message = format!("{what} is not allowed: {option} lets it");
        Err(Exception::new(Class::Denied, message))
    }

    /// Returns a language of the run by its type, with its settings.
    pub fn language<T: Dialect>(&self) -> Option<&T> {
        let mut dialects = self.dialects.iter().map(|dialect| &**dialect as &dyn Any);
        dialects.find_map(|dialect| dialect.downcast_ref())
    }

    /// Whether a source is written in one of the languages.
    pub fn speaks(&self, source: &Value) -> bool {
        self.dialects.iter().any(|dialect| dialect.speaks(source, self))
    }

    /// The time, and random bytes that nobody can guess.
    ///
    /// # Errors
    /// The world has no such.
    pub fn moment(&self) -> Result<Moment> {
        self.mark_volatile();
        self.world.moment().map_err(|error| {
            let message = format!("there is no clock and nothing random: {error}");
            Exception::new(Class::Missing, message)
        })
    }

    /// From here on, what is being evaluated may be something else each time.
    pub(super) fn mark_volatile(&self) {
        self.volatile_reads.fetch_add(1, Ordering::Relaxed);
    }

    /// How often that was so.
    pub(super) fn volatile_reads(&self) -> usize {
        self.volatile_reads.load(Ordering::Relaxed)
    }

    /// A generator of random numbers that nobody can foretell.
    ///
    /// # Errors
    /// The world has nothing random.
    pub fn random(&self) -> Result<Random> {
        Ok(Random::of_secret(&self.moment()?.seed))
    }

    /// Somebody asks for the value of a variable.
    pub(super) fn mark_used(&self, name: &str) {
        let mut used = self.used.write();
        if !used.contains(name) {
            used.insert(name.to_owned());
        }
    }

    /// Whether somebody has used for the value of a variable.
    pub fn is_used(&self, name: &str) -> bool {
        self.used.read().contains(name)
    }

    /// How secret what is in sight may be.
    pub(super) fn secrecy_in_sight(&self) -> Secrecy {
        *self.secrecy.read()
    }

    /// Whether there is anything to be careful about.
    pub(super) fn has_secrets(&self) -> bool {
        self.secrecy_in_sight() > Secrecy::Open
    }

    /// From now on something in sight may be as secret as this.
    pub(super) fn raise_secrecy(&self, secrecy: Secrecy) {
        let mut highest = self.secrecy.write();
        *highest = secrecy.max(*highest);
    }

    /// From now on no message says this text.
    pub(super) fn hide_text(&self, text: impl Into<Arc<str>>) {
        let mut hidden = self.hidden.write();
        hidden.add(text.into());
    }

    /// Whether no message says this text.
    pub(super) fn hides_text(&self, text: &str) -> bool {
        let hidden = self.hidden.read();
        hidden.has(text)
    }

    /// An exception that does not say what no message says.
    pub(super) fn hide(&self, exception: Box<Exception>) -> Box<Exception> {
        let mut hidden = self.hidden.write();
        hidden.hide(exception)
    }

    /// Removes what no message may contain.
    pub(super) fn redact(&self, line: String) -> String {
        self.hidden.write().without(line)
    }

    /// Takes note of a step, which may lead to others before it is done.
    ///
    /// # Errors
    /// It is more than the limit, or too deep.
    pub fn step(&self) -> Result<()> {
        stack::check()?;
        self.spend(1)
    }

    /// Takes note of work done, and of what Python's operations took since the last time.
    ///
    /// # Errors
    /// It is more than the limit.
    pub fn spend(&self, steps: u64) -> Result<()> {
        let steps = steps + python::take_steps();
        let spent = self.spent.fetch_add(steps, Ordering::Relaxed) + steps;
        let limit = self.limits.fuel;
        python::set_steps_left(limit.saturating_sub(spent), limit);
        if spent <= limit { Ok(()) } else { Err(python::exhausted(limit)) }
    }

    /// How many steps are left.
    pub fn left(&self) -> u64 {
        self.limits.fuel.saturating_sub(self.spent.load(Ordering::Relaxed))
    }

    /// Runs an evaluation within the one that is running.
    ///
    /// # Errors
    /// That is deeper than the limit.
    pub fn nested<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        let depth = self.depth.fetch_add(1, Ordering::Relaxed) + 1;
        let done = if depth <= self.limits.depth {
            stack::check().and_then(|()| run())
        } else {
            Err(Exception::new(
                Class::Recursion,
                format!(
                    "evaluation nests deeper than {}; `--limit eval-depth=N` allows more",
                    self.limits.depth
                ),
            ))
        };
        self.depth.fetch_sub(1, Ordering::Relaxed);
        done
    }
}
