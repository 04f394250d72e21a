//! Does the SPU's arithmetic follow the architecture, to the bit and to the flag?
//!
//! The tests compare each function of `spu::float` with a model that is written to be obviously
//! correct and is slow. In the model, numbers are rows of binary digits, sums are computed digit by
//! digit, and rounding inspects the digits.

mod convert;
mod digits;
mod double;
mod estimate;
mod four;
mod operands;
mod single;
