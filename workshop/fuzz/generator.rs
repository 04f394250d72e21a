//! The bodies of the fuzz targets. The crate's own tests call them with random bytes, so that they also run without a
//! fuzzer.

use cell::channel::Channel;
use cell::command::Command;
use cell::door::{
    Access, Op, PpeOp, PpeProgram, PpeStep, PpeTurn, Program, SpeEvents, Step, Supervisor, Syscall, TagUpdate, Turn,
    Walk,
};
use cell::ea::{SPE_WINDOW_BASE, SPE_WINDOW_BYTES};
use cell::machine::Machine;
use cell::placement::Placement;
use cell::store::LocalStore;
use cell::system::System;
use cell::units::ThreadId;
use std::collections::VecDeque;

/// Bus cycles after which a run is stopped; a few operations never take this long.
const LIMIT_BUS_CYCLES: u64 = 50_000_000;

/// Maximum number of operations of one program.
const OPERATIONS_MAX: usize = 200;

/// Reads any bytes as a machine file; a refusal is one line.
pub fn read_machine(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = Machine::parse(&text, "fuzz.toml") {
        let line = error.to_string();
        assert!(!line.is_empty() && !line.contains('\n'), "{line:?}");
    }
}

/// Runs two SPE programs and a PPE program made of any bytes. They end with a record, or with an error of one line.
pub fn run_programs(bytes: &[u8]) -> String {
    let mut source = Source(bytes);
    let mut machine = Machine::builtin("eval-board").expect("a machine that comes with the simulator");
    // System calls of a million bus cycles would fill the whole run.
    machine.os.thread_create_ns = 100;
    machine.os.thread_join_ns = 100;
    let mut system = System::new(&machine, Placement::default_of(&machine));
    let settings = source.byte();
    if settings & 1 == 1 {
        system.enable_fast_forward();
    }
    if settings & 2 == 2 {
        system.record_transfers();
    }
    let mut ppe = Vec::new();
    if settings & 4 == 4 {
        ppe.push(PpeStep::Ask(PpeOp::Syscall(Syscall::ThreadCreate(ThreadId(0), 0))));
        ppe.push(PpeStep::Ask(PpeOp::Syscall(Syscall::ThreadCreate(ThreadId(1), 0))));
        ppe.extend((0..source.byte() as usize % OPERATIONS_MAX).map(|_| source.ppe_step()));
    }
    for thread in 0..2 {
        let steps: Vec<SpuStep> = (0..source.byte() as usize % OPERATIONS_MAX).map(|_| source.spu_step()).collect();
        let factory =
            move |_| Box::new(SpuProgram { steps: steps.clone().into(), asked: [].into() }) as Box<dyn Program>;
        system.load(ThreadId(thread), Box::new(factory));
    }
    if !ppe.is_empty() {
        system.load_ppe(Box::new(PpeSteps(ppe.into())));
    }
    match system.run(LIMIT_BUS_CYCLES, || true) {
        Ok(record) => record.to_json(),
        Err(error) => {
            let line = error.to_string();
            assert!(!line.is_empty() && !line.contains('\n'), "{line:?}");
            line
        }
    }
}

/// Bytes as decisions; after the last byte, all decisions are zero.
struct Source<'b>(&'b [u8]);

/// One step of a random SPE program.
#[derive(Clone, Copy, Debug)]
enum SpuStep {
    /// Any operation.
    Ask(Op),
    /// A whole command with plausible parameters.
    Command { lsa: u32, ea: u64, size: u32, tag: u32, opcode: u32 },
    /// Waits for tag groups.
    Wait { mask: u32, update: u32 },
    /// Writes the local store.
    Store { address: u32, value: u32 },
    /// Makes a mark.
    Mark { remaining: u8 },
}

