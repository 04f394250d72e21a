//! Do floating-point instructions give what exact arithmetic gives, rounded as the architecture says?
//!
//! Operands become exact fractions, the result is computed with them, and rounded once.  Nothing is
//! shared with the code that is judged: instructions are executed, and the status register is read, as
//! a program does it.  Derived from the text of SPU Instruction Set Architecture 1.2, chapter 9.
//!
//! Not asked where the architecture is silent: what `fi` and conversions do to the flags, and which
//! flags come with a NaN besides its own.

mod convert;
mod double;
mod estimate;
mod exact;
mod operands;
mod single;

use cell::store::LocalStore;
use spu::float::Fpscr;
use spu::{Instruction, Opcode, Quadword, Registers, execute};

/// RT and the status register after `opcode` with these in RA, in RB, and in RC and RT.
fn run(opcode: Opcode, immediate: i32, operands: [Quadword; 3], status: Quadword) -> (Quadword, Quadword) {
    let mut registers = Registers::default();
    for (number, value) in [(1, operands[0]), (2, operands[1]), (3, operands[2]), (4, operands[2]), (5, status)] {
        registers.set(number, value);
    }
    let (mut fpscr, mut ls) = (Fpscr::default(), LocalStore::new(1 << 18, 1 << 18));
    let mut step = |opcode, rt, ra| {
        let i = Instruction { opcode, rt, ra, rb: 2, rc: 3, branch_offset_words: 0, immediate };
        execute(&i, 0, &mut registers, &mut fpscr, &mut ls);
    };
    step(Opcode::Fscrwr, 0, 5);
    step(opcode, 4, 1);
    step(Opcode::Fscrrd, 6, 0);
    (registers.get(4), registers.get(6))
}
