//! Tests whether every bit and every flag of the SPU's arithmetic is as the architecture specifies.
//!
//! The tests compare each function of `spu::float` with a slow model that is meant to be obviously correct. In the
//! model, numbers are sequences of binary digits, sums are computed digit by digit, and rounding inspects the digits.

mod convert;
mod digits;
mod double;
mod estimate;
mod four;
mod operands;
mod single;
