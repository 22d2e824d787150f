//! The value of the variable that `ca` names comes in, a certificate and the key that
//! signs for it go out.

use rsa::RsaPrivateKey;
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::PrivateKeyInfoRef;
use x509_cert::Certificate;
use x509_cert::der::Decode;
use x509_cert::der::asn1::OctetString;
use x509_cert::ext::pkix::SubjectKeyIdentifier;
use x509_cert::spki::SubjectPublicKeyInfo;

use super::options::Options;
use super::{Chain, Line, cause, within};

/// What signs a certificate.
pub(super) struct Authority {
    pub(super) certificate: Certificate,
    pub(super) key: RsaPrivateKey,
}

impl Authority {
    /// Reads the value of the variable `name`; there may be none.
    pub(super) fn read(name: &str, value: Option<String>) -> Result<Authority, Chain> {
        let missing =
            || Line::quoting("Expected to find variable '", name, "' with a certificate");
        let value = value.ok_or_else(|| vec![missing()])?;
        let unfit = Line::quoting("Expected variable '", name, "' to be deserializable");
        let hide = |chain: Chain| chain.into_iter().map(Line::hide).collect();
        let (certificate, key) = entries(&value).map_err(hide).map_err(within(unfit))?;
        Ok(Authority {
            certificate: parse_certificate(&certificate)?,
            key: parse_key(&key)?,
        })
    }

    /// Whether the key is the one the certificate speaks of.
    pub(super) fn fits(&self) -> bool {
        let stated = self.certificate.tbs_certificate().subject_public_key_info();
        let own = SubjectPublicKeyInfo::from_key(&self.key.to_public_key());
        own.is_ok_and(|own| own.subject_public_key == stated.subject_public_key)
    }

    /// What the certificate calls its key, if it says.
    pub(super) fn key_id(&self) -> Option<OctetString> {
        let tbs = self.certificate.tbs_certificate();
        let (_, id) = tbs.get_extension::<SubjectKeyIdentifier>().ok()??;
        Some(id.0)
    }
}

fn entries(value: &str) -> Result<(String, String), Chain> {
    let mut entries = Options::open(value)?;
    if !entries.is_mapping() {
        // yaml.v2 would quote the value here, and it may be a secret.
        return Err(vec!["Expected a map with a certificate and a private key".into()]);
    }
    let (certificate, key) = (entries.text("certificate"), entries.text("private_key"));
    entries.finish().map(|()| (certificate, key))
}

fn parse_certificate(text: &str) -> Result<Certificate, Chain> {
    let block = pem::parse(text)
        .map_err(|_| vec!["Certificate did not contain PEM formatted block".into()])?;
    Certificate::from_der(block.contents())
        .map_err(|_| vec!["x509: malformed certificate".into()])
        .map_err(within("Parsing certificate"))
}

fn parse_key(text: &str) -> Result<RsaPrivateKey, Chain> {
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
