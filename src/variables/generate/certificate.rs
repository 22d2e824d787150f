//! Certificates and their keys: of an authority, signed by itself or by another one, or
//! of a leaf, signed by an authority.

use x509_cert::Certificate;
use x509_cert::der::EncodePem;
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::der::oid::db::rfc5280::{ID_KP_CLIENT_AUTH, ID_KP_SERVER_AUTH};
use x509_cert::der::pem::LineEnding;

use super::chain::{cause, within};
use super::key::{KeySource, private_pem};
use super::options::GeneratorOptions;
use super::x509::{Authority, Subject, Usage};
use crate::variables::secret::{ErrorChain, ErrorLine, Secret};

const DEFAULT_DAYS: u64 = 365;
const DEFAULT_ORGANIZATION: &str = "Cloud Foundry";

pub(super) fn generate(
    options: &str,
    source: &mut KeySource,
    find: impl FnOnce(&str) -> Result<Option<String>, ErrorChain>,
) -> Result<Secret, ErrorChain> {
    let request = Request::read(options)
        .map_err(within("Failed to generate certificate, parameters are invalid"))?;
    let bits = request.bits()?;
    let authority = request.authority(find)?;
    let subject = request.subject(authority.is_some())?;
    let key = source.pair(bits)?;
    let context = match subject.usage {
        Usage::Authority => "Generating CA certificate",
        Usage::Leaf { .. } => "Generating certificate",
    };
    let (now, random) = (source.now, &mut source.random);
    let certificate = subject.certify(&key, authority.as_ref(), now, random);
    let certificate = certificate.map_err(within(context))?;
    let issuer = authority.as_ref().map_or(&certificate, |a| &a.certificate);
    Ok(Secret::Entries(vec![
        ("certificate", pem(&certificate)?),
        ("private_key", private_pem(&key)?),
        ("ca", pem(issuer)?),
    ]))
}

/// Returns the length of the key of a certificate, unless its options are refused.
pub(super) fn key_length(options: &str) -> Option<usize> {
    Request::read(options).ok()?.bits().ok()
}

fn pem(certificate: &Certificate) -> Result<String, ErrorChain> {
    certificate.to_pem(LineEnding::LF).map_err(cause)
}

/// The options by name; those not given are empty or 0.
struct Request {
    alternative_names: Vec<String>,
    ca: String,
    common_name: String,
    duration: i64,
    extended_key_usage: Vec<String>,
    is_ca: bool,
    key_length: i64,
    organization: String,
}

impl Request {
    fn read(options: &str) -> Result<Request, ErrorChain> {
        GeneratorOptions::read(options, |options| Request {
            alternative_names: options.texts("alternative_names"),
            ca: options.text("ca"),
            common_name: options.text("common_name"),
            duration: options.int("duration", "int64"),
            extended_key_usage: options.texts("extended_key_usage"),
            is_ca: options.bool("is_ca"),
            key_length: options.int("key_length", "int"),
            organization: options.text("organization"),
        })
    }

    fn bits(&self) -> Result<usize, ErrorChain> {
        match self.key_length {
            2048 => Ok(2048),
            0 | 3072 => Ok(3072),
            4096 => Ok(4096),
            other => Err(vec![ErrorLine::quoting(
                "Invalid key_length: ",
                other,
                ".  Must be one of: [2048 3072 4096]",
            )]),
        }
    }

    fn authority(
        &self,
        find: impl FnOnce(&str) -> Result<Option<String>, ErrorChain>,
    ) -> Result<Option<Authority>, ErrorChain> {
        if self.ca.is_empty() {
            return Ok(None);
        }
        let found = find(&self.ca).and_then(|value| Authority::read(&self.ca, value));
        found.map(Some).map_err(within("Loading certificates"))
    }

    fn subject(self, is_signed: bool) -> Result<Subject, ErrorChain> {
        let usage = match (self.is_ca, is_signed) {
            (true, _) => Usage::Authority,
            (false, true) => Usage::Leaf {
                purposes: purposes(&self.extended_key_usage)?,
                names: self.alternative_names,
            },
            (false, false) => return Err(vec!["Missing required CA name".into()]),
        };
        let organization = Some(self.organization).filter(|name| !name.is_empty());
        let days = u64::try_from(self.duration).ok().filter(|&days| days > 0);
        Ok(Subject {
            organization: organization.unwrap_or_else(|| DEFAULT_ORGANIZATION.into()),
            common_name: self.common_name,
            days: days.unwrap_or(DEFAULT_DAYS),
            usage,
        })
    }
}

fn purposes(names: &[String]) -> Result<Vec<ObjectIdentifier>, ErrorChain> {
    let purpose = |name: &String| match &**name {
        "client_auth" => Ok(ID_KP_CLIENT_AUTH),
        "server_auth" => Ok(ID_KP_SERVER_AUTH),
        _ => {
            let what = "Unsupported extended key usage value: ";
            Err(vec![ErrorLine::quoting(what, name, "")])
        }
    };
    match names {
        [] => Ok(vec![ID_KP_SERVER_AUTH]),
        names => names.iter().map(purpose).collect(),
    }
}
