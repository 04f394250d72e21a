//! Why a measurement cannot be, as data: the command line and Python name its parameters each in their own way.

/// Characters of a value that a message shows.
const SHOWN_MAX: usize = 80;

/// What is wrong, and what would be right.
///
/// The reason and what it goes with name parameters as `{size}`; `{shared}` stands for the opposite of
/// `{private}`, and `{any_spes}` for whatever says how many SPEs.  What people wrote is in there as
/// `verbatim` has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Name of the parameter that is wrong; none if it is not a single one.
    pub parameter: Option<&'static str>,
    /// Its value, as far as it matters.
    pub given: Option<String>,
    /// With which FUNCTION, or with which other parameter, it cannot be.
    pub with: Option<String>,
    /// Why, and what would be right.
    pub reason: String,
}

impl Refusal {
    /// A refusal that is not about a single parameter.
    pub fn new(reason: impl Into<String>) -> Refusal {
        Refusal { parameter: None, given: None, with: None, reason: reason.into() }
    }

    /// The refusal of a parameter.
    pub fn of(parameter: impl Into<&'static str>, reason: impl Into<String>) -> Refusal {
        Refusal { parameter: Some(parameter.into()), ..Refusal::new(reason) }
    }

    /// The same, of this value.
    pub fn given(self, value: impl ToString) -> Refusal {
        Refusal { given: Some(on_one_line(&value.to_string())), ..self }
    }

    /// The same, together with a FUNCTION or another parameter.
    pub fn with(self, other: impl Into<String>) -> Refusal {
        Refusal { with: Some(other.into()), ..self }
    }

    /// One line; `name` says what its readers call a parameter.
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

/// A text in which `{parameter}` has become its name, and `{{` a brace.
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

/// What people wrote, for a reason: on one line, and no parameter is named in it.
pub fn verbatim(text: &str) -> String {
    on_one_line(text).replace('{', "{{")
}

/// A text without control characters, cut where it gets long.
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

/// What the Python package and requests call a parameter.
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