impl Source<'_> {
    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((byte, rest)) => {
                self.0 = rest;
                *byte
            }
            None => 0,
        }
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.byte() as usize % from.len()]
    }

    /// A value that is often meaningful.
    fn value(&mut self) -> u32 {
        match self.byte() % 4 {
            0 => self.word(),
            1 => 1 << (self.byte() % 32),
            _ => u32::from(self.byte()),
        }
    }

    /// An address in memory, a local store or a register; rarely an arbitrary address.
    fn ea(&mut self, read: bool) -> u64 {
        const READABLE: [u64; 8] = [0x4004, 0x4014, 0x4024, 0x3104, 0x322c, 0x3014, 0x321c, 0x1_ff00];
        const WRITABLE: [u64; 12] =
            [0x400c, 0x1400c, 0x1c00c, 0x401c, 0x3004, 0x3008, 0x300c, 0x3010, 0x3014, 0x321c, 0x3204, 0x0];
        let offset = u64::from(self.word());
        let window = SPE_WINDOW_BASE + u64::from(self.byte() % 8) * SPE_WINDOW_BYTES;
        match self.byte() % 8 {
            0 if self.one_in(16) => offset << 32 | u64::from(self.word()),
            1 if self.one_in(16) => window + offset % SPE_WINDOW_BYTES,
            2 | 3 => window + (offset & 0x1_ff80),
            4 => window + 0x4_0000 + if read { self.pick(&READABLE) } else { self.pick(&WRITABLE) },
            _ => offset & 0xf_ff80,
        }
    }

    /// A command that is usually valid, so that programs get far.
    fn command(&mut self) -> SpuStep {
        const OPCODES: [u32; 32] = [
            0x20, 0x21, 0x22, 0x24, 0x25, 0x26, 0x30, 0x34, 0x40, 0x41, 0x42, 0x44, 0x45, 0x46, 0x80, 0x81, 0x89, 0x8d,
            0x8f, 0xb0, 0xb4, 0xb8, 0xa0, 0xa1, 0xa2, 0xc0, 0xc8, 0xcc, 0xd0, 0xd0, 0x40, 0x20,
        ];
        let opcode = if self.one_in(200) { self.word() } else { self.pick(&OPCODES) };
        let tag = if self.one_in(200) { self.word() } else { u32::from(self.byte() % 4) };
        if matches!(opcode, 0xb0..=0xd0) {
            let ea = u64::from(self.byte() % 16) << 7;
            return SpuStep::Command { lsa: self.word(), ea, size: 128, tag, opcode };
        }
        let ea = self.ea(opcode & 0x40 != 0);
        if opcode & 4 != 0 {
            let list = u64::from(self.word() & 0x7ff8);
            let size = 8 * (1 + u32::from(self.byte() % 32));
            return SpuStep::Command { lsa: self.word() & 0x3_fff0, ea: ea & !0xffff_ffff | list, size, tag, opcode };
        }
        let size = match (self.one_in(200), ea & 0x4_0000 != 0 || opcode & 0xa0 == 0xa0, self.byte() % 4) {
            (true, ..) => self.value(),
            (_, true, _) => 4,
            (_, _, 1) => self.pick(&[0, 1, 2, 4, 8]),
            _ => 16 * (u32::from(self.byte()) + 1),
        };
        let lsa = if self.one_in(200) { self.word() } else { self.word() & 0x1_fff0 | ea as u32 & 0xf };
        SpuStep::Command { lsa, ea, size, tag, opcode }
    }

    fn one_in(&mut self, n: u8) -> bool {
        self.byte() % n == n - 1
    }

    fn spu_step(&mut self) -> SpuStep {
        const HARMLESS: [Channel; 8] = [
            Channel::RD_DEC,
            Channel::RD_TAG_MASK,
            Channel::RD_EVENT_MASK,
            Channel::RD_SRR0,
            Channel::RD_MACH_STAT,
            Channel::RD_DEC,
            Channel::RD_IN_MBOX,
            Channel::RD_SIG_NOTIFY_1,
        ];
        match self.byte() % 32 {
            0 if self.one_in(16) => SpuStep::Ask(Op::Read(self.channel())),
            1 if self.one_in(16) => SpuStep::Ask(Op::Write(self.channel(), self.value())),
            2 | 3 => SpuStep::Ask(Op::Count(Channel(self.byte() % 5))),
            4 => SpuStep::Ask(Op::Read(self.pick(&HARMLESS))),
            5..=7 => SpuStep::Ask(Op::Compute(u64::from(self.value()))),
            8..=11 => SpuStep::Wait { mask: self.value(), update: self.value() % 3 },
            12..=14 => SpuStep::Store { address: self.word(), value: self.word() },
            // A list element that may be valid and may stall.
            15 | 16 => {
                SpuStep::Store { address: self.word() & 0x7ff8, value: self.pick(&[16, 128, 0x8000_0010, 4, 0]) }
            }
            17 => SpuStep::Mark { remaining: self.byte() },
            18 => SpuStep::Ask(Op::Write(Channel::WR_LIST_STALL_ACK, u32::from(self.byte() % 4))),
            19 => SpuStep::Ask(Op::Write(Channel::WR_EVENT_MASK, self.value())),
            20 => SpuStep::Ask(Op::Write(Channel::WR_DEC, self.value())),
            21 => SpuStep::Ask(Op::Write(Channel::WR_MS_SYNC_REQ, 0)),
            _ => self.command(),
        }
    }

    fn channel(&mut self) -> Channel {
        match self.byte() {
            number @ 0..=250 => Channel(number % 31),
            number => Channel(number),
        }
    }

    fn ppe_step(&mut self) -> PpeStep {
        let thread = ThreadId(if self.one_in(200) { self.byte() } else { self.byte() % 2 });
        let value = u64::from(self.value());
        let choice = self.byte() % 20;
        let ea = self.ea(choice < 3);
        let bytes = if self.one_in(200) { self.byte() } else { 4 };
        PpeStep::Ask(match choice {
            0..=1 => PpeOp::Load { ea, bytes },
            2 => PpeOp::Walk(self.walk(ea, bytes)),
            3..=6 => PpeOp::Store { ea, bytes, value },
            7 => PpeOp::Compute(value),
            8 => PpeOp::TimeBase,
            9 => PpeOp::Syscall(Syscall::ThreadCreate(thread, value)),
            10 => PpeOp::Syscall(Syscall::ThreadJoin(thread)),
            11 => PpeOp::Syscall(Syscall::InMboxWrite(thread, value as u32)),
            12 => PpeOp::Syscall(Syscall::OutMboxRead(thread)),
            13 => PpeOp::Syscall(Syscall::OutIntrMboxRead(thread)),
            14 => PpeOp::Syscall(Syscall::SignalWrite(thread, self.byte() % 3, value as u32)),
            15 => PpeOp::Syscall(self.library_call(thread, value)),
            16 => PpeOp::Syscall(Syscall::ThreadContinue(thread)),
            _ => return PpeStep::Mark { remaining: u64::from(self.byte()) },
        })
    }
}

