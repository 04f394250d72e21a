//! The bits of the floating-point status and control register.
//!
//! ```text
//! FX FEX VX OX   UX ZX XX VXSNAN   VXISI VXIDI VXZDZ VXIMZ   VXVC FR FI C
//! FL FG FE FU    .. VXSOFT VXSQRT VXCVI   VE OE UE ZE   XE NI RN RN
//! ```

/// Summary: an exception bit has changed from clear to set.
pub const FX: u32 = 1 << 31;
/// Summary: an enabled exception is set.
pub const FEX: u32 = 1 << 30;
/// Summary: an invalid operation is set.
pub const VX: u32 = 1 << 29;
/// Overflow.
pub const OX: u32 = 1 << 28;
/// Underflow.
pub const UX: u32 = 1 << 27;
/// Division by zero.
pub const ZX: u32 = 1 << 26;
/// Inexact.
pub const XX: u32 = 1 << 25;
/// Invalid: a signalling NaN.
pub const VXSNAN: u32 = 1 << 24;
/// Invalid: the difference of infinities.
pub const VXISI: u32 = 1 << 23;
/// Invalid: the quotient of infinities.
pub const VXIDI: u32 = 1 << 22;
/// Invalid: the quotient of zeros.
pub const VXZDZ: u32 = 1 << 21;
/// Invalid: infinity times zero.
pub const VXIMZ: u32 = 1 << 20;
/// Invalid: a comparison with a NaN.
pub const VXVC: u32 = 1 << 19;
/// The last result's magnitude was rounded up.
pub const FR: u32 = 1 << 18;
/// The last result was rounded.
pub const FI: u32 = 1 << 17;
/// Invalid: requested by software.
pub const VXSOFT: u32 = 1 << 10;
/// Invalid: the square root of a negative number.
pub const VXSQRT: u32 = 1 << 9;
/// Invalid: the conversion to an integer is out of range.
pub const VXCVI: u32 = 1 << 8;
/// Enables invalid-operation exceptions.
pub const VE: u32 = 1 << 7;
/// Enables overflow exceptions.
pub const OE: u32 = 1 << 6;
/// Enables underflow exceptions.
pub const UE: u32 = 1 << 5;
/// Enables division-by-zero exceptions.
pub const ZE: u32 = 1 << 4;
/// Enables inexact exceptions.
pub const XE: u32 = 1 << 3;
/// Selects arithmetic that does not conform to IEEE.
pub const NI: u32 = 1 << 2;
/// The rounding mode.
pub const RN: u32 = 3;
/// The mask of all invalid operations.
pub const VX_ALL: u32 = VXSNAN | VXISI | VXIDI | VXZDZ | VXIMZ | VXVC | VXSOFT | VXSQRT | VXCVI;
