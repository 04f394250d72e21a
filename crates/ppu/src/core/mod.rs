//! The run loop: executes decoded words until the turn ends or an instruction needs something from outside.
//!
//! The points at which turns end do not by themselves affect a program. Only actions of other parts of the machine
//! between turns affect a program.

use crate::class::Costs;
use crate::execute::End;
use crate::instruction::Instruction;
use crate::memory::{Memory, Stop};
use crate::predecode::{Code, PAGE_BYTES, Page, index};
use crate::registers::Cpu;
use crate::table::Functions;

/// The reason why a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The turn's cycles are used up.
    Budget,
    /// The program made a system call. The program counter is the address of the next instruction.
    SystemCall,
    /// The condition of a trap holds.
    Trap,
    /// The word is not an instruction that user programs may execute.
    Illegal {
        /// The instruction word.
        word: u32,
    },
    /// An access to storage cannot complete.
    Stop(Stop),
}

/// The size of a line of the instruction cache.
const LINE_BYTES: u32 = 128;

/// The reason for leaving a page of code. The program counter is set.
enum Leave {
    /// The next instruction is in another page.
    Page,
    /// The turn's cycles are used up.
    Budget,
    /// The page's loop cannot complete an instruction.
    End(End),
}

impl Cpu {
    /// Executes until `budget_cycles` are used up, or until an instruction needs something from outside. Returns the
    /// cycles used, and the reason for the end. After a system call, the program counter is the address of the next
    /// instruction. After any other end, it is the address of the instruction to execute next, which may be one that
    /// could not complete.
    pub fn run<M: Memory>(&mut self, memory: &mut M, code: &mut Code, budget_cycles: u64) -> (u64, Exit) {
        let mut turn = Turn { spent: 0, budget_cycles, executed: 0 };
        loop {
            let (page, costs) = code.page(self.pc);
            let exit = match turn.run_page(self, memory, page, costs) {
                Leave::Page => continue,
                Leave::Budget => Exit::Budget,
                Leave::End(End::Undecoded) => match memory.fetch(self.pc) {
                    Ok(word) => {
                        code.set(self.pc, word);
                        continue;
                    }
                    Err(stop) => Exit::Stop(stop),
                },
                Leave::End(End::Invalidate { ea }) => {
                    code.forget(ea & !(LINE_BYTES - 1), LINE_BYTES);
                    continue;
                }
                Leave::End(End::SystemCall) => Exit::SystemCall,
                Leave::End(End::Stop(stop)) => Exit::Stop(stop),
                Leave::End(End::Trap) => Exit::Trap,
                Leave::End(_) => memory.fetch(self.pc).map_or_else(Exit::Stop, |word| Exit::Illegal { word }),
            };
            code.instructions += turn.executed;
            return (turn.spent, exit);
        }
    }
}

/// The cycles and instructions of one turn.
struct Turn {
    spent: u64,
    budget_cycles: u64,
    /// Instructions executed in the turn.
    executed: u64,
}

impl Turn {
    /// Executes instructions within a page of code.
    #[inline(always)]
    fn run_page<M: Memory>(&mut self, cpu: &mut Cpu, memory: &mut M, page: &mut Page, costs: &Costs) -> Leave {
        let functions = &Functions::<M>::ALL;
        let base = cpu.pc & !(PAGE_BYTES - 1);
        let mut at = index(cpu.pc);
        // Instructions are counted when straight-line code ends.
        let mut from = at;
        loop {
            let Some(i) = page.get_mut(at) else {
                self.executed += (at - from) as u64;
                cpu.pc = base.wrapping_add(PAGE_BYTES);
                return Leave::Page;
            };
            if self.spent >= self.budget_cycles {
                self.executed += (at - from) as u64;
                cpu.pc = i.pc;
                return Leave::Budget;
            }
            self.spent += u64::from(i.cycles);
            at += 1;
            let Err(end) = functions[usize::from(i.row)](i, cpu, memory) else { continue };
            match end {
                End::Jump => self.spent += costs.branch_taken_cycles,
                End::Taken => self.spent += costs.branch_taken_cycles + predict(i, true, costs),
                End::NotTaken => {
                    self.spent += predict(i, false, costs);
                    continue;
                }
                End::TimeBase => {
                    let ticks = memory.time_base(self.spent);
                    cpu.set_word(i.rt, if i.ra & 1 == 0 { ticks as u32 } else { (ticks >> 32) as u32 });
                    continue;
                }
                _ => {
                    self.executed += (at - from) as u64;
                    return self.leave(end, i, cpu);
                }
            }
            self.executed += (at - from) as u64;
            if cpu.pc & !(PAGE_BYTES - 1) != base {
                return Leave::Page;
            }
            at = index(cpu.pc);
            from = at;
        }
    }

    /// Leaves the page at instruction `i`, or after `i` if it was executed.
    fn leave(&mut self, end: End, i: &Instruction, cpu: &mut Cpu) -> Leave {
        match end {
            End::SystemCall | End::Invalidate { .. } => cpu.pc = i.next(),
            _ => {
                // The instruction will be executed again later, and its cycles are charged then.
                self.spent -= u64::from(i.cycles);
                self.executed -= 1;
                cpu.pc = i.pc;
            }
        }
        Leave::End(end)
    }
}

/// Records the direction of a conditional branch. Returns the cost of a misprediction, or 0.
///
/// MODEL: each branch has its own two-bit counter, which all threads of a process share. The PPE selects a counter by
/// the branch's address and the directions of recent branches, so that several branches may share a counter.
#[inline(always)]
fn predict(i: &mut Instruction, taken: bool, costs: &Costs) -> u64 {
    let predicted = i.history >= 2;
    i.history = if taken { (i.history + 1).min(3) } else { i.history.saturating_sub(1) };
    if predicted == taken { 0 } else { costs.branch_mispredicted_cycles }
}
