//! The machine at work: the units, the wires between them, and time.
//!
//! ```text
//!   program ⇄ door ⇄ SPU core ─ channels ─ MFC ─┐
//!                                 atomic unit ──┤  commands ──> address concentrator ──> snoop
//!   program ⇄ door ⇄ PPE ───────────────────────┤
//!                                               │  data ──────> arbiter ──> rings
//!   main memory ⇄ channels and banks ⇄ MIC ─────┤
//!   a second chip, all this again ⇄ BIF ⇄ IOIF0 ┘
//! ```
//! A line's way, with the functions that it meets: a command enters the queue (`give_command`), the
//! DMAC makes requests of it (`run_dmac`), a request goes to the concentrator (`send`), is ordered and
//! snooped (`run_commands`, `order`), gets its combined response (`respond`), its data ask for a ring
//! (`request_data`, or `run_mic` for what comes from memory), are granted one (`run_arbiter`) and
//! arrive (`deliver`); the request has done its work (`complete`) and, with the last of them, the
//! command has (`end_command`).
//!
//! No unit holds another, and none knows the time: the calendar has it, and hands it out.

mod atomics;
mod bus;
mod capture;
mod channel_ops;
mod ending;
mod event;
mod fast_forward;
mod link;
mod memory;
mod ppe;
mod ppe_kernel;
mod ppe_memory;
mod quiet;
mod registers;
mod run;
mod snoop;
mod spu;
mod tracing;

use crate::atomic::AtomicUnit;
use crate::bif::Bif;
use crate::calendar::Calendar;
use crate::channels::Channels;
use crate::counters::{Counters, Latencies};
use crate::door::{Op, PpeProgram, Program, ProgramFactory};
use crate::eib::{CommandNetwork, DataNetwork, Topology};
use crate::error::RunError;
use crate::machine::Machine;
use crate::mfc::{Entry, Mfc};
use crate::mic::Mic;
use crate::occupancy::{MfcQueues, Occupancy};
use crate::placement::Placement;
use crate::processor::Core;
use crate::record::TransferRecord;
use crate::request::Pool;
use crate::store::{LocalStore, Store};
use crate::trace::Recorder;
use crate::units::{BusCycle, Element, NEVER, RampIndex, SpeId, ThreadId};
use ending::MeasuredPart;
pub(crate) use event::{Event, Outcome, Unit};
use event::{FIRST_ARBITER, FIRST_SPU};
use fast_forward::FastForward;
use ppe::PpeUnit;
use quiet::Visits;
use registers::ProxyRegisters;

/// One synergistic processing element.
pub(crate) struct Spe<'p> {
    pub factory: Option<ProgramFactory<'p>>,
    pub program: Option<Box<dyn Program + 'p>>,
    pub core: Core<Op, u32>,
    pub channels: Channels,
    pub mfc: Mfc,
    pub queues: MfcQueues,
    pub atomic: AtomicUnit,
    pub proxy: ProxyRegisters,
    pub local_store: LocalStore,
    pub ramp: RampIndex,
    pub stopped_at_spu_cycle: u64,
    /// Whether its program runs ahead.
    pub ahead: bool,
    /// Who may touch the local store meanwhile.
    pub visits: Visits,
}

/// Zeros that a program's first write into a part of its local store costs the host: of a run that moves little,
/// all of the store would be the greatest part.
const LOCAL_STORE_PAGE_BYTES: u64 = 1 << 14;

/// What each chip has one of, beside its SPEs and its address concentrator.
struct Chip {
    data: DataNetwork,
    mic: Mic,
    mic_ramp: RampIndex,
    /// Where data leave for the other chip, and come from it.
    ioif0_ramp: RampIndex,
}

/// A machine with programs on it.
pub struct System<'p> {
    machine: Machine,
    topology: Topology,
    placement: Placement,
    ratio: u64,
    calendar: Calendar<Event>,
    wakes: Vec<BusCycle>,
    /// SPUs, as a mask, that come last in this bus cycle.
    spus_ahead: u32,
    /// Bus cycles that fast-forward left out so far.
    skipped: BusCycle,
    limit_bus_cycles: BusCycle,
    /// Requests under way; events and queues hold their numbers.
    requests: Pool,
    /// Address concentrators, by chip; above those of two chips, the one of both.
    concentrators: Vec<CommandNetwork>,
    chips: Vec<Chip>,
    bif: Bif,
    ppe_ramp: RampIndex,
    memory: Store,
    spes: Vec<Spe<'p>>,
    ppe: PpeUnit<'p>,
    counters: Counters,
    occupancy: Occupancy,
    transfers: Option<Vec<TransferRecord>>,
    trace: Option<Box<Recorder>>,
    fast_forward: Option<FastForward>,
    latency_tag: Option<u32>,
    measured_part: Option<MeasuredPart>,
}

