//! The run loop, which executes decoded instructions until the turn ends or an instruction needs a service from outside
//! the core.
//!
//! The length of turns does not by itself affect a program. A program is affected only by actions of other parts of the
//! machine between turns.

use crate::execute::End;
use crate::instruction::Instruction;
use crate::memory::{Memory, Stop};
use crate::pipeline::{Learned, Pipelines};
use crate::predecode::{Code, PAGE_BYTES, Page, index};
use crate::registers::Cpu;
use crate::table::{Functions, SLOTS};

/// The reason why a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The turn's cycles are used up.
    Budget,
    /// The program made a system call. The program counter is the address of the instruction after the call.
    SystemCall,
    /// The condition of a trap instruction is true.
    Trap,
    /// The word is not an instruction that user programs may execute.
    Illegal {
        /// The instruction word.
        word: u32,
    },
    /// An access to storage cannot complete.
    Stop(Stop),
}

/// The size of an instruction cache line.
const LINE_BYTES: u32 = 128;

/// The reason for leaving a page of code. The program counter is set to the next instruction.
enum Leave {
    /// The next instruction is in another page.
    Page,
    /// There are too many pipeline states.
    Full,
    /// The line of the next instruction must be fetched.
    Missing,
    /// The turn's cycles are used up.
    Budget,
    /// The loop over the page cannot complete an instruction.
    End(End),
}

impl Cpu {
    /// Executes until `budget_cycles` are used up, or until an instruction needs a service from outside the core.
    /// Returns the cycles used, and the reason for the exit. After a system call, the program counter is the address of
    /// the instruction after the call. After every other exit, the program counter is the address of the instruction to
    /// execute next, which may be the instruction that stopped.
    ///
    /// After [`Stop::Wait`], the caller must call [`Cpu::resume`].
    ///
    /// MODEL: a system call, a trap or a fault takes so long that the pipelines are empty afterwards.
    pub fn run<M: Memory>(&mut self, memory: &mut M, code: &mut Code, budget_cycles: u64) -> (u64, Exit) {
        self.run_turn::<M, false>(memory, code, budget_cycles)
    }

    /// Executes one instruction. Like [`Cpu::run`], but a completed instruction always ends the turn, with
    /// [`Exit::Budget`]. The instruction takes as many cycles as in a longer turn, which may be none if it issues
    /// together with the instruction before.
    pub fn step<M: Memory>(&mut self, memory: &mut M, code: &mut Code) -> (u64, Exit) {
        self.run_turn::<M, true>(memory, code, 1)
    }

    /// Continues after a service that took `cycles`. If the instruction that waited for it is a load, it receives its line
    /// only after another `delay` cycles.
    pub fn resume(&mut self, pipelines: &mut Pipelines, cycles: u64, delay: u64) {
        self.pipelines = pipelines.resume(self.pipelines, cycles, delay);
        self.end = self.end.wrapping_add(cycles);
    }

