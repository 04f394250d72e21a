//! Is the SPU's arithmetic what the architecture says, to the bit and to the flag?
//!
//! Each function of `spu::float` against a model that is written to be obviously right and is never
//! fast: numbers are rows of binary digits, sums are made digit by digit, and the result is rounded by
//! looking at the digits.

mod convert;
mod digits;
mod double;
mod estimate;
mod four;
mod operands;
mod single;
