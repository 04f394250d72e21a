//! The floating-point status and control register.
//!
//! Exception bits are sticky. VX and FEX summarise other exception bits. FR (rounding increased the magnitude), FI (the
//! result was rounded) and the result's class (C to FU) describe the last operation. `Fpscr` records the last
//! operation, and computes FR, FI and the class only when a program reads them.

use super::exact::outcome;
use super::number::{is_nan, is_signalling};
use super::operation::Operation;
use super::outcome::{Control, Outcome};
use super::status::{FEX, FI, FR, FX, OE, OX, UE, UX, VE, VX, VX_ALL, VXSNAN, VXVC, XE, XX, ZE, ZX};
use super::{compare, host};

/// All exception bits, without the summary bits.
const EXCEPTIONS: u32 = OX | UX | ZX | XX | VX_ALL;
/// The bits that summarise other bits.
const SUMMARIES: u32 = FEX | VX;
/// A bit that the register does not implement.
const RESERVED: u32 = 1 << 11;
/// The bit position of the last result's class. The class has five bits, of which a comparison sets the last four.
const CLASS_SHIFT: u32 = 12;
const CLASS: u32 = 0x1f << CLASS_SHIFT;
const COMPARISON: u32 = 0xf << CLASS_SHIFT;
/// The distance between an exception's status bit and its enable bit.
const ENABLE_SHIFT: u32 = 22;

/// The floating-point status and control register.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fpscr {
    /// All bits, except the bits that `last` determines.
    bits: u32,
    /// The operation that determines FR, FI and the class.
    last: Last,
}

/// The last operation, if it raised no new exception and its status bits are not computed yet.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    operation: Option<Operation>,
    operands: [u64; 3],
    /// The result of a comparison after the operation; 0 if there was no comparison.
    comparison: u8,
}

impl PartialEq for Fpscr {
    fn eq(&self, other: &Self) -> bool {
        self.read() == other.read()
    }
}

impl Eq for Fpscr {}

impl Fpscr {
    /// Creates a register with the given bits.
    pub fn new(bits: u32) -> Self {
        let mut fpscr = Self { bits: bits & !RESERVED, last: Last::default() };
        fpscr.summarise();
        fpscr
    }

    /// The value of the whole register.
    pub fn read(&self) -> u32 {
        let mut settled = *self;
        settled.settle();
        settled.bits
    }

    /// `mtfsf`: writes the bits that the mask selects.
    pub fn write(&mut self, value: u32, mask: u32) {
        self.settle();
        self.bits = self.bits & !mask | value & mask & !RESERVED;
        self.summarise();
    }

    /// `mtfsb1` and `mtfsb0`: sets or clears one bit, counted from the left.
    pub fn write_bit(&mut self, number: u8, value: bool) {
        let bit = 0x8000_0000u32.checked_shr(number.into()).unwrap_or(0) & !(SUMMARIES | RESERVED);
        self.settle();
        if value {
            self.raise(bit);
        } else {
            self.bits &= !bit;
            self.summarise();
        }
    }

    /// `mcrfs`: reads a field, counted from the left, and then clears its exceptions.
    pub fn take_field(&mut self, number: u8) -> u32 {
        self.settle();
        let shift = 28 - 4 * u32::from(number & 7);
        let field = self.bits >> shift & 0xf;
        self.bits &= !(0xf << shift & (EXCEPTIONS | FX));
        self.summarise();
        field
    }

    /// The bits that a recording instruction copies to condition field 1: FX, FEX, VX and OX.
    #[inline]
    pub fn record(&self) -> u32 {
        self.bits >> 28
    }

    /// Whether an exception is set and enabled.
    #[inline]
    pub fn enabled_exception(&self) -> bool {
        self.bits & FEX != 0
    }

    /// Executes an operation on operands A, B and C. Returns the result, or `None` if the target stays unchanged.
    #[inline(always)]
    pub fn compute(&mut self, operation: Operation, operands: [u64; 3]) -> Option<u64> {
        if let Some(result) = host::result(operation, operands, self.bits) {
            // The operands are stored one by one, because a copy of the whole array would stall on store forwarding.
            self.last.operation = Some(operation);
            self.last.comparison = 0;
            self.last.operands[0] = operands[0];
            self.last.operands[1] = operands[1];
            self.last.operands[2] = operands[2];
            return Some(result);
        }
        self.compute_exactly(operation, operands)
    }

    /// Executes an operation without the host's arithmetic.
    #[inline(never)]
    pub fn compute_exactly(&mut self, operation: Operation, operands: [u64; 3]) -> Option<u64> {
        self.settle();
        let outcome = outcome(operation, operands, Control(self.bits));
        self.accept(&outcome);
        outcome.result
    }

    /// `fcmpu`, or `fcmpo` if `is_ordered`: returns the field for the condition register.
    #[inline]
    pub fn compare(&mut self, a: u64, b: u64, is_ordered: bool) -> u32 {
        let comparison = compare::compare(a, b);
        self.last.comparison = comparison as u8;
        if is_nan(a) || is_nan(b) {
            self.compare_nan(is_signalling(a) || is_signalling(b), is_ordered);
        }
        comparison
    }

    /// Raises the exceptions of a comparison with a NaN. A signalling NaN stops the comparison if VE is set.
    fn compare_nan(&mut self, is_signalling: bool, is_ordered: bool) {
        let signalling = if is_signalling { VXSNAN } else { 0 };
        let stops = is_signalling && self.bits & VE != 0;
        let comparison = if is_ordered && !stops { VXVC } else { 0 };
        self.raise(signalling | comparison);
    }

    /// Computes the bits that `last` determines, and clears `last`.
    fn settle(&mut self) {
        let Last { operation, operands, comparison } = std::mem::take(&mut self.last);
        if let Some(operation) = operation {
            let outcome = outcome(operation, operands, Control(self.bits));
            self.accept(&outcome);
        }
        if comparison != 0 {
            self.bits = self.bits & !COMPARISON | u32::from(comparison) << CLASS_SHIFT;
        }
    }

    fn accept(&mut self, outcome: &Outcome) {
        self.bits = self.bits & !(FR | FI) | outcome.rounding;
        if let Some(class) = outcome.class {
            self.bits = self.bits & !CLASS | class << CLASS_SHIFT;
        }
        self.raise(outcome.raised);
    }

    fn raise(&mut self, bits: u32) {
        let is_new = bits & !self.bits & EXCEPTIONS != 0;
        self.bits |= bits | if is_new { FX } else { 0 };
        self.summarise();
    }

    fn summarise(&mut self) {
        let bits = self.bits & !SUMMARIES;
        let bits = bits | if bits & VX_ALL != 0 { VX } else { 0 };
        let enabled = bits >> ENABLE_SHIFT & bits & (VE | OE | UE | ZE | XE) != 0;
        self.bits = bits | if enabled { FEX } else { 0 };
    }
}

#[cfg(test)]
mod tests;
