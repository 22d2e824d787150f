//! Options come in; what contradicts itself goes out as a failure.

use interpolate::scalar::Dialect;

use super::bosh;
use super::failure::Failure;
use super::option::{Format, Interpolate};

impl Interpolate {
    /// Refuses what contradicts itself.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if let Some(extra) = self.extra.first() {
            let extra = extra.display();
            let wrong = match self.input.variables.var[..] {
                [] => format!(
                    "there is one BASE; is '{extra}' an ops-file? Then write -o {extra}"
                ),
                // It may be a part of a value.
                [_, ..] => {
                    "there is one BASE; quote a value with spaces: -v 'NAME=A B'".into()
                }
            };
            let refusal =
                bosh::unsupported(&self.extra, !self.input.variables.var.is_empty());
            return Err(Failure::usage(&wrong).verbatim(&refusal));
        }
        let (bosh, dialect) = (self.format() == Format::Bosh, self.dialect());
        let strict = self.input.reading.strict_yaml;
        let wrong = if bosh && (strict || dialect != Some(Dialect::Go)) {
            "--format bosh reads as bosh does: it goes with no other --schema and not \
             with --strict-yaml"
        } else if strict && dialect != Some(Dialect::Core) {
            "--strict-yaml is about YAML 1.2: it goes with --schema core only"
        } else if self.output.in_place && self.base() == "-" {
            "-i needs a file to write to, not standard input"
        } else if self.output.in_place && self.format() != Format::Yaml {
            "-i changes only what the patch changes; to write BASE in another format, \
             use --output FILE"
        } else {
            return Ok(());
        };
        Err(Failure::usage(wrong))
    }
}
