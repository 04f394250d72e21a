//! What each instruction does, whatever it takes: against models that share nothing with the code they judge.

mod arithmetic;
mod disassembly;
mod fractions;
mod oracle;
