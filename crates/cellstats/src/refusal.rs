//! Reasons why a request is invalid, as data: the command line and Python each insert their own parameter names.

use cell::placement::PlacementError;

/// Maximum number of characters of a value that a message shows.
const SHOWN_MAX: usize = 80;

/// The error in a request, and its correction.
///
/// In `reason` and `with`, braces enclose the names of parameters, as in `{size}`. `{shared}` stands for the opposite
/// of `{private}`, and `{any_spes}` for any parameter that sets the number of SPEs. User input must pass through
/// `verbatim` first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Name of the invalid parameter, or `None` if the refusal is not about a single parameter.
    pub parameter: Option<&'static str>,
    /// The parameter's value, if it matters.
    pub given: Option<String>,
    /// The FUNCTION or other parameter that cannot be combined with the parameter.
    pub with: Option<String>,
    /// The reason why the request is invalid, and the correction.
    pub reason: String,
}

impl From<PlacementError> for Refusal {
    fn from(error: PlacementError) -> Refusal {
        Refusal::new(error.to_string())
    }
}

impl Refusal {
    /// A refusal that is not about a single parameter.
    pub fn new(reason: impl Into<String>) -> Refusal {
        Refusal { parameter: None, given: None, with: None, reason: reason.into() }
    }

    /// A refusal of one parameter.
    pub fn of(parameter: impl Into<&'static str>, reason: impl Into<String>) -> Refusal {
        Refusal { parameter: Some(parameter.into()), ..Refusal::new(reason) }
    }

    /// Adds the value that was given.
    pub fn given(self, value: impl ToString) -> Refusal {
        Refusal { given: Some(on_one_line(&value.to_string())), ..self }
    }

    /// Adds the FUNCTION or other parameter that cannot be combined with the parameter.
    pub fn with(self, other: impl Into<String>) -> Refusal {
        Refusal { with: Some(other.into()), ..self }
    }

    /// Formats the refusal as one line of text; `name` returns the name under which users know a parameter.
    pub fn worded(&self, name: impl Fn(&str) -> String) -> String {
        let with = self.with.as_ref().map(|with| named(with, &name));
        let words = [
            self.parameter.map(&name),
            self.given.clone(),
            with.map(|with| if self.parameter.is_some() { format!("with {with}") } else { with }),
        ];
        let head: Vec<String> = words.into_iter().flatten().collect();
        let reason = named(&self.reason, &name);
        if head.is_empty() { reason } else { format!("{}: {reason}", head.join(" ")) }
    }
}

/// Replaces `{parameter}` by its name, and `{{` by a brace.
fn named(text: &str, name: impl Fn(&str) -> String) -> String {
    let (mut line, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('{') {
        line += before;
        let parameter = behind.split_once('}').filter(|(parameter, _)| is_name(parameter));
        rest = match (parameter, behind.strip_prefix('{')) {
            (Some((parameter, behind)), _) => {
                line += &name(parameter);
                behind
            }
            (None, escaped) => {
                line.push('{');
                escaped.unwrap_or(behind)
            }
        };
    }
    line + rest
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Prepares user input for the text of a refusal: on one line, with braces escaped so that they do not enclose a
/// parameter name.
pub fn verbatim(text: &str) -> String {
    on_one_line(text).replace('{', "{{")
}

/// Escapes control characters and truncates long text.
fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    for (nth, character) in text.chars().enumerate() {
        match character {
            _ if nth == SHOWN_MAX => return line + "…",
            _ if character.is_control() => line.extend(character.escape_default()),
            _ => line.push(character),
        }
    }
    line
}

/// The name of a parameter in the Python package and in requests.
pub fn keyword(parameter: &str) -> String {
    match parameter {
        "private_spes" => "spes".to_string(),
        "shared" => "private=False".to_string(),
        "any_spes" => "spes".to_string(),
        name => name.to_string(),
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.worded(keyword))
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_parameters_as_its_readers_do() {
        let refusal = Refusal::of("private", "give {shared}, or a smaller {size}").with("mailbox");
        assert_eq!(refusal.to_string(), "private with mailbox: give private=False, or a smaller size");
        let flags = |name: &str| format!("-{}", &name[..1]);
        assert_eq!(refusal.worded(flags), "-p with mailbox: give -s, or a smaller -s");
        let spes = Refusal::of("private_spes", "give 1 to 6").given(7);
        assert_eq!(spes.to_string(), "spes 7: give 1 to 6");
        assert_eq!(Refusal::new("no {").with("exchange").to_string(), "exchange: no {");
    }

    #[test]
    fn what_people_wrote_names_no_parameter_and_stays_on_its_line() {
        let flags = |name: &str| format!("-{}", &name[..1]);
        for written in ["{size}", "{{size}}", "{", "}{", "{{", "a{b}c", "{\"a\": {}}"] {
            let refusal = Refusal::new(format!("no {} in {{size}}", verbatim(written))).given(written);
            assert_eq!(refusal.worded(flags), format!("{written}: no {written} in -s"));
        }
        assert_eq!(Refusal::new(verbatim("a\nb")).given("c\td").to_string(), "c\\td: a\\nb");
        assert_eq!(verbatim(&"x".repeat(100)), format!("{}…", "x".repeat(80)));
    }
}
