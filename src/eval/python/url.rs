//! `urllib.parse`: splits and joins URLs, quotes and unquotes texts for them.

use std::fmt::Write;
use std::net::Ipv6Addr;

use super::{Exception, Result};

/// A URL in parts, `SplitResult`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Url {
    /// `http`, in lower case
    pub scheme: String,
    /// `user:password@host:80`
    pub netloc: String,
    pub path: String,
    /// The part after `?`
    pub query: String,
    /// The part after `#`
    pub fragment: String,
}

pub fn quote(text: &str, safe: &str) -> String {
    quote_bytes(text.as_bytes(), safe)
}

pub fn quote_bytes(bytes: &[u8], safe: &str) -> String {
    let mut quoted = String::with_capacity(bytes.len());
    for byte in bytes {
        let plain = byte.is_ascii_alphanumeric() || b"_.-~".contains(byte);
        if plain || byte.is_ascii() && safe.as_bytes().contains(byte) {
            quoted.push(char::from(*byte));
        } else {
            let _ = write!(quoted, "%{byte:02X}");
        }
    }
    quoted
}

pub fn quote_plus(text: &str, safe: &str) -> String {
    quote(text, &format!("{safe} ")).replace(' ', "+")
}

/// `unquote`; invalid UTF-8 becomes replacement characters.
pub fn unquote(text: &str) -> String {
    // A character that is written as it is never completes an escaped one: its first byte
    // is no continuation, and after its last one none is wanted.
    String::from_utf8_lossy(&unquote_bytes(text)).into_owned()
}

pub fn unquote_plus(text: &str) -> String {
    unquote(&text.replace('+', " "))
}

pub fn unquote_bytes(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut plain = Vec::with_capacity(bytes.len());
    while let Some(byte) = bytes.get(at) {
        let hex = bytes.get(at + 1..at + 3).filter(|_| *byte == b'%');
        let hex = hex.filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        let hex = hex.and_then(|hex| std::str::from_utf8(hex).ok());
        let code = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        plain.push(code.unwrap_or(*byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    plain
}

/// `urlsplit`. Raises a `ValueError` for brackets that contain no IPv6 address.
pub fn split(url: &str) -> Result<Url> {
    // Removed for security, after the WHATWG specification (bpo-43882).
    let url = url.trim_start_matches(|c| c <= ' ').replace(['\t', '\r', '\n'], "");
    let (scheme, rest) = split_scheme(&url);
    let mut netloc = "";
    let mut path = rest;
    if let Some(rest) = rest.strip_prefix("//") {
        (netloc, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        check(netloc)?;
    }
    let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    Ok(Url {
        scheme: scheme.to_ascii_lowercase(),
        netloc: netloc.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        fragment: fragment.to_owned(),
    })
}

fn split_scheme(url: &str) -> (&str, &str) {
    let end = url.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
    let (scheme, rest) = url.split_at(end.unwrap_or(0));
    match rest.strip_prefix(':') {
        Some(rest) if scheme.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            (scheme, rest)
        }
        _ => ("", url),
    }
}

fn check(netloc: &str) -> Result<()> {
    if netloc.contains('[') != netloc.contains(']') {
        return Err(Exception::of_value("Invalid IPv6 URL"));
    }
    let Some((_, after)) = netloc.split_once('[') else { return Ok(()) };
    let host = after.split(']').next().unwrap_or("");
    if let Some(future) = host.strip_prefix('v') {
        let valid = future.split_once('.').is_some_and(|(version, rest)| {
            !version.is_empty()
                && version.bytes().all(|b| b.is_ascii_hexdigit())
                && !rest.is_empty()
        });
        if valid {
            return Ok(());
        }
        return Err(Exception::of_value("IPvFuture address is invalid"));
    }
    if host.parse::<std::net::Ipv4Addr>().is_ok() {
        return Err(Exception::of_value("An IPv4 address cannot be in brackets"));
    }
    let (address, zone) = host.split_once('%').unwrap_or((host, "0"));
    if address.parse::<Ipv6Addr>().is_ok() && !zone.is_empty() && !zone.contains('%') {
        Ok(())
    } else {
        let message = format!("'{host}' does not appear to be an IPv4 or IPv6 address");
        Err(Exception::of_value(message))
    }
}

impl Url {
    /// `urlunsplit`. A location that is empty is written as well if `shows_netloc`.
    pub fn unsplit(&self, shows_netloc: bool) -> String {
        let Url { scheme, netloc, path, query, fragment } = self;
        let colon = if scheme.is_empty() { "" } else { ":" };
        let mut url = format!("{scheme}{colon}");
        if !netloc.is_empty() || shows_netloc {
            let slash = if path.is_empty() || path.starts_with('/') { "" } else { "/" };
            url.extend(["//", &**netloc, slash]);
        }
        url.push_str(path);
        for (sign, part) in [("?", query), ("#", fragment)] {
            if !part.is_empty() {
                url.extend([sign, &**part]);
            }
        }
        url
    }

    pub fn username(&self) -> Option<&str> {
        let (user, _) = self.netloc.rsplit_once('@')?;
        Some(user.split(':').next().unwrap_or(user))
    }

    pub fn password(&self) -> Option<&str> {
        let (user, _) = self.netloc.rsplit_once('@')?;
        Some(user.split_once(':')?.1)
    }

    /// Returns the host in lower case; the zone of an IPv6 address keeps its case.
    pub fn hostname(&self) -> Option<String> {
        let (host, zone) = match self.host().0 {
            "" => return None,
            host => host.split_at(host.find('%').unwrap_or(host.len())),
        };
        Some(host.to_lowercase() + zone)
    }

    /// Returns the port. Raises a `ValueError` for a text that is no port number.
    pub fn port(&self) -> Result<Option<u16>> {
        let port = match self.host().1 {
            "" => return Ok(None),
            port => port,
        };
        if !port.bytes().all(|b| b.is_ascii_digit()) {
            let message = format!("Port could not be cast to integer value as '{port}'");
            return Err(Exception::of_value(message));
        }
        let number = port.trim_start_matches('0');
        let number = if number.is_empty() { "0" } else { number };
        let port = number.parse().map(Some);
        port.map_err(|_| Exception::of_value("Port out of range 0-65535"))
    }

    fn host(&self) -> (&str, &str) {
        let host = self.netloc.rsplit('@').next().unwrap_or("");
        match host.split_once('[') {
            Some((_, bracketed)) => {
                let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
                (host, after.split_once(':').map_or("", |(_, port)| port))
            }
            None => host.split_once(':').unwrap_or((host, "")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits() -> Result<()> {
        let url = split("HTTP://u:p@Host:80/a;b?q#f")?;
        assert_eq!((&*url.scheme, &*url.path, &*url.query), ("http", "/a;b", "q"));
        assert_eq!((url.username(), url.password()), (Some("u"), Some("p")));
        assert_eq!((url.hostname().as_deref(), url.port()?), (Some("host"), Some(80)));
        assert_eq!(split("//[::1]:8")?.hostname().as_deref(), Some("::1"));
        assert!(split("//[::1").is_err() && split("//[x]").is_err());
        Ok(())
    }

    #[test]
    fn quotes() {
        assert_eq!(quote("a b/é~", "/"), "a%20b/%C3%A9~");
        assert_eq!(quote_plus("a b+", ""), "a+b%2B");
        assert_eq!(unquote("%C3%a9%zz%ffé"), "é%zz\u{fffd}é");
    }
}
