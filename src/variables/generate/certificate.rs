//! X.509 certificates and their keys: of an authority, signed by itself or by another one, or of
//! a leaf, signed by an authority.

use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chacha20::ChaCha20Rng;
use chacha20::rand_core::Rng;
use rsa::RsaPrivateKey;
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs1v15::{Signature, SigningKey};
use rsa::pkcs8::PrivateKeyInfoRef;
use rsa::sha2::Sha256;
use rsa::traits::PublicKeyParts;
use sha1::{Digest, Sha1};
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{self, Builder, CertificateBuilder};
use x509_cert::der::asn1::{Any, Ia5String, OctetString, PrintableStringRef};
use x509_cert::der::oid::db::rfc4519::{COMMON_NAME, COUNTRY_NAME, ORGANIZATION_NAME};
use x509_cert::der::oid::db::rfc5280::{ID_KP_CLIENT_AUTH, ID_KP_SERVER_AUTH};
use x509_cert::der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{self, DateTime, Decode, Encode, EncodePem, Tag};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages,
    SubjectAltName, SubjectKeyIdentifier,
};
use x509_cert::name::{Name, RdnSequence};
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{SubjectPublicKeyInfo, SubjectPublicKeyInfoRef};
use x509_cert::time::{Time, Validity};
use x509_cert::{Certificate, TbsCertificate};

use super::key::{KeySource, private_pem};
use super::options::GeneratorOptions;
use crate::variables::secret::{ErrorChain, ErrorLine, Secret, cause, within};

const DEFAULT_DAYS: u64 = 365;

/// The names in a certificate of bosh that its options do not give.
const COUNTRY_OF_BOSH: &str = "US";
const ORGANIZATION_OF_BOSH: &str = "Cloud Foundry";