    /// Executes one instruction (`STEP`), or instructions until `budget_cycles` are used up. The mode is a constant, so
    /// that the loop of long turns does not pay for it.
    fn run_turn<M: Memory, const STEP: bool>(
        &mut self,
        memory: &mut M,
        code: &mut Code,
        budget_cycles: u64,
    ) -> (u64, Exit) {
        self.stores.wait = code.pipelines.load_hit_store();
        let state = code.pipelines.enter(self.pipelines);
        let begun = self.cycles();
        self.left = i64::try_from(budget_cycles).unwrap_or(i64::MAX);
        self.end = begun.wrapping_add_signed(self.left);
        let mut turn = Turn { begun, executed: 0, state };
        loop {
            let at = match memory.code_address(self.pc) {
                Ok(at) => at,
                Err(stop) => return turn.finish(self, code, Exit::Stop(stop)),
            };
            memory.enters(self.pc);
            let (page, pipelines) = code.page(at);
            let exit = match turn.run_page::<M, STEP>(self, memory, page, pipelines) {
                Leave::Page if STEP => Exit::Budget,
                Leave::Page => continue,
                Leave::Full => {
                    turn.state = code.discard_states(turn.state);
                    continue;
                }
                Leave::Missing => match memory.fetch_line(self.pc) {
                    Ok(()) => {
                        code.insert_line(self.pc as u32);
                        continue;
                    }
                    Err(stop) => Exit::Stop(stop),
                },
                Leave::Budget => Exit::Budget,
                Leave::End(End::Undecoded) => match memory.fetch(self.pc) {
                    Ok(word) => {
                        code.set(self.pc as u32, word);
                        continue;
                    }
                    Err(stop) => Exit::Stop(stop),
                },
                Leave::End(End::Invalidate { ea }) => {
                    code.forget(ea & !(LINE_BYTES - 1), LINE_BYTES);
                    if STEP {
                        Exit::Budget
                    } else {
                        continue;
                    }
                }
                Leave::End(End::SystemCall) => Exit::SystemCall,
                Leave::End(End::Fault { ea, store }) => Exit::Stop(Stop::Fault { ea, store }),
                Leave::End(End::Wait) => Exit::Stop(Stop::Wait),
                Leave::End(End::Alignment { ea }) => Exit::Stop(Stop::Alignment { ea }),
                Leave::End(End::Trap) => Exit::Trap,
                Leave::End(_) => memory.fetch(self.pc).map_or_else(Exit::Stop, |word| Exit::Illegal { word }),
            };
            return turn.finish(self, code, exit);
        }
    }
}

/// The cycles and instructions of one turn.
struct Turn {
    /// [`Cpu::cycles`] at the beginning of the turn.
    begun: u64,
    /// Instructions executed in the turn.
    executed: u64,
    /// The number of the pipeline state.
    state: u16,
}

impl Turn {
    /// Ends the turn. Returns the cycles used, and the reason for the exit.
    fn finish(self, cpu: &mut Cpu, code: &mut Code, exit: Exit) -> (u64, Exit) {
        code.instructions += self.executed;
        if matches!(exit, Exit::Budget | Exit::Stop(Stop::Wait)) {
            cpu.pipelines = code.pipelines.leave(self.state);
        } else {
            cpu.pipelines = 0;
            cpu.stores.clear();
        }
        (cpu.end, cpu.left) = (cpu.cycles(), 0);
        (cpu.end.wrapping_sub(self.begun), exit)
    }

    /// Executes instructions within a page of code, or one of them (`STEP`).
    #[inline(always)]
    fn run_page<M: Memory, const STEP: bool>(
        &mut self,
        cpu: &mut Cpu,
        memory: &mut M,
        page: &mut Page,
        pipelines: &mut Pipelines,
    ) -> Leave {
        let base = cpu.pc & !u64::from(PAGE_BYTES - 1);
        loop {
            // Instructions are counted at the end of each straight-line run of code.
            let from = cpu.pc;
            let Some(mut straight) = page.get_mut(index(from as u32)..) else { return Leave::Page };
            if STEP {
                straight = &mut straight[..1];
            }
            let (end, next) = self.run_straight(cpu, memory, straight, pipelines);
            self.executed += u64::from(next.wrapping_sub(from as u32) / 4);
            if let Some(leave) = end {
                return leave;
            }
            if STEP || cpu.pc & !u64::from(PAGE_BYTES - 1) != base {
                return Leave::Page;
            }
        }
    }

