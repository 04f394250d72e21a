//! Floating-point operations that round or can raise exceptions.

use spu::float::round::{DOUBLE, Format, SINGLE};

/// A floating-point operation. The operands A, B and C are the registers FRA, FRB and FRC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// A + B.
    Add(Precision),
    /// A - B.
    Subtract(Precision),
    /// A C.
    Multiply(Precision),
    /// A / B.
    Divide(Precision),
    /// The square root of B.
    SquareRoot(Precision),
    /// A x C + B, rounded once.
    MultiplyAdd(Precision),
    /// A x C - B, rounded once.
    MultiplySubtract(Precision),
    /// A x C + B, rounded once, then negated.
    NegativeMultiplyAdd(Precision),
    /// A x C - B, rounded once, then negated.
    NegativeMultiplySubtract(Precision),
    /// B as a single.
    RoundToSingle,
    /// B converted to a signed word.
    ToWord,
    /// B rounded towards zero and converted to a signed word.
    ToWordTruncated,
    /// B converted to a signed doubleword.
    ToDoubleword,
    /// B rounded towards zero and converted to a signed doubleword.
    ToDoublewordTruncated,
    /// The signed doubleword B converted to a double.
    FromDoubleword,
    /// An estimate of 1 / B.
    ReciprocalEstimate,
    /// An estimate of 1 / sqrt(B).
    ReciprocalRootEstimate,
}

/// The precision to which a result is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// The precision of binary32.
    Single,
    /// The precision of binary64.
    Double,
}

impl Precision {
    /// The format of this precision.
    pub const fn format(self) -> Format {
        match self {
            Self::Single => SINGLE,
            Self::Double => DOUBLE,
        }
    }

    /// The exponent adjustment for enabled underflow and overflow exceptions. The adjustment is added to the exponent
    /// of a result that underflows, and subtracted from the exponent of a result that overflows.
    pub(super) const fn exponent_adjustment(self) -> i32 {
        match self {
            Self::Single => 192,
            Self::Double => 1536,
        }
    }
}
