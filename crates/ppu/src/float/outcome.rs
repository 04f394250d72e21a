//! The control settings of a floating-point operation, and its outcome: result, exceptions and class.

use spu::float::Rounding;
use spu::float::round::{DOUBLE, Exact, Format, SINGLE};

use super::number::{class, is_nan, is_signalling};
use super::operation::Precision;
use super::status::{FI, FR, OE, OX, RN, UE, UX, VE, VX_ALL, VXSNAN, XX, ZE, ZX};
use super::{number, single};

/// The FPSCR settings that affect an operation: the rounding mode and the enabled exceptions.
#[derive(Clone, Copy, Debug)]
pub struct Control(pub(super) u32);

impl Control {
    /// Rounding to nearest, without enabled exceptions.
    pub const DEFAULT: Control = Control(0);

    /// The rounding mode.
    pub fn rounding(self) -> Rounding {
        Rounding::ALL[(self.0 & RN) as usize]
    }

    /// Whether this exception is enabled.
    pub fn enables(self, exception: u32) -> bool {
        self.0 & exception != 0
    }
}

/// The outcome of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The value for the target, or `None` if an enabled exception leaves the target unchanged.
    pub result: Option<u64>,
    /// The raised exceptions, as bits of the FPSCR.
    pub raised: u32,
    /// The bits FR and FI of the FPSCR.
    pub rounding: u32,
    /// The class of the result for the FPSCR, or `None` if the class stays unchanged.
    pub class: Option<u32>,
}

impl Outcome {
    /// The outcome of an operation whose exact result is `result`.
    pub fn exact(result: u64, is_single: bool) -> Self {
        Self { result: Some(result), raised: 0, rounding: 0, class: Some(class(result, is_single)) }
    }

    /// Adds raised exceptions to the outcome. An enabled invalid operation or division by zero leaves the target
    /// unchanged.
    pub fn raising(mut self, exceptions: u32, control: Control) -> Self {
        let stops = (exceptions & VX_ALL != 0 && control.enables(VE)) || (exceptions & ZX != 0 && control.enables(ZE));
        if stops {
            (self.result, self.class) = (None, None);
        }
        Self { raised: self.raised | exceptions, ..self }
    }

    /// The outcome of an invalid operation whose operands include no NaN.
    pub fn invalid(exceptions: u32, control: Control) -> Self {
        Self::exact(number::DEFAULT_NAN, false).raising(exceptions, control)
    }

    /// Returns the outcome if an operand is a NaN: the result is the first NaN operand, made quiet. `more` is a set of
    /// additional exceptions.
    pub fn nan(operands: &[u64], more: u32, control: Control) -> Option<Self> {
        let nan = operands.iter().copied().find(|&a| is_nan(a))?;
        let signalling = operands.iter().any(|&a| is_signalling(a));
        let exceptions = if signalling { more | VXSNAN } else { more };
        Some(Self::exact(nan | number::QUIET, false).raising(exceptions, control))
    }

    /// The outcome of rounding an exact number to a precision.
    pub fn rounded(exact: Exact, precision: Precision, control: Control) -> Self {
        let rounding = control.rounding();
        let mut rounded = exact.rounded(precision.format(), rounding);
        let mut is_single = matches!(precision, Precision::Single);
        let mut raised = 0;
        if rounded.overflow {
            raised |= OX;
        } else if rounded.tiny && (rounded.inexact || control.enables(UE)) {
            raised |= UX;
        }
        let adjustment = precision.exponent_adjustment();
        let adjustment = match raised {
            OX if control.enables(OE) => -adjustment,
            UX if control.enables(UE) => adjustment,
            _ => 0,
        };
        let mut bits = if is_single { single::widen(rounded.bits as u32) } else { rounded.bits };
        if adjustment != 0 {
            rounded = exact.scaled(adjustment).rounded(wide(precision), rounding);
            bits = if is_single { rounded.bits << FRACTION_SHIFT } else { rounded.bits };
            is_single = false;
        }
        raised |= if rounded.inexact { XX } else { 0 };
        let fi = if rounded.inexact { FI } else { 0 };
        let fr = if rounded.away_from_zero { FR } else { 0 };
        Self { result: Some(bits), raised, rounding: fi | fr, class: Some(class(bits, is_single)) }
    }

    /// Flips the sign of the outcome's result, unless the result is a NaN.
    pub fn negated(self) -> Self {
        let negate = |a| if is_nan(a) { a } else { a ^ number::SIGN };
        let result = self.result.map(negate);
        // The result's class changes to the class of a number of the opposite sign.
        let class = self.class.zip(result).map(|(was, result)| if is_nan(result) { was } else { flip(was) });
        Self { result, class, ..self }
    }
}

/// The number of fraction bits in a double minus the number in a single.
const FRACTION_SHIFT: u32 = DOUBLE.fraction_bits - SINGLE.fraction_bits;

/// A format with the fraction size of `precision` and the exponent range of a double.
const fn wide(precision: Precision) -> Format {
    Format { fraction_bits: precision.format().fraction_bits, ..DOUBLE }
}

/// The class of a number with the opposite sign.
fn flip(class: u32) -> u32 {
    match class {
        0b00010 => 0b10010,
        0b10010 => 0b00010,
        0b10100 => 0b11000,
        0b11000 => 0b10100,
        other => other ^ 0b01100,
    }
}