pub(super) fn generate(
    options: &str,
    source: &mut KeySource,
    find: impl FnOnce(&str) -> Result<Option<String>, ErrorChain>,
) -> Result<Secret, ErrorChain> {
    let request = Request::read(options)
        .map_err(within("Failed to generate certificate, parameters are invalid"))?;
    let bits = request.bits()?;
    let authority = request.authority(find)?;
    let purposes = request.purposes(authority.is_some())?;
    let key = source.pair(bits)?;
    let context = match purposes {
        None => "Generating CA certificate",
        Some(_) => "Generating certificate",
    };
    let certificate = request.certify(purposes, &key, authority.as_ref(), source);
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

    /// Returns the purposes of the key of a leaf; `None` for that of an authority.
    fn purposes(
        &self,
        is_signed: bool,
    ) -> Result<Option<Vec<ObjectIdentifier>>, ErrorChain> {
        let purpose = |name: &String| match &**name {
            "client_auth" => Ok(ID_KP_CLIENT_AUTH),
            "server_auth" => Ok(ID_KP_SERVER_AUTH),
            _ => {
                let what = "Unsupported extended key usage value: ";
                Err(vec![ErrorLine::quoting(what, name, "")])
            }
        };
        match &self.extended_key_usage[..] {
            _ if self.is_ca => Ok(None),
            _ if !is_signed => Err(vec!["Missing required CA name".into()]),
            [] => Ok(Some(vec![ID_KP_SERVER_AUTH])),
            names => names.iter().map(purpose).collect::<Result<_, _>>().map(Some),
        }
    }

    /// Returns the certificate of `key`, signed by `authority`, or else by `key` itself.
    fn certify(
        &self,
        purposes: Option<Vec<ObjectIdentifier>>,
        key: &RsaPrivateKey,
        authority: Option<&Authority>,
        source: &mut KeySource,
    ) -> Result<Certificate, ErrorChain> {
        if authority.is_some_and(|authority| !authority.fits()) {
            let why = "x509: provided PrivateKey doesn't match parent's PublicKey";
            return Err(vec![why.into()]);
        }
        let own_id = key_id(key).map_err(cause)?;
        let issuer_id = authority.map_or(Some(own_id.clone()), Authority::key_id);
        let issuer = authority.map(|a| a.certificate.tbs_certificate().subject().clone());
        let subject = self.name(source.names_of_bosh).map_err(cause)?;
        let content = CertificateContent {
            issuer: issuer.unwrap_or_else(|| subject.clone()),
            subject,
            extensions: self.extensions(purposes, own_id, issuer_id)?,
        };
        let signer = authority.map_or(key, |authority| &authority.key);
        let validity = self.validity(source.now)?;
        sign(content, validity, key, signer, &mut source.random).map_err(cause)
    }

    fn name(&self, names_of_bosh: bool) -> der::Result<Name> {
        let mut name = RdnSequence::default();
        let organization = match &*self.organization {
            "" if names_of_bosh => ORGANIZATION_OF_BOSH,
            name => name,
        };
        let country = if names_of_bosh { COUNTRY_OF_BOSH } else { "" };
        let parts = [
            (COUNTRY_NAME, country),
            (ORGANIZATION_NAME, organization),
            (COMMON_NAME, &self.common_name),
        ];
        for (oid, text) in parts.into_iter().filter(|(_, text)| !text.is_empty()) {
            let printable = PrintableStringRef::new(text).is_ok();
            let tag = if printable { Tag::PrintableString } else { Tag::Utf8String };
            let value = Any::new(tag, text.as_bytes())?;
            name.push(vec![AttributeTypeAndValue { oid, value }].try_into()?);
        }
        Name::from_der(&name.to_der()?)
    }

    fn validity(&self, now: SystemTime) -> Result<Validity, ErrorChain> {
        let begin = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let days = u64::try_from(self.duration).ok().filter(|&days| days > 0);
        let days = days.unwrap_or(DEFAULT_DAYS);
        let length = Duration::from_secs(days.saturating_mul(24 * 60 * 60));
        let time = |since: Duration| match DateTime::from_unix_duration(since) {
            Ok(time) => Ok(Time::from(time)),
            Err(_) => Err(vec!["cannot represent time as GeneralizedTime".into()]),
        };
        Ok(Validity::new(time(begin)?, time(begin.saturating_add(length))?))
    }

    /// Returns the extensions in the order of Go's library.
    fn extensions(
        &self,
        purposes: Option<Vec<ObjectIdentifier>>,
        own_id: OctetString,
        issuer_id: Option<OctetString>,
    ) -> Result<Vec<Extension>, ErrorChain> {
        let ca = purposes.is_none();
        let bits = if ca {
            KeyUsages::KeyCertSign | KeyUsages::CRLSign
        } else {
            KeyUsages::DigitalSignature | KeyUsages::KeyEncipherment
        };
        let mut all = vec![extension(true, &KeyUsage(bits))?];
        if let Some(purposes) = purposes {
            all.push(extension(false, &ExtendedKeyUsage(purposes))?);
        }
        all.push(extension(true, &BasicConstraints { ca, path_len_constraint: None })?);
        all.push(extension(false, &SubjectKeyIdentifier(own_id))?);
        if let key_identifier @ Some(_) = issuer_id {
            let id = AuthorityKeyIdentifier { key_identifier, ..Default::default() };
            all.push(extension(false, &id)?);
        }
        let names = &self.alternative_names;
        if !ca && !names.is_empty() {
            let names: Result<Vec<_>, _> =
                names.iter().map(|n| general_name(n)).collect();
            let mut names = names?;
            // Go writes the addresses behind the names.
            names.sort_by_key(|name| matches!(name, GeneralName::IpAddress(_)));
            all.push(extension(false, &SubjectAltName(names))?);
        }
        Ok(all)
    }
}

/// A certificate that signs others, with its key.
struct Authority {
    certificate: Certificate,
    key: RsaPrivateKey,
}

impl Authority {
    /// Reads the value of the variable `name`, which may be missing.
    fn read(name: &str, value: Option<String>) -> Result<Authority, ErrorChain> {
        let value = value.ok_or_else(|| {
            let before = "Expected to find variable '";
            vec![ErrorLine::quoting(before, name, "' with a certificate")]
        })?;
        let unfit =
            ErrorLine::quoting("Expected variable '", name, "' to be deserializable");
        let (certificate, key) = entries(&value)
            .map_err(|chain| chain.into_iter().map(ErrorLine::hide).collect())
            .map_err(within(unfit))?;
        let certificate = parse_certificate(&certificate)?;
        Ok(Authority { certificate, key: parse_key(&key)? })
    }

