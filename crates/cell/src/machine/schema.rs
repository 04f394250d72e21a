//! The schema of a machine file: the types and the macro with which `sections` declares the sections.
//!
//! The macro `section!` generates three things from a table of fields: the struct that the simulator reads, the list of
//! fields with which the reader checks a file, and the conversion from values to the struct.

use std::collections::BTreeMap;

use super::value::{Payload, Value};

/// All values of a machine, by key (`section.field`).
pub(super) type Values = BTreeMap<&'static str, Value>;

/// One section of a machine file.
pub(super) struct Section {
    pub name: &'static str,
    /// Description of the section.
    pub doc: &'static str,
    pub fields: &'static [Field],
}

/// One key of a machine file, and the legal values of this key.
pub(super) struct Field {
    /// Full key: `section.field`.
    pub key: &'static str,
    /// The field's name inside its section.
    pub name: &'static str,
    pub unit: &'static str,
    pub limits: Limits,
    pub shape: Shape,
    pub doc: &'static str,
}

/// Type of a value: a number, an array of numbers, or an array of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Number,
    Numbers,
    Names,
}

impl Shape {
    /// Describes the type in words.
    pub fn describe(self) -> &'static str {
        match self {
            Shape::Number => "an integer",
            Shape::Numbers => "an array of integers",
            Shape::Names => "an array of strings",
        }
    }
}

/// The hard limits of a number, or of each number of an array: the values that the simulator supports. (The range in a
/// file states which values are plausible for the real machine, and must be inside these limits.)
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub low: u64,
    pub high: u64,
    power_of_two: bool,
}

/// Any number from `low` to `high`, inclusive.
pub(super) const fn between(low: u64, high: u64) -> Limits {
    Limits { low, high, power_of_two: false }
}

/// A power of two from `low` to `high`, inclusive.
pub(super) const fn power_of_two(low: u64, high: u64) -> Limits {
    Limits { low, high, power_of_two: true }
}

/// Placeholder limits for arrays of names, which the checks of the whole machine validate.
pub(super) const fn element_names() -> Limits {
    between(0, 0)
}

impl Limits {
    pub fn allow(&self, number: u64) -> bool {
        (self.low..=self.high).contains(&number) && (!self.power_of_two || number.is_power_of_two())
    }

    /// The limits in words: for example `1 to 32` or `a power of two from 1 to 128`.
    pub fn describe(&self) -> String {
        let kind = if self.power_of_two { "a power of two from " } else { "" };
        format!("{kind}{} to {}", self.low, self.high)
    }
}

/// A Rust type that a field of a section may have.
pub(super) trait Kind {
    const SHAPE: Shape;
    /// The largest number that the type can hold.
    const LARGEST: u64;
    /// Converts a value. The conversion cannot fail, because the reader has already checked the shape and the limits.
    fn from_payload(payload: &Payload) -> Self;
}

impl Kind for u64 {
    const SHAPE: Shape = Shape::Number;
    const LARGEST: u64 = u64::MAX;
    fn from_payload(payload: &Payload) -> Self {
        match payload {
            Payload::Number(number) => *number,
            _ => unreachable!("the reader checks the shape"),
        }
    }
}

impl Kind for u32 {
    const SHAPE: Shape = Shape::Number;
    const LARGEST: u64 = u32::MAX as u64;
    fn from_payload(payload: &Payload) -> Self {
        narrow(u64::from_payload(payload))
    }
}

impl Kind for Vec<u32> {
    const SHAPE: Shape = Shape::Numbers;
    const LARGEST: u64 = u32::LARGEST;
    fn from_payload(payload: &Payload) -> Self {
        match payload {
            Payload::Numbers(numbers) => numbers.iter().map(|&number| narrow(number)).collect(),
            _ => unreachable!("the reader checks the shape"),
        }
    }
}

impl Kind for Vec<String> {
    const SHAPE: Shape = Shape::Names;
    const LARGEST: u64 = 0;
    fn from_payload(payload: &Payload) -> Self {
        match payload {
            Payload::Names(names) => names.clone(),
            _ => unreachable!("the reader checks the shape"),
        }
    }
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("the limits of a u32 field fit in a u32")
}

/// Declares one section. A field is declared as `field: type, "unit", limits;` with a doc comment, which listings of
/// the machine also show.
macro_rules! section {
    (
        $(#[doc = $about:literal])*
        $section:ident: $Struct:ident {
            $(
                $(#[doc = $doc:literal])*
                $field:ident: $kind:ty, $unit:literal, $limits:expr;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $Struct {
            $(
                $(#[doc = $doc])*
                #[doc = concat!(" (unit: ", $unit, ")")]
                pub $field: $kind,
            )*
        }

        const _: () = {
            $(assert!($limits.high <= <$kind as Kind>::LARGEST, stringify!($field));)*
        };

        impl $Struct {
            pub(super) const SECTION: Section = Section {
                name: stringify!($section),
                doc: concat!($($about),*),
                fields: &[$(Field {
                    key: concat!(stringify!($section), ".", stringify!($field)),
                    name: stringify!($field),
                    unit: $unit,
                    limits: $limits,
                    shape: <$kind as Kind>::SHAPE,
                    doc: concat!($($doc),*),
                }),*],
            };

            /// Creates the section's struct from the values of a complete machine.
            pub(super) fn from_values(values: &Values) -> Self {
                Self {
                    $($field: <$kind as Kind>::from_payload(
                        values[concat!(stringify!($section), ".", stringify!($field))].payload(),
                    ),)*
                }
            }
        }
    };
}
pub(super) use section;
