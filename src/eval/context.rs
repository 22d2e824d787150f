//! The state of a run: the outside world and the permissions, the languages, the limits
//! and how much of them is used up.

use std::any::Any;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::hidden_text::{HiddenTexts, REDACTED, SHORT, SecretOrigin};
use super::outside::Outside;
use super::{Dialect, stack};
use crate::eval::python::random::Random;
use crate::eval::python::{
    self, Class, Exception, Lock, OperationLimits, Result, Secrecy, Str, Value,
};
use crate::source::{Allow, Moment, World};
use crate::yaml::Expansion;

/// The hint of a message about a name that it does not show.
const HIDDEN_NAME: &str = "the name is the value of a variable, or may be a part of one, so that no message shows it";

/// Maximum number of warnings that are kept. Each new one is compared with all of them, so
/// that the work of a run with many is bounded; 100 are three screens, more than is read
/// before the first ones are corrected.
const MAX_WARNINGS: usize = 100;

/// The bytes of a file that are read in one step.
const READ_IN_A_STEP: u64 = 64;

/// Number of bytes of a text that are read or copied in one step.
// An estimate. By default it allows twenty copies of the longest text: 320 MB.
const BYTES_PER_STEP: usize = 16;

/// A run of the evaluator.
#[derive(Debug)]
pub struct Context {
    /// The outside world, with the files that are still to be written.
    pub world: Outside,
    /// The parts of it that may be used.
    pub allow: Allow,
    /// The folder that relative paths start from.
    pub folder: PathBuf,
    /// The languages. The first that speaks a source evaluates it.
    pub dialects: Vec<Arc<dyn Dialect>>,
    /// The limits of the run.
    pub limits: Limits,
    spent: AtomicU64,
    /// The bytes of files that were read.
    bytes_read: AtomicU64,
    depth: AtomicUsize,
    /// The number of reads of values that differ from run to run.
    volatile_reads: AtomicUsize,
    /// The names of the variables that were used.
    used: Lock<BTreeSet<String>>,
    secrecy: Lock<Secrecy>,
    hidden: Lock<HiddenTexts>,
    warnings: Lock<Vec<Exception>>,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of steps of all templates and expressions together.
    pub fuel: u64,
    /// Maximum number of characters of a result.
    pub output: usize,
    /// Maximum nesting of evaluations.
    pub depth: usize,
    /// Limits of single operations, and of the values that live at a time.
    pub operations: OperationLimits,
    /// Limits of how far aliases may expand a document that is read.
    pub expansion: Expansion,
    /// Maximum number of bytes of all files together that are read.
    pub include_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        // 20 million steps take one or two seconds, and 64 MiB of text is more than any real
        // template makes. A document nests in its own variables a few levels; 100 stops
        // runaway recursion long before the stack ends.
        let expansion = Expansion::default();
        let include_bytes = 64 << 20;
        Limits {
            fuel: 20_000_000,
            output: 1 << 26,
            depth: 100,
            operations: OperationLimits::HIGHEST,
            expansion,
            include_bytes,
        }
    }
}

