//! Tests whether floating-point instructions return the results of exact arithmetic, rounded as the architecture
//! specifies.
//!
//! The tests convert operands to exact fractions, compute the result with these fractions and round it once. The tests
//! share no code with the crate: like a program, a test executes instructions and reads the status register. The rules
//! come from the text of SPU Instruction Set Architecture 1.2, chapter 9.
//!
//! Two points are not tested, because the architecture does not specify them: the effect of `fi` and conversions on the
//! flags, and the flags that a NaN operand sets in addition to NAN.

mod convert;
mod double;
mod estimate;
mod exact;
mod operands;
mod single;

use cell::store::LocalStore;
use spu::float::Fpscr;
use spu::{Instruction, Opcode, Quadword, Registers, execute};

/// Executes an instruction, and returns RT and the status register. The three operands are passed in RA, in RB, and in
/// both RC and RT.
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
