//! Custom constraints on names of hosts and domains: a value comes in; what is wrong with it
//! goes out.

use crate::eval::python::{Result, Value};

use super::{matches, nonempty};

/// The most characters of a name.
const NAME: usize = 255;

pub(super) fn dns_name(value: &Value) -> Result<Option<String>> {
    let Some(text) = nonempty(value, "endswith")? else { return Ok(None) };
    Ok(dns_format(&text)?
        .map(|reason| format!("'{text}' not in valid format. Reason: {reason}")))
}

pub(super) fn rel_dns_name(value: &Value) -> Result<Option<String>> {
    let Some(text) = nonempty(value, "endswith")? else { return Ok(None) };
    if text.ends_with('.') {
        let message = format!("'{text}' is a FQDN. It should be a relative domain name.");
        return Ok(Some(message));
    }
    let length = text.chars().count();
    if length > NAME - 3 {
        return Ok(Some(format!(
            "'{text}' contains '{length}' characters. Adding a domain name will cause it to \
             exceed the maximum length of a FQDN of '{NAME}'."
        )));
    }
    dns_name(value)
}

pub(super) fn dns_domain(value: &Value) -> Result<Option<String>> {
    let Some(text) = nonempty(value, "endswith")? else { return Ok(None) };
    let unended = || format!("'{text}' must end with '.'.");
    Ok(dns_name(value)?.or_else(|| (!text.ends_with('.')).then(unended)))
}

fn dns_format(text: &str) -> Result<Option<String>> {
    let trimmed = text.strip_suffix('.').unwrap_or(text);
    if trimmed.chars().count() > NAME {
        let message = format!("'{trimmed}' exceeds the {NAME} character FQDN limit");
        return Ok(Some(message));
    }
    let names: Vec<&str> = trimmed.split('.').collect();
    for name in &names {
        if name.is_empty() {
            return Ok(Some("Encountered an empty component.".into()));
        }
        if name.starts_with('-') || name.ends_with('-') {
            let message = format!("Name '{name}' must not start or end with a hyphen.");
            return Ok(Some(message));
        }
        if !matches("[a-z0-9-]{1,63}$", name)? {
            return Ok(Some(format!(
                "Name '{name}' must be 1-63 characters long, each of which can only be \
                 alphanumeric or a hyphen."
            )));
        }
    }
    let last = names.last().copied().unwrap_or_default();
    let numeric = last.bytes().all(|b| b.is_ascii_digit());
    Ok((text.ends_with('.') && names.len() > 1 && numeric)
        .then(|| format!("TLD '{last}' must not be all numeric.")))
}
