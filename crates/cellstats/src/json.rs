//! A request in JSON: an object of parameters by name, `function` among them.
//!
//! ```json
//! {"function": "dmaget", "spes": 6, "size": 1024, "placement": [0, 2, 4, 6, 1, 3]}
//! ```
//! `null` is as good as leaving a parameter out.  `placement` is a list of SPEs or `"random"`; a `pattern` has
//! `name`, `threads` and `phases`, lists of messages as the recipe of a result shows them.

use crate::parameter::Readable;
use crate::parameters::{Parameter, Parameters, PlacementChoice};
use crate::pattern::Pattern;
use crate::refusal::{Refusal, verbatim};
use serde_json::Value;
use std::ops::RangeInclusive;

/// FUNCTION and parameters of a request.
///
/// # Errors
/// No JSON, an unknown parameter, or a value that it cannot have.
pub fn parse(text: &str) -> Result<(String, Parameters), Refusal> {
    let request: Value = serde_json::from_str(text).map_err(|error| Refusal::new(format!("no request: {error}")))?;
    let Value::Object(request) = request else {
        let example = verbatim(r#"{"function": "dmaget"}"#);
        return Err(Refusal::new(format!("a request is an object of parameters, such as {example}")));
    };
    let (mut function, mut parameters) = (None, Parameters::default());
    for (name, value) in request.iter().filter(|(_, value)| !value.is_null()) {
        match Parameter::from_name(name) {
            Some(Parameter::Function) => function = Some(Given(Parameter::Function, value).text()?),
            // It is only another flag for `spes`.
            Some(Parameter::PrivateSpes) | None => {
                return Err(Refusal::new(format!("unknown parameter {}", verbatim(&format!("{name:?}")))));
            }
            Some(parameter) => read(&mut parameters, Given(parameter, value))?,
        }
    }
    let function = function.ok_or_else(|| Refusal::of(Parameter::Function, "say what to measure"))?;
    Ok((function, parameters))
}

fn read(to: &mut Parameters, given: Given) -> Result<(), Refusal> {
    let missing = || Err(Refusal::of(given.0, "no measurement on a simulated machine has it, leave it out"));
    to.read(given).unwrap_or_else(missing)
}

/// A parameter's value.
#[derive(Clone, Copy)]
pub struct Given<'a>(pub Parameter, &'a Value);

impl Given<'_> {
    fn wrong(self, reason: impl Into<String>) -> Refusal {
        let long = self.long().map(|number| format!("{number:.0}"));
        Refusal::of(self.0, reason).given(long.unwrap_or_else(|| self.1.to_string()))
    }

    /// A whole number of more than 64 bits, which has become a float when it was read.
    fn long(self) -> Option<f64> {
        let float = if self.1.is_f64() { self.1.as_f64() } else { None };
        float.filter(|float| float.abs() >= u64::MAX as f64)
    }

    fn number(self, range: RangeInclusive<u64>) -> Result<u64, Refusal> {
        let (least, most) = (range.start(), range.end());
        match self.1 {
            Value::Number(number) if !number.is_f64() || self.long().is_some() => number
                .as_u64()
                .filter(|number| range.contains(number))
                .ok_or_else(|| self.wrong(format!("out of range, give {least} to {most}"))),
            _ => Err(self.wrong(format!("not a whole number, give {least} to {most}"))),
        }
    }

    fn word(self) -> Result<u32, Refusal> {
        self.number(0..=u32::MAX.into()).map(|number| number as u32)
    }

    /// A word; some of them are numbers.
    fn text(self) -> Result<String, Refusal> {
        match self.1 {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number.to_string()),
            _ => Err(self.wrong("give a word")),
        }
    }
}

impl Given<'_> {
    fn pattern(self) -> Result<Pattern, Refusal> {
        serde_json::from_value(self.1.clone())
            .map_err(|_| Refusal::of(self.0, "that is no pattern, or not one that a machine can have"))
    }
}

impl Readable for bool {
    fn read(given: Given) -> Result<bool, Refusal> {
        given.1.as_bool().ok_or_else(|| given.wrong("give true or false"))
    }

    fn shown(&self) -> Option<String> {
        self.then(|| self.to_string())
    }

    fn recipe(&self) -> Value {
        (*self).into()
    }
}

/// Reads a value that may be left out.
macro_rules! readable {
    ($($type:ty: $read:expr, $shown:expr;)*) => {
        $(impl Readable for Option<$type> {
            fn read(given: Given) -> Result<Option<$type>, Refusal> {
                $read(given).map(Some)
            }

            fn shown(&self) -> Option<String> {
                self.as_ref().map($shown)
            }

            fn recipe(&self) -> Value {
                serde_json::json!(self)
            }
        })*
    };
}

readable! {
    u32: Given::word, ToString::to_string;
    u64: |given: Given| given.number(0..=u64::MAX), ToString::to_string;
    bool: bool::read, ToString::to_string;
    String: Given::text, ToString::to_string;
    Pattern: Given::pattern, |pattern| pattern.name.clone();
}

impl Readable for PlacementChoice {
    fn read(given: Given) -> Result<PlacementChoice, Refusal> {
        match given.1 {
            Value::String(word) if word == "random" => Ok(PlacementChoice::Random),
            Value::Array(spes) => {
                let spes = spes.iter().map(|spe| Given(given.0, spe).word()).collect::<Result<_, _>>()?;
                Ok(PlacementChoice::Explicit(spes))
            }
            _ => Err(given.wrong("give a list of SPEs, or random")),
        }
    }

    fn shown(&self) -> Option<String> {
        (*self != PlacementChoice::Default).then(String::new)
    }

    fn recipe(&self) -> Value {
        match self {
            PlacementChoice::Explicit(spes) => serde_json::json!(spes),
            _ => Value::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (r#"{"function": "mailbox", "samples": 3}"#, "samples: no measurement on a simulated machine has it"),
            (r#"{"function": "mailbox", "private_spes": 3}"#, "unknown parameter \"private_spes\""),
            (r#"{"function": "mailbox", "spes": 1.5}"#, "spes 1.5: not a whole number"),
            (r#"{"function": "mailbox", "spes": 2.0}"#, "spes 2.0: not a whole number"),
            (r#"{"function": "mailbox", "size": 1180591620717411303424}"#, "size 1180591620717411303424: out of range"),
            (r#"{"function": "exchange", "pattern": "ring"}"#, "pattern: that is no pattern"),
            (r#"{"function": "mailbox", "{size}\n": 1}"#, "unknown parameter \"{size}\\n\""),
        ] {
            let line = parse(request).expect_err(request).to_string();
            assert!(line.starts_with(said) && !line.contains('\n'), "{request}: {line}");
        }
    }
}