    fn fits(&self) -> bool {
        let stated = self.certificate.tbs_certificate().subject_public_key_info();
        let own = SubjectPublicKeyInfo::from_key(&self.key.to_public_key());
        own.is_ok_and(|own| own.subject_public_key == stated.subject_public_key)
    }

    /// Returns the key identifier of the certificate, if it has one.
    fn key_id(&self) -> Option<OctetString> {
        let tbs = self.certificate.tbs_certificate();
        let (_, id) = tbs.get_extension::<SubjectKeyIdentifier>().ok()??;
        Some(id.0)
    }
}

fn entries(value: &str) -> Result<(String, String), ErrorChain> {
    let mut entries = GeneratorOptions::open(value)?;
    if !entries.is_mapping() {
        // The message of yaml.v2 would quote the value, which may be a secret.
        return Err(vec!["Expected a map with a certificate and a private key".into()]);
    }
    let certificate = entries.text("certificate");
    let key = entries.text("private_key");
    entries.finish().map(|()| (certificate, key))
}

fn parse_certificate(text: &str) -> Result<Certificate, ErrorChain> {
    let block = pem::parse(text)
        .map_err(|_| vec!["Certificate did not contain PEM formatted block".into()])?;
    Certificate::from_der(block.contents())
        .map_err(|_| vec!["x509: malformed certificate".into()])
        .map_err(within("Parsing certificate"))
}

fn parse_key(text: &str) -> Result<RsaPrivateKey, ErrorChain> {
    let block = pem::parse(text)
        .map_err(|_| vec!["Private key did not contain PEM formatted block".into()])?;
    let der = block.contents();
    let why = |error| match PrivateKeyInfoRef::from_der(der) {
        Ok(_) => vec![PKCS8.into()],
        Err(_) => cause(error),
    };
    RsaPrivateKey::from_pkcs1_der(der).map_err(why).map_err(within("Parsing private key"))
}

const PKCS8: &str = "x509: failed to parse private key \
    (use ParsePKCS8PrivateKey instead for this key format)";

/// Returns the key identifier that bosh uses: the hash of the modulus.
fn key_id(key: &RsaPrivateKey) -> der::Result<OctetString> {
    OctetString::new(&*Sha1::digest(key.n().to_be_bytes_trimmed_vartime()))
}

fn extension<T: AssociatedOid + Encode>(
    critical: bool,
    value: &T,
) -> Result<Extension, ErrorChain> {
    let text = value.to_der().and_then(OctetString::new).map_err(cause)?;
    Ok(Extension { extn_id: T::OID, critical, extn_value: text })
}

const CANNOT_BE_ENCODED: &str = " cannot be encoded as an IA5String";

fn general_name(name: &str) -> Result<GeneralName, ErrorChain> {
    if let Ok(address) = name.parse::<IpAddr>() {
        return Ok(address.to_canonical().into());
    }
    let quoted = format!("{name:?}");
    let name = Ia5String::new(name)
        .map_err(|_| vec![ErrorLine::quoting("x509: ", quoted, CANNOT_BE_ENCODED)])?;
    Ok(GeneralName::DnsName(name))
}

struct CertificateContent {
    issuer: Name,
    subject: Name,
    extensions: Vec<Extension>,
}

impl BuilderProfile for CertificateContent {
    fn get_issuer(&self, _: &Name) -> Name {
        self.issuer.clone()
    }

    fn get_subject(&self) -> Name {
        self.subject.clone()
    }

    fn build_extensions(
        &self,
        _: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        Ok(self.extensions.clone())
    }
}

fn sign(
    content: CertificateContent,
    validity: Validity,
    key: &RsaPrivateKey,
    signer: &RsaPrivateKey,
    random: &mut ChaCha20Rng,
) -> builder::Result<Certificate> {
    let mut serial = [0; 16];
    random.fill_bytes(&mut serial);
    let serial = SerialNumber::new(&serial)?;
    let public = SubjectPublicKeyInfo::from_key(&key.to_public_key())?;
    let builder = CertificateBuilder::new(content, serial, validity, public)?;
    let signer = SigningKey::<Sha256>::new(signer.clone());
    builder.build_with_rng::<_, Signature, _>(&signer, random)
}