impl Source<'_> {
    /// A proxy command, or a wait for proxy commands or events.
    fn library_call(&mut self, thread: ThreadId, value: u64) -> Syscall {
        match self.byte() % 4 {
            0 => Syscall::EventWait(SpeEvents::from_word(value | u64::from(self.word())), Some(value)),
            1 => {
                let update = self.pick(&[TagUpdate::Immediate, TagUpdate::Any, TagUpdate::All]);
                Syscall::MfcTagStatus(thread, self.value(), update)
            }
            _ => match self.command() {
                SpuStep::Command { lsa, ea, size, tag, opcode } => {
                    Syscall::MfcCommand(thread, Command { opcode, lsa, ea, size, tag })
                }
                _ => Syscall::ThreadJoin(thread),
            },
        }
    }

    fn walk(&mut self, ea: u64, bytes: u8) -> Walk {
        let access = match self.byte() % 3 {
            0 => Access::Load { from: ea },
            1 => Access::Store { to: ea, value: u64::from(self.value()) },
            _ => Access::Copy { from: ea, to: self.ea(true) },
        };
        let stride_bytes = u32::from(bytes) * u32::from(self.byte() % 9);
        Walk { access, bytes, stride_bytes, count: u64::from(self.byte()) }
    }
}

/// A random SPE program.
struct SpuProgram {
    steps: VecDeque<SpuStep>,
    /// Remaining operations of the current step.
    asked: VecDeque<Op>,
}

impl Program for SpuProgram {
    fn resume(&mut self, _: Turn, local_store: &mut LocalStore) -> Result<Step, String> {
        loop {
            if let Some(op) = self.asked.pop_front() {
                return Ok(Step::Ask(op));
            }
            match self.steps.pop_front() {
                None => return Ok(Step::Stop(0)),
                Some(SpuStep::Ask(op)) => return Ok(Step::Ask(op)),
                Some(SpuStep::Mark { remaining }) => return Ok(Step::Mark { remaining: u64::from(remaining) }),
                Some(SpuStep::Store { address, value }) => local_store.write_u32(u64::from(address), value),
                Some(SpuStep::Command { lsa, ea, size, tag, opcode }) => {
                    let values = [lsa, (ea >> 32) as u32, ea as u32, size, tag, opcode];
                    let channels = (Channel::MFC_LSA.0..=Channel::MFC_CMD.0).map(Channel);
                    self.asked = channels.zip(values).map(|(channel, value)| Op::Write(channel, value)).collect();
                }
                Some(SpuStep::Wait { mask, update }) => {
                    let ask = [Op::Write(Channel::WR_TAG_MASK, mask), Op::Write(Channel::WR_TAG_UPDATE, update)];
                    self.asked = ask.into_iter().chain([Op::Read(Channel::RD_TAG_STAT)]).collect();
                }
            }
        }
    }
}

/// A random PPE program.
struct PpeSteps(VecDeque<PpeStep>);

impl PpeProgram for PpeSteps {
    fn resume(&mut self, _: PpeTurn, _: &mut dyn Supervisor) -> Result<PpeStep, String> {
        Ok(self.0.pop_front().unwrap_or(PpeStep::Stop(0)))
    }
}
