//! Types of parameter values, and their conversion from JSON and to text.

use crate::pattern::Pattern;
use crate::refusal::Refusal;
use serde_json::Value;
use std::ops::RangeInclusive;

/// The choice of physical SPEs for the threads.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum PlacementChoice {
    /// The SPEs in the machine's logical order.
    #[default]
    Default,
    /// The SPE of each thread, in the order of the threads.
    Explicit(Vec<u32>),
    /// Random SPEs, chosen by the seed.
    Random,
}

/// A type that a parameter may have.
pub trait Readable: Sized {
    /// Reads a value from JSON.
    ///
    /// # Errors
    /// The value is not of this type.
    fn read(given: Given) -> Result<Self, Refusal>;

    /// The value as text, or `None` if the parameter is absent or switched off.
    fn shown(&self) -> Option<String>;

    /// The value in the form that a recipe shows.
    fn recipe(&self) -> Value;
}

/// A parameter's name and value.
#[derive(Clone, Copy)]
pub struct Given<'a>(pub &'static str, pub &'a Value);

impl Given<'_> {
    fn wrong(self, reason: impl Into<String>) -> Refusal {
        let long = self.long().map(|number| format!("{number:.0}"));
        Refusal::of(self.0, reason).given(long.unwrap_or_else(|| self.1.to_string()))
    }

    /// A whole number of more than 64 bits, which the JSON reader turned into a float.
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

    /// Reads a text; a number is converted to text.
    pub fn text(self) -> Result<String, Refusal> {
        match self.1 {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number.to_string()),
            _ => Err(self.wrong("give a word")),
        }
    }
}

impl Given<'_> {
    fn pattern(self) -> Result<Pattern, Refusal> {
        serde_json::from_value(self.1.clone()).map_err(|_| Refusal::of(self.0, "not a pattern that a machine can have"))
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

/// Implements [`Readable`] for optional values.
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
