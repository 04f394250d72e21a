//! The effect of each instruction. The models of the tests share nothing with the code under test.

mod arithmetic;
mod disassembly;
mod fractions;
mod oracle;
