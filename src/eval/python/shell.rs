//! `shlex`: quoting for a shell's command line.

/// `shlex.quote`
pub fn quote(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\"'\"'"))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes() {
        assert_eq!(super::quote("it's"), r#"'it'"'"'s'"#);
    }
}