impl Context {
    /// Creates a run with the default limits.
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
            bytes_read: AtomicU64::new(0),
            depth: AtomicUsize::new(0),
            volatile_reads: AtomicUsize::new(0),
            used: Lock::default(),
            secrecy: Lock::default(),
            hidden: Lock::default(),
            warnings: Lock::default(),
        }
    }

    /// Checks that `--allow` has a word. `what` names the access in the message.
    ///
    /// # Errors
    /// `Denied` if the word is missing.
    pub fn permit(&self, word: &str, what: &str) -> Result<()> {
        if self.allow.has(word) {
            return Ok(());
        }
        let option = self.allow.option(word);
        let message = format!("{what} is not allowed: {option} lets it");
        Err(Exception::new(Class::Denied, message))
    }

    /// Reads a file. Its bytes count against the limits.
    ///
    /// # Errors
    /// `Limit` if the files of the run are too large; inside, the system's error.
    pub fn read(&self, path: &Path) -> Result<io::Result<Vec<u8>>> {
        self.counted(|most| self.world.head(path, most))
    }

    /// Reads what a URL names, at most `most` bytes; otherwise as [`read`](Context::read).
    ///
    /// # Errors
    /// As for [`read`](Context::read).
    pub fn fetch(&self, url: &str, most: u64) -> Result<io::Result<Vec<u8>>> {
        self.counted(|left| self.world.fetch(url, left.min(most)))
    }

    fn counted(
        &self,
        read: impl FnOnce(u64) -> io::Result<Vec<u8>>,
    ) -> Result<io::Result<Vec<u8>>> {
        let limit = self.limits.include_bytes;
        let left = limit.saturating_sub(self.bytes_read.load(Ordering::Relaxed));
        // One more byte than allowed tells a file that is too large.
        let bytes = match read(left.saturating_add(1)) {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(error)),
        };
        let length = bytes.len() as u64;
        if length > left {
            let message = format!("the included files exceed {limit} bytes");
            let hint = "`--limit include-bytes=N` raises the limit";
            return Err(Exception::new(Class::Limit, message).hint(hint));
        }
        self.bytes_read.fetch_add(length, Ordering::Relaxed);
        self.spend(length / READ_IN_A_STEP)?;
        Ok(Ok(bytes))
    }

    /// Returns a language of the run by its type, with its settings.
    pub fn language<T: Dialect>(&self) -> Option<&T> {
        let mut dialects = self.dialects.iter().map(|dialect| &**dialect as &dyn Any);
        dialects.find_map(|dialect| dialect.downcast_ref())
    }

    /// Returns true if a source is written in one of the languages.
    pub fn speaks(&self, source: &Value) -> bool {
        self.dialects.iter().any(|dialect| dialect.speaks(source, self))
    }

    /// Returns the time and secret random bytes.
    ///
    /// # Errors
    /// `Missing` if the world has no clock or no random source.
    pub fn moment(&self) -> Result<Moment> {
        self.mark_volatile();
        self.world.moment().map_err(|error| {
            let message = format!("there is no clock and nothing random: {error}");
            Exception::new(Class::Missing, message)
        })
    }

    /// Notes a read of a value that differs from run to run.
    pub(super) fn mark_volatile(&self) {
        self.volatile_reads.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of such reads: it grows if a value is volatile.
    pub(super) fn volatile_reads(&self) -> usize {
        self.volatile_reads.load(Ordering::Relaxed)
    }

    /// Returns a random number generator with a secret seed.
    ///
    /// # Errors
    /// `Missing` if the world has no random source.
    pub fn random(&self) -> Result<Random> {
        Ok(Random::of_secret(&self.moment()?.seed))
    }

    pub(super) fn mark_used(&self, name: &str) {
        let mut used = self.used.write();
        // Most calls are repeats: look before allocating the name.
        if !used.contains(name) {
            used.insert(name.to_owned());
        }
    }

    /// Returns true if the value of a variable was used.
    pub fn is_used(&self, name: &str) -> bool {
        self.used.read().contains(name)
    }

    /// Returns the highest secrecy of all values so far.
    pub(super) fn secrecy_in_sight(&self) -> Secrecy {
        *self.secrecy.read()
    }

    /// Returns true if any value so far is secret. If not, secrets need no tracking.
    pub(super) fn has_secrets(&self) -> bool {
        self.secrecy_in_sight() > Secrecy::Open
    }

    pub(super) fn raise_secrecy(&self, secrecy: Secrecy) {
        let mut highest = self.secrecy.write();
        *highest = secrecy.max(*highest);
    }

    /// Hides a text in all messages. A short one is hidden in those about sources that
    /// were made of secrets.
    pub(super) fn hide_text(&self, text: Arc<str>, origin: SecretOrigin) {
        let mut hidden = self.hidden.write();
        if text.len() >= SHORT {
            hidden.add(text, origin);
        } else if origin == SecretOrigin::Given {
            hidden.add_short(text);
        }
    }

    /// Returns the origin of a text that all messages hide.
    pub(super) fn hidden_origin(&self, text: &str) -> Option<SecretOrigin> {
        self.hidden.read().origin(text)
    }

    /// Returns true if a text is or contains one that all messages hide.
    ///
    /// # Errors
    /// No steps are left.
    pub(super) fn tells_hidden(&self, text: &str) -> Result<bool> {
        self.hidden.read().are_in(text, |steps| self.spend(steps as u64))
    }

    pub(super) fn hide(&self, exception: Box<Exception>) -> Box<Exception> {
        let mut hidden = self.hidden.write();
        hidden.hide(exception)
    }

    /// As [`hide`](Context::hide), for an exception of a source.
    pub(super) fn hide_of(&self, raised: Box<Exception>, source: &Str) -> Box<Exception> {
        match source.secrecy() {
            Secrecy::Open => raised,
            _ => {
                let raised = self.hidden.write().hide_all(raised, source);
                if raised.class == Class::Undefined && raised.message.contains(REDACTED) {
                    return raised.or_hint(HIDDEN_NAME);
                }
                raised
            }
        }
    }

    /// Adds a warning, unless it is there.
    pub(super) fn warn(&self, warning: Box<Exception>) {
        let warning = *self.hide(warning);
        let mut warnings = self.warnings.write();
        let is_known = warnings
            .iter()
            .any(|one| one.message == warning.message && one.place() == warning.place());
        if warnings.len() < MAX_WARNINGS && !is_known {
            warnings.push(warning);
        }
    }

    /// Returns the warnings of the run.
    pub fn warnings(&self) -> Vec<Exception> {
        self.warnings.read().clone()
    }

    /// Hides secrets in a line, but not in the given parts that quote a source.
    pub(super) fn redact(&self, line: String, names: &[String]) -> String {
        self.hidden.write().without(line, names)
    }

    /// Runs an action on the stack of evaluations, with the limits of this run. Raises a
    /// `Limit` if there is no memory.
    pub(crate) fn run<T: Send>(
        &self,
        action: impl FnOnce() -> Result<T> + Send,
    ) -> Result<T> {
        let limits = self.limits.operations;
        stack::run(|| {
            python::set_operation_limits(limits);
            action()
        })
    }

    /// Counts a step that may recurse.
    ///
    /// # Errors
    /// No steps are left, or the stack is nearly full.
    pub fn step(&self) -> Result<()> {
        stack::check()?;
        self.spend(1)
    }

    /// Counts steps, and those that Python's operations took since the last call.
    ///
    /// # Errors
    /// No steps are left.
    pub fn spend(&self, steps: u64) -> Result<()> {
        let steps = steps + python::take_steps();
        let spent = self.spent.fetch_add(steps, Ordering::Relaxed) + steps;
        let limit = self.limits.fuel;
        python::set_steps_left(limit.saturating_sub(spent), limit);
        if spent <= limit {
            python::limit_living()
        } else {
            Err(python::exhausted(limit))
        }
    }

    /// Takes steps for a text that is read or copied once.
    ///
    /// # Errors
    /// No steps are left.
    pub fn spend_bytes(&self, bytes: usize) -> Result<()> {
        self.spend((bytes / BYTES_PER_STEP) as u64)
    }

    /// Returns the number of steps that are left.
    pub fn left(&self) -> u64 {
        self.limits.fuel.saturating_sub(self.spent.load(Ordering::Relaxed))
    }

    /// Runs an evaluation inside the current one.
    ///
    /// # Errors
    /// `Recursion` if the nesting is deeper than the limit.
    pub fn nested<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        let depth = self.depth.fetch_add(1, Ordering::Relaxed) + 1;
        let limit = self.limits.depth;
        let done = if depth <= limit {
            // The reads of a plugin that needs the value are not those of its source.
            stack::check().and_then(|()| python::with_members_raised(false, run))
        } else {
            let message = format!(
                "evaluation nests deeper than {limit}; `--limit eval-depth=N` allows more"
            );
            Err(Exception::new(Class::Recursion, message))
        };
        self.depth.fetch_sub(1, Ordering::Relaxed);
        done
    }
}