impl<'p> System<'p> {
    /// A machine at rest, with threads placed on its SPEs.
    pub fn new(machine: &Machine, placement: Placement) -> System<'p> {
        let topology = Topology::new(machine);
        let mic_place = topology.ramp(0, Element::Mic);
        let chip = |chip: u32| Chip {
            data: DataNetwork::new(machine, &topology, mic_place),
            mic: Mic::new(machine),
            mic_ramp: topology.ramp(chip as u8, Element::Mic),
            ioif0_ramp: topology.ramp(chip as u8, Element::Ioif0),
        };
        let chips: Vec<Chip> = (0..machine.bif.chips).map(chip).collect();
        let concentrator = |units| CommandNetwork::new(machine, units);
        let mut concentrators: Vec<CommandNetwork> =
            chips.iter().map(|_| concentrator(topology.ramps_on_chip().into())).collect();
        if chips.len() > 1 {
            concentrators.push(concentrator(chips.len()));
        }
        let ls_bytes = u64::from(machine.mfc.local_store_bytes);
        let spe = |n: usize| {
            let spe = SpeId(n as u8);
            let ramp = topology.spe_ramp(spe);
            Spe {
                factory: None,
                program: None,
                core: Core::new(),
                channels: Channels::new(machine),
                mfc: Mfc::new(spe, ramp, machine),
                queues: MfcQueues::default(),
                atomic: AtomicUnit::new(machine.atomic.cache_lines),
                proxy: ProxyRegisters::default(),
                local_store: Store::new(ls_bytes, ls_bytes.min(LOCAL_STORE_PAGE_BYTES)),
                ramp,
                stopped_at_spu_cycle: 0,
                ahead: false,
                visits: Visits::default(),
            }
        };
        let spes: Vec<Spe<'p>> = (0..topology.spe_count()).map(spe).collect();
        let mic_channels = chips.len() * machine.mic.channels as usize;
        let rings = chips.len() * chips[0].data.ring_count();
        let units = FIRST_SPU + 2 * spes.len() + mic_channels;
        System {
            ratio: machine.chip.processor_cycles_per_bus_cycle,
            calendar: Calendar::new(),
            wakes: vec![NEVER; units],
            spus_ahead: 0,
            skipped: 0,
            limit_bus_cycles: BusCycle::MAX,
            requests: Pool::default(),
            counters: Counters::new(chips.len(), rings, mic_channels, spes.len()),
            occupancy: Occupancy::new(rings, usize::from(topology.len()), mic_channels),
            concentrators,
            chips,
            bif: Bif::new(machine),
            ppe_ramp: topology.ramp(0, Element::Ppe),
            memory: Store::new(machine.chip.main_memory_bytes, 1 << 16),
            spes,
            ppe: PpeUnit::new(machine),
            transfers: None,
            trace: None,
            fast_forward: None,
            latency_tag: None,
            measured_part: None,
            machine: machine.clone(),
            topology,
            placement,
        }
    }

    /// Lets the run leave out whole periods of what repeats; the record stays the same to the bit.
    pub fn enable_fast_forward(&mut self) {
        self.fast_forward = Some(FastForward::default());
    }

    /// Keeps a row for every transfer over the rings.  Fast-forward is of no use then.
    pub fn record_transfers(&mut self) {
        self.transfers = Some(Vec::new());
        self.fast_forward = None;
    }

    /// Keeps the latency of every DMA command of one tag group, from the write of `MFC_Cmd` until the tag
    /// status shows its end.
    pub fn record_latencies(&mut self, tag: u32) {
        self.latency_tag = Some(tag);
        self.counters.latencies = vec![Latencies::new(); self.spes.len()];
    }

    fn note_latency(&mut self, spe: SpeId, ended: &Entry) {
        if self.latency_tag == Some(ended.command.tag) {
            let latency = self.now() - ended.ready_at + self.machine.mfc.issue_bus_cycles;
            *self.counters.latencies[spe.0 as usize].entry(latency).or_default() += 1;
        }
    }

    /// Gives a thread its program.  Without a PPE program all threads start at cycle 0.
    pub fn load(&mut self, thread: ThreadId, factory: ProgramFactory<'p>) {
        let spe = self.placement.spe(thread);
        self.spes[spe.0 as usize].factory = Some(factory);
    }

    /// Gives the PPE a program, which creates the threads on SPEs.  It has two hardware threads: a second
    /// program runs beside the first, from the start.
    pub fn load_ppe(&mut self, program: Box<dyn PpeProgram + 'p>) {
        self.ppe.load(program);
    }

    /// Main memory.
    pub fn memory(&self) -> &Store {
        &self.memory
    }

    /// Main memory, to prepare it.
    pub fn memory_mut(&mut self) -> &mut Store {
        &mut self.memory
    }

    /// A thread's local store.
    pub fn local_store(&self, thread: ThreadId) -> &LocalStore {
        &self.spes[self.placement.spe(thread).0 as usize].local_store
    }

    /// Bus cycles since the start, those left out included.
    pub fn bus_cycles(&self) -> BusCycle {
        self.now() + self.skipped
    }

    /// One event: this is the block diagram.
    fn dispatch(&mut self, event: Event) -> Result<(), RunError> {
        match event {
            Event::Wake(unit) => return self.run_unit(unit),
            Event::SpusAhead => return self.run_spus_ahead(),
            Event::Response(request, outcome) => self.respond(request, outcome),
            Event::Resend(request) => self.send_again(request),
            Event::Deliver(request) => return self.deliver(request),
            Event::AtLink(request) => return self.reach_link(request),
            Event::Crossed(request) => self.crossed_link(request),
            Event::CommandDone(spe, id) => self.end_command(spe, id),
            Event::AtomicLookup(spe) => self.atomic_lookup(spe),
            Event::AtomicDone(spe, status) => self.atomic_done(spe, status),
            Event::MsSyncDone(spe) => self.end_ms_sync(spe),
            Event::Decrementer(spe) => self.decrementer_alarm(spe),
        }
        Ok(())
    }

    fn run_unit(&mut self, unit: Unit) -> Result<(), RunError> {
        let index = self.unit_index(unit);
        if self.wakes[index] != self.now() {
            // It was woken earlier, or will be later: this deadline has been superseded.
            return Ok(());
        }
        self.wakes[index] = NEVER;
        match unit {
            Unit::Spu(spe) if self.spes[usize::from(spe.0)].ahead => {
                self.spus_ahead |= 1 << spe.0;
                self.calendar.defer(Event::SpusAhead);
            }
            Unit::Spu(spe) => return self.run_spu(spe),
            Unit::Dmac(spe) => return self.run_dmac(spe),
            Unit::Commands(level) => self.run_commands(level),
            Unit::Arbiter(chip) => self.run_arbiter(chip),
            Unit::Mic(channel) => self.run_mic(channel),
            Unit::Ppe => return self.run_ppe(),
        }
        Ok(())
    }

    fn now(&self) -> BusCycle {
        self.calendar.now()
    }

    /// Wakes a unit at `at`, unless it wakes earlier anyhow.
    fn wake(&mut self, unit: Unit, at: BusCycle) {
        let index = self.unit_index(unit);
        if at < self.wakes[index] {
            self.wakes[index] = at;
            self.calendar.push(at, Event::Wake(unit));
        }
    }

    fn unit_index(&self, unit: Unit) -> usize {
        match unit {
            Unit::Ppe => 0,
            Unit::Commands(level) => 1 + usize::from(level),
            Unit::Arbiter(chip) => FIRST_ARBITER + usize::from(chip),
            Unit::Spu(spe) => FIRST_SPU + 2 * usize::from(spe.0),
            Unit::Dmac(spe) => FIRST_SPU + 1 + 2 * usize::from(spe.0),
            Unit::Mic(channel) => FIRST_SPU + 2 * self.spes.len() + usize::from(channel),
        }
    }

    fn spe(&mut self, spe: SpeId) -> &mut Spe<'p> {
        &mut self.spes[spe.0 as usize]
    }

    /// The reading of the time base at a bus cycle of the calendar.
    fn ticks_at(&self, bus_cycle: BusCycle) -> u64 {
        let cycles = u128::from(bus_cycle + self.skipped);
        (cycles * u128::from(self.machine.chip.timebase_hz) / u128::from(self.machine.bus_hz())) as u64
    }
}
