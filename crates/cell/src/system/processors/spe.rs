//! An SPE and its units.

use super::proxy::ProxyRegisters;
use crate::atomic::AtomicUnit;
use crate::channel::Channel;
use crate::channels::Channels;
use crate::door::{Op, Program, ProgramFactory};
use crate::error::RunError;
use crate::machine::Machine;
use crate::mfc::Mfc;
use crate::processor::{Core, State};
use crate::snapshot::Snapshot;
use crate::store::{LocalStore, Store};
use crate::units::{BusCycle, EntryId, RampIndex, SpeId, SpuCycles};

/// Bytes of a page of a local store. A page is allocated on its first write, because clearing whole local stores would
/// take most of the host's time in a short run.
const PAGE_BYTES: u64 = 1 << 14;

/// One synergistic processing element.
pub(crate) struct Spe<'p> {
    pub id: SpeId,
    pub ramp: RampIndex,
    pub factory: Option<ProgramFactory<'p>>,
    pub program: Option<Box<dyn Program + 'p>>,
    pub core: Core<Op, u32>,
    pub channels: Channels,
    pub mfc: Mfc,
    pub atomic: AtomicUnit,
    pub proxy: ProxyRegisters,
    pub local_store: LocalStore,
    pub stopped_at_spu_cycle: SpuCycles,
    /// Whether the SPE's program looks ahead: the program does its work at once, and then issues a computation of equal
    /// duration.
    pub lookahead: bool,
    /// Whether an operating system supervises the SPE. A broken rule then ends the program instead of the run.
    pub supervised: bool,
    /// Whether the program and the MFC are suspended so that the SPE's state can be saved.
    pub suspended: bool,
    /// The stop code of the ended program, until the supervisor takes it.
    pub end: Option<u32>,
    /// The rule that the program or its DMA has broken, until the supervisor takes it.
    pub fault: Option<RunError>,
}

/// A local store of zeros.
pub(crate) fn new_local_store(machine: &Machine) -> LocalStore {
    let bytes = u64::from(machine.mfc.local_store_bytes);
    Store::new(bytes, bytes.min(PAGE_BYTES))
}

impl Spe<'_> {
    /// An SPE at rest.
    pub fn new(id: SpeId, ramp: RampIndex, machine: &Machine) -> Self {
        Spe {
            id,
            ramp,
            factory: None,
            program: None,
            core: Core::new(),
            channels: Channels::new(machine),
            mfc: Mfc::new(id, ramp, machine),
            atomic: AtomicUnit::new(machine.atomic.cache_lines),
            proxy: ProxyRegisters::default(),
            local_store: new_local_store(machine),
            stopped_at_spu_cycle: 0,
            lookahead: false,
            supervised: false,
            suspended: false,
            end: None,
            fault: None,
        }
    }

    /// What the SPE's program does, for people.
    pub fn doing(&self) -> String {
        match self.core.state {
            State::Blocked(Op::Read(channel)) => format!("waits to read {channel}"),
            State::Blocked(Op::Write(channel, _)) => format!("waits to write {channel}"),
            State::Idle => "has not started".to_string(),
            State::Stopping(_) | State::Stopped(_) => "has stopped".to_string(),
            _ => "is running".to_string(),
        }
    }

    /// Adds the SPE's state, relative to `now`, to a snapshot. If `ages` is set, adds the ages of the commands in the
    /// SPU queue, because a probe will report them.
    pub fn capture(&self, now: BusCycle, ratio: u64, ages: bool, out: &mut Snapshot) {
        let Spe {
            // Values of the machine.
            id: _,
            ramp: _,
            factory: _,
            // The answers that the program has received since the last mark represent the program's state.
            program: _,
            core,
            channels,
            mfc,
            atomic,
            proxy,
            // The bytes in local stores are compared through journals, not in the snapshot.
            local_store: _,
            // The value is constant once the program has stopped.
            stopped_at_spu_cycle: _,
            // The program determines whether it looks ahead.
            lookahead: _,
            // An operating system's programs make no marks.
            supervised: _,
            suspended: _,
            end: _,
            fault: _,
        } = self;
        core.capture(now, ratio, out, capture_op, u64::from);
        out.place_in_tour(core.remaining % self.tour());
        channels.capture(out);
        mfc.capture(now, out);
        if ages {
            mfc.spu_queue.iter().for_each(|(_, entry)| out.word(now.wrapping_sub(entry.ready_at)));
        }
        atomic.capture(out);
        proxy.capture(out);
    }

    /// Number of iterations in a tour of the program's loop.
    pub fn tour(&self) -> u64 {
        self.program.as_ref().map_or(1, |program| u64::from(program.tour().max(1)))
    }

    /// Adds the rank by age of each command in the SPE's queues to a snapshot.
    pub fn rank_commands(&self, out: &mut Snapshot) {
        for proxy in [false, true] {
            for (rank, index) in (0..).zip(self.mfc.queue(proxy).by_age()) {
                out.set_rank(self.id, EntryId { proxy, index }, rank);
            }
        }
    }
}

fn capture_op(op: &Op, out: &mut Snapshot) {
    match *op {
        Op::Read(Channel(number)) => out.word(u64::from(number)),
        Op::Count(Channel(number)) => out.word(1 << 40 | u64::from(number)),
        Op::Write(channel @ (Channel::MFC_LSA | Channel::MFC_EAL), value) => {
            out.word(2 << 40 | u64::from(channel.0) << 32 | out.address(value));
        }
        Op::Write(Channel(number), value) => out.word(2 << 40 | u64::from(number) << 32 | u64::from(value)),
        Op::Compute(cycles) => {
            out.word(3 << 40);
            out.word(cycles);
        }
    }
}