    /// Executes instructions up to a taken branch, or until the page must be left. Returns the reason for leaving the
    /// page, if there is one, and the right half of the address after the last instruction executed.
    #[inline(always)]
    fn run_straight<M: Memory>(
        &mut self,
        cpu: &mut Cpu,
        memory: &mut M,
        straight: &mut [Instruction],
        pipelines: &mut Pipelines,
    ) -> (Option<Leave>, u32) {
        let functions = &Functions::<M>::ALL;
        let mut state = self.state;
        let (leave, at) = 'leave: {
            for i in straight.iter_mut() {
                if cpu.left <= 0 {
                    break 'leave (Leave::Budget, i.pc);
                }
                if i.transition.state != state {
                    match pipelines.learn(i, state) {
                        Learned::Transition => (),
                        Learned::Full => break 'leave (Leave::Full, i.pc),
                        Learned::Missing => break 'leave (Leave::Missing, i.pc),
                    }
                }
                cpu.left -= i64::from(i.transition.cycles);
                let Err(end) = functions[usize::from(i.row) % SLOTS](i, cpu, memory) else {
                    state = i.transition.next;
                    continue;
                };
                rare(); // So that the host tests for `Ok` first, and not for all cases by one table.
                match end {
                    End::NotTaken if predict(i, false) => state = i.transition.next,
                    End::NotTaken => {
                        cpu.left -= pipelines.after_miss;
                        state = i.transition.missed;
                    }
                    End::Jump => {
                        cpu.left -= pipelines.after_taken;
                        self.state = i.transition.taken;
                        return (None, i.next());
                    }
                    End::Taken => {
                        let (next, cycles) = match predict(i, true) {
                            true => (i.transition.taken, pipelines.after_taken),
                            false => (i.transition.missed, pipelines.after_miss),
                        };
                        cpu.left -= cycles;
                        self.state = next;
                        return (None, i.next());
                    }
                    _ => {
                        let (next, at) = self.complete(cpu, memory, i, pipelines, state, end);
                        state = next;
                        if let Some(at) = at {
                            break 'leave (Leave::End(end), at);
                        }
                    }
                }
            }
            (Leave::Page, straight.last().map_or(cpu.pc as u32, Instruction::next))
        };
        (self.state, cpu.pc) = (state, cpu.near::<M>(at));
        (Some(leave), at)
    }

    /// Accounts for an instruction that was no branch and ended with `end`. Returns the state after it and, if the page
    /// must be left, the right half of the next instruction's address. Not inlined, so that branches, which end most runs
    /// of code, need not wait for the host's table of all ends.
    #[cold]
    #[inline(never)]
    fn complete<M: Memory>(
        &self,
        cpu: &mut Cpu,
        memory: &mut M,
        i: &mut Instruction,
        pipelines: &mut Pipelines,
        state: u16,
        end: End,
    ) -> (u16, Option<u32>) {
        let cycles_if_on_time = i64::from(i.transition.cycles);
        match end {
            End::Late { cycles } => {
                let (next, took) = pipelines.late(i, state, cycles);
                cpu.left += cycles_if_on_time - took;
                (next, None)
            }
            End::TimeBase => {
                let ticks = memory.time_base(cpu.cycles().wrapping_sub(self.begun));
                cpu.set_doubleword(
                    i.rt,
                    match (i.ra & 1, M::WIDE) {
                        (0, true) => ticks,
                        (0, false) => u64::from(ticks as u32),
                        _ => ticks >> 32,
                    },
                );
                (i.transition.next, None)
            }
            End::SystemCall | End::Invalidate { .. } => (i.transition.next, Some(i.next())),
            End::Wait => {
                // The instruction issues only once, although it is executed again.
                let (held, cycles) = pipelines.hold(i, state);
                cpu.left += cycles_if_on_time - i64::from(cycles);
                (held, Some(i.pc))
            }
            _ => {
                // The instruction will be executed again later, and its cycles are charged then.
                cpu.left += cycles_if_on_time;
                (state, Some(i.pc))
            }
        }
    }
}

/// Records the direction of a conditional branch. Returns whether the direction was predicted correctly.
///
/// MODEL: each branch has its own two-bit counter, which all threads of a process share. The PPE selects a counter by
/// the branch's address and the directions of recent branches, so several branches may share a counter.
#[inline(always)]
fn predict(i: &mut Instruction, taken: bool) -> bool {
    let predicted = i.history >= 2;
    i.history = if taken { (i.history + 1).min(3) } else { i.history.saturating_sub(1) };
    predicted == taken
}

/// Tells the compiler that its caller takes this path more rarely than the other.
#[cold]
fn rare() {}
