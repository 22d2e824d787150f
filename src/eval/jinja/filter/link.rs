//! Texts → the same with a link around everything that looks like one.

use super::parameter::{flag, given, index, text};
use crate::eval::jinja::CallSite;
use crate::eval::python::{self, Bound, Exception, Result, Value, regex, width};

const IGNORECASE: regex::Flags = regex::Flags {
    ignorecase: true,
    multiline: false,
    dotall: false,
    verbose: false,
    ascii: false,
};

/// What a link is made with.
struct Link {
    attributes: String,
    most: Option<usize>,
    schemes: Vec<String>,
}

pub(super) fn urlize(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [most, nofollow, target, rel, schemes]) = arguments.split();
    let relations = relations(&text(given(rel), "")?, flag(nofollow, false)?);
    let mut attributes = format!(" rel=\"{}\"", python::escape(&relations));
    let target = text(given(target), "")?;
    if !target.is_empty() {
        attributes.push_str(&format!(" target=\"{}\"", python::escape(&target)));
    }
    let most = given(most).map(|most| index(&most)).transpose()?;
    let most = most.map(|most| usize::try_from(most).unwrap_or(0));
    let schemes = given(schemes).map_or(Ok(Vec::new()), |s| python::iterate(&s))?;
    let schemes = schemes.iter().map(python::str).collect::<Result<Vec<_>>>()?;
    let scheme = regex::compile(r"^([\w.+-]{2,}:(/){0,2})$", IGNORECASE)?;
    if let Some(bad) =
        schemes.iter().find(|s| !scheme.search(s).is_ok_and(|found| found.is_some()))
    {
        let message = format!("'{bad}' is not a valid URI scheme prefix.");
        return Err(Exception::of_value(message));
    }
    let escaped = match &value {
        Value::Str(text) if text.is_markup() => text.to_string(),
        other => python::escape(&python::str(other)?),
    };
    let link = Link { attributes, most, schemes };
    link.all(&escaped).map(Value::from)
}

/// What is said of where links lead: each word once, in order.
fn relations(given: &str, nofollow: bool) -> String {
    let own = nofollow.then_some("nofollow").into_iter().chain(["noopener"]);
    let mut words: Vec<&str> = given.split_whitespace().chain(own).collect();
    words.sort_unstable();
    words.dedup();
    words.join(" ")
}

/// The marks that may stand around a link, opening and closing.
const PAIRS: [(&str, &str); 3] = [("(", ")"), ("<", ">"), ("&lt;", "&gt;")];

/// What a word of the web looks like: a scheme or `www`, or a name below a common ending.
const WEB: &str = r"^((https?://|www\.)(([\w%-]+\.)+)?([a-z]{2,63}|xn--[\w%]{2,59})|([\w%-]{2,63}\.)+(com|net|int|edu|gov|org|info|mil)|(https?://)((([\d]{1,3})(\.[\d]{1,3}){3})|(\[([\da-f]{0,4}:){2}([\da-f]{0,4}:?){1,6}])))(?::[\d]{1,5})?(?:[/?#]\S*)?$";

const MAIL: &str = r"^\S+@\w[\w.-]*\.\w+$";

impl Link {
    /// A text, word by word.
    fn all(&self, text: &str) -> Result<String> {
        let (mut out, mut word) = (String::new(), String::new());
        for c in text.chars().chain([' ']) {
            if c.is_whitespace() {
                out.push_str(&self.word(&std::mem::take(&mut word))?);
                out.push(c);
                width(out.len())?;
            } else {
                word.push(c);
            }
        }
        out.pop();
        Ok(out)
    }

    /// A word, a link if it looks like one.
    fn word(&self, word: &str) -> Result<String> {
        let mut middle = word;
        while let Some(rest) =
            PAIRS.iter().find_map(|(open, _)| middle.strip_prefix(open))
        {
            middle = rest;
        }
        let head = word.get(..word.len() - middle.len()).unwrap_or_default();
        let whole = middle;
        let ends = [")", ">", ".", ",", "&gt;"];
        while let Some(rest) = ends.iter().find_map(|end| middle.strip_suffix(end)) {
            middle = rest;
        }
        for (open, close) in PAIRS {
            let opened = middle.matches(open).count();
            if opened <= middle.matches(close).count() {
                continue;
            }
            for _ in 0..opened {
                let tail = whole.get(middle.len()..).unwrap_or_default();
                let Some(at) = tail.find(close) else { break };
                middle = whole.get(..middle.len() + at + close.len()).unwrap_or(middle);
            }
        }
        let tail = whole.get(middle.len()..).unwrap_or_default();
        Ok(format!("{head}{}{tail}", self.link(middle)?))
    }

    fn link(&self, text: &str) -> Result<String> {
        if text.is_empty() {
            return Ok(String::new());
        }
        let (attributes, mail) =
            (&self.attributes, regex::compile(MAIL, regex::Flags::default())?);
        if regex::compile(WEB, IGNORECASE)?.search(text)?.is_some() {
            let scheme = if text.starts_with("https://") || text.starts_with("http://") {
                ""
            } else {
                "https://"
            };
            let shown = self.shown(text);
            return Ok(format!("<a href=\"{scheme}{text}\"{attributes}>{shown}</a>"));
        }
        if let Some(address) = text.strip_prefix("mailto:")
            && mail.search(address)?.is_some()
        {
            return Ok(format!("<a href=\"{text}\">{address}</a>"));
        }
        let address = text.contains('@')
            && !text.starts_with("www.")
            && !text.starts_with('@')
            && !text.contains(':');
        if address && mail.search(text)?.is_some() {
            return Ok(format!("<a href=\"mailto:{text}\">{text}</a>"));
        }
        let mut schemes = self.schemes.iter();
        if schemes.any(|scheme| text != scheme && text.starts_with(&**scheme)) {
            Ok(format!("<a href=\"{text}\"{attributes}>{text}</a>"))
        } else {
            Ok(text.to_owned())
        }
    }

    fn shown(&self, text: &str) -> String {
        match self.most {
            Some(most) if text.chars().count() > most => {
                let kept: String = text.chars().take(most).collect();
                format!("{kept}...")
            }
            _ => text.to_owned(),
        }
    }
}
