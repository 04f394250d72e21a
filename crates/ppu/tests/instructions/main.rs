//! Does every instruction do what it should?

#[path = "../common/mod.rs"]
mod common;

use common::Flat;
use ppu::{Code, Costs, Cpu, Exit};

#[test]
fn a_loop_counts_down_and_asks_the_system() {
    let mut memory = Flat::new(0x1000, 0x1000);
    // li 3,0; li 4,5; mtctr 4; addi 3,3,2; bdnz .-4; sc
    memory.put_code(0x1000, &[0x3860_0000, 0x3880_0005, 0x7c89_03a6, 0x3863_0002, 0x4200_fffc, 0x4400_0002]);
    let mut cpu = Cpu { pc: 0x1000, ..Cpu::default() };
    let mut code = Code::new(Costs::one_each());
    assert_eq!(cpu.run(&mut memory, &mut code, 1000), (14, Exit::SystemCall));
    assert_eq!((cpu.word(3), cpu.pc), (10, 0x1018));
}
