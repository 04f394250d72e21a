//! Tests of the effect of each instruction. The tests' models share no code with the code under test.

mod arithmetic;
mod disassembly;
mod fractions;
mod oracle;
