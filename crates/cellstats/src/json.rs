//! A request in JSON: an object that maps parameter names, including `function`, to values.
//!
//! ```json
//! {"function": "dmaget", "spes": 6, "size": 1024, "placement": [0, 2, 4, 6, 1, 3]}
//! ```
//! `null` is the same as leaving a parameter out. `placement` is a list of SPEs or `"random"`; a `pattern` has `name`,
//! `threads` and `phases`. Each phase is a list of messages, in the form that a result's recipe shows.

use crate::parameters::{Parameter, Parameters};
use crate::refusal::{Refusal, verbatim};
use crate::value::Given;
use serde_json::Value;

/// Reads the FUNCTION and the parameters of a request.
///
/// # Errors
/// The text is not JSON, a parameter is unknown, or a value is invalid.
pub fn parse(text: &str) -> Result<(String, Parameters), Refusal> {
    let request: Value = serde_json::from_str(text).map_err(|error| Refusal::new(format!("no request: {error}")))?;
    let Value::Object(request) = request else {
        let example = verbatim(r#"{"function": "dmaget"}"#);
        return Err(Refusal::new(format!("a request is an object of parameters, such as {example}")));
    };
    let (mut function, mut parameters) = (None, Parameters::default());
    for (name, value) in request.iter().filter(|(_, value)| !value.is_null()) {
        match Parameter::from_name(name).map(|parameter| (parameter, parameter.name())) {
            Some((Parameter::Function, name)) => function = Some(Given(name, value).text()?),
            // `private_spes` is only another flag for `spes`.
            Some((Parameter::PrivateSpes, _)) | None => {
                return Err(Refusal::new(format!("unknown parameter {}", verbatim(&format!("{name:?}")))));
            }
            Some((parameter, name)) => read(&mut parameters, parameter, Given(name, value))?,
        }
    }
    let function = function.ok_or_else(|| Refusal::of(Parameter::Function, "say what to measure"))?;
    Ok((function, parameters))
}

fn read(to: &mut Parameters, parameter: Parameter, given: Given) -> Result<(), Refusal> {
    let missing = || Err(Refusal::of(given.0, "measurements on simulated machines do not have it, leave it out"));
    to.read(parameter, given).unwrap_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::PlacementChoice;

    #[test]
    fn parameters_are_read_by_name_and_null_is_none() {
        let (function, parameters) =
            parse(r#"{"function": "hotspot", "spes": 3, "target": 2, "placement": [4, 2, 0], "size": null}"#).unwrap();
        assert_eq!(function, "hotspot");
        let placement = PlacementChoice::Explicit(vec![4, 2, 0]);
        let expected = Parameters { spes: Some(3), target: Some("2".into()), placement, ..Parameters::default() };
        assert_eq!(parameters, expected);
        assert!(parse(r#"{"function": "mailbox", "fast_forward": false}"#).unwrap().1.fast_forward == Some(false));
    }

    #[test]
    fn what_cannot_be_read_is_said_in_one_line() {
        for (request, said) in [
            ("{", "no request: EOF"),
            ("[]", "a request is an object of parameters, such as {\"function\": \"dmaget\"}"),
            ("{}", "function: say what to measure"),
            (r#"{"function": "mailbox", "spess": 1}"#, "unknown parameter \"spess\""),
            (r#"{"function": "mailbox", "spes": -1}"#, "spes -1: out of range, give 0 to 4294967295"),
            (r#"{"function": "mailbox", "spes": 4294967296}"#, "spes 4294967296: out of range"),
            (r#"{"function": "mailbox", "spes": "six"}"#, "spes \"six\": not a whole number"),
            (r#"{"function": "mailbox", "private": 1}"#, "private 1: give true or false"),
            (r#"{"function": "mailbox", "placement": "left"}"#, "placement \"left\": give a list of SPEs, or random"),
            (r#"{"function": "mailbox", "samples": 3}"#, "samples: measurements on simulated machines do not have it"),
            (r#"{"function": "mailbox", "private_spes": 3}"#, "unknown parameter \"private_spes\""),
            (r#"{"function": "mailbox", "spes": 1.5}"#, "spes 1.5: not a whole number"),
            (r#"{"function": "mailbox", "spes": 2.0}"#, "spes 2.0: not a whole number"),
            (r#"{"function": "mailbox", "size": 1180591620717411303424}"#, "size 1180591620717411303424: out of range"),
            (r#"{"function": "exchange", "pattern": "ring"}"#, "pattern: not a pattern"),
            (r#"{"function": "mailbox", "{size}\n": 1}"#, "unknown parameter \"{size}\\n\""),
        ] {
            let line = parse(request).expect_err(request).to_string();
            assert!(line.starts_with(said) && !line.contains('\n'), "{request}: {line}");
        }
    }
}
