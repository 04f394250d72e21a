//! An SPE context: the complete state of an SPE. A context belongs to a process, and records the current location of
//! its state.

use super::faults::Faults;
use super::program::Runner;
use super::stop::{Kind, Origin, Stop, origin};
use super::traffic::Traffic;
use crate::memory::context_part::Number;
use crate::tid::Tid;
use crate::wait::{Nanos, Queue, Wakes};
use cell::channels::{Channels, Mailbox};
use cell::counters::SpeCounters;
use cell::door::Supervisor;
use cell::ea::register;
use cell::store::LocalStore;
use cell::units::ContextId;
use cell::units::SpeId;
use spu::core::Exit;
use spu::profile::Profile;
use spu::source::Code;
use std::cell::RefCell;
use std::rc::Rc;

/// Location of a context's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Residency {
    /// In main memory, because the context is not on an SPE.
    Saved(ContextId),
    /// On an SPE.
    Resident(SpeId),
    /// On an SPE that is suspended until the context can be saved.
    Leaving(SpeId),
}

impl Residency {
    /// The SPE that holds the context's state.
    pub fn spe(self) -> Option<SpeId> {
        match self {
            Residency::Resident(spe) | Residency::Leaving(spe) => Some(spe),
            Residency::Saved(_) => None,
        }
    }
}

/// Flags of `spu_create`.
pub mod flag {
    /// `spu_run` returns the faults of the SPE program as events. Without this flag, faults cause signals.
    pub const EVENTS_ENABLED: u32 = 0x01;
    /// Create a gang instead of a context.
    pub const GANG: u32 = 0x02;
    /// Never preempt the context after it has received an SPE.
    pub const NOSCHED: u32 = 0x04;
    /// Isolated mode.
    pub const ISOLATE: u32 = 0x08;
    /// Prefer an SPE near the SPE of another context.
    pub const AFFINITY_SPU: u32 = 0x10;
    /// Prefer an SPE near memory.
    pub const AFFINITY_MEM: u32 = 0x20;
}

/// Wait queues for the threads that wait for a context.
#[derive(Clone, Copy, Debug)]
pub struct Queues {
    /// Queue woken when the context stops, becomes resident, or leaves its SPE.
    pub moved: Queue,
    /// Queue woken when the outbound interrupt mailbox has an entry.
    pub ibox: Queue,
    /// Queue woken when the inbound mailbox has room.
    pub wbox: Queue,
    /// Queue woken when a tag group of the proxy queue is complete, or the proxy queue has room.
    pub mfc: Queue,
}

/// Totals of a context for the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Path below the root of spufs.
    pub path: String,
    /// The last SPE on which the context was resident.
    pub spe: Option<SpeId>,
    /// Number of runs.
    pub runs: u64,
    /// Running time of the context's programs, excluding time without an SPE.
    pub running_ns: Nanos,
    /// Time that the context spent in the run queue.
    pub waiting_ns: Nanos,
    /// SPU instructions executed.
    pub instructions: u64,
    /// Number of preemptions while the context was running.
    pub preemptions: u64,
    /// Counts of DMA and of channel operations.
    pub traffic: Traffic,
    /// Faults of the context's programs and of their DMA.
    pub faults: Faults,
    /// The last stop; in a report also where the program is that has not stopped.
    pub stop: Option<Stop>,
    /// The executable and the function of `stop`, in a report.
    pub origin: Origin,
}

/// A context.
pub struct Context {
    /// Path below the root of spufs, until the descriptor of `spu_create` is closed.
    pub path: Option<Vec<u8>>,
    /// Flags of `spu_create`.
    pub flags: u32,
    /// Location of the context's state.
    pub residency: Residency,
    /// The SPU, which moves with the context.
    pub runner: Rc<RefCell<Runner>>,
    /// Exit of the last run, if the run was ended by an instruction.
    pub end: Rc<RefCell<Option<Exit>>>,
    /// The thread in `spu_run`.
    pub run_by: Option<Tid>,
    /// Address of the next instruction.
    pub npc: u32,
    /// `SPU_Status` at the last stop.
    pub status: u32,
    /// Events that `spu_run` has not returned yet.
    pub events: u32,
    /// The neighbour: a context near whose SPE this context should be placed.
    pub neighbour: Option<Number>,
    /// Tag groups of `mfc` commands whose completion the process has not read yet.
    pub tags: u32,
    /// Queues of the threads that wait for the context.
    pub queues: Queues,
    /// Time at which the context is fully restored on its SPE.
    pub resident_at: Nanos,
    /// Time at which the program began to run on the SPE.
    pub started_at: Nanos,
    /// Time at which the context entered the run queue.
    pub waits_since: Option<Nanos>,
    /// Totals for the report.
    pub account: Account,
    /// Counters of the SPE at the time when the context was restored on it.
    pub counted_before: Traffic,
    /// Contents of the file `object-id`, which debuggers use.
    pub object_id: u64,
    /// Number of open files and directories of the context.
    pub references: u32,
}

/// A gang, which is a directory of contexts.
#[derive(Default)]
pub struct Gang {
    /// Path below the root of spufs.
    pub path: Vec<u8>,
    /// Affinity list: contexts created with `SPU_CREATE_AFFINITY_SPU` and their neighbours, in the order of their
    /// intended SPEs.
    pub affinity: Vec<Neighbour>,
    /// Whether a context in the affinity list has had an SPE, after which no contexts are added to the list.
    pub placed: bool,
}

/// An entry of a gang's affinity list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neighbour {
    /// The context.
    pub context: Number,
    /// Whether this context begins a chain of neighbours.
    pub first: bool,
}

impl Gang {
    fn position(&self, context: Number) -> Option<usize> {
        self.affinity.iter().position(|neighbour| neighbour.context == context)
    }

    /// Whether a chain ends at a position of the affinity list.
    fn ends(&self, place: usize) -> bool {
        self.affinity.get(place + 1).is_none_or(|next| next.first)
    }

    /// Whether a context has a neighbour on either side.
    pub fn is_between(&self, context: Number) -> bool {
        self.position(context).is_some_and(|place| !self.affinity[place].first && !self.ends(place))
    }

    /// Length that the affinity list would have after one more context is added beside `context`.
    pub fn with_one_more(&self, context: Number) -> usize {
        self.affinity.len() + 1 + usize::from(self.position(context).is_none())
    }

    /// Adds `newcomer` to the affinity list: after `context` if `context` ends its chain, and otherwise before
    /// `context`.
    pub fn add_beside(&mut self, context: Number, newcomer: Number) {
        let place = self.position(context).unwrap_or_else(|| {
            self.affinity.push(Neighbour { context, first: true });
            self.affinity.len() - 1
        });
        if self.ends(place) {
            self.affinity.insert(place + 1, Neighbour { context: newcomer, first: false });
        } else {
            let first = std::mem::take(&mut self.affinity[place].first);
            self.affinity.insert(place, Neighbour { context: newcomer, first });
        }
    }
}

impl Queues {
    /// New queues.
    pub fn new(wakes: &mut Wakes) -> Queues {
        let mut queue = || wakes.new_queue();
        Queues { moved: queue(), ibox: queue(), wbox: queue(), mfc: queue() }
    }
}

impl Context {
    /// Adds to the context's totals the SPE's counts since the context became resident. This function is called when
    /// the context leaves its SPE, and at the end of the run.
    pub fn count(&mut self, counters: &SpeCounters) {
        self.account.traffic.add(&self.counted_before, &Traffic::of(counters));
    }

    /// The context's last stop, or where its program is. `None` if the context never ran.
    pub fn last_stop(&self) -> Option<Stop> {
        let address = self.runner.borrow().at();
        match (self.run_by, self.account.runs) {
            (Some(_), 1..) => Some(Stop { kind: Kind::Running, code: None, address }),
            _ => self.account.stop.clone(),
        }
    }

    /// Current totals of the context, and the context's profile if one was requested. `programs` are the known
    /// executables.
    pub fn report(&self, programs: &[Code], spes: &mut dyn Supervisor) -> (Account, Option<Profile>) {
        let (stop, runner) = (self.last_stop(), self.runner.borrow());
        let last_get =
            |address| self.channels(spes).and_then(|channels| channels.last_gets.into_line(address)).copied();
        let get = stop.as_ref().map(|stop| stop.address).and_then(last_get);
        let origin = match (&stop, self.local_store(spes)) {
            (Some(stop), Some(local_store)) => {
                let found = origin(programs, local_store, stop.address);
                let code = found.program.map(|number| &programs[number as usize - 1]);
                let reason =
                    code.and_then(|code| stop.reason(code, runner.spu().registers(), local_store, get.as_ref()));
                Origin { reason, ..found }
            }
            _ => Origin::default(),
        };
        let instructions = runner.spu().instructions();
        (Account { instructions, stop, origin, ..self.account.clone() }, runner.profile())
    }

    /// Whether `spu_run` returns faults as events.
    pub fn has_events(&self) -> bool {
        self.flags & flag::EVENTS_ENABLED != 0
    }

    /// The SPE on which the context is resident, or `None` if the context is saved or about to leave its SPE.
    pub fn spe(&self) -> Option<SpeId> {
        match self.residency {
            Residency::Resident(spe) => Some(spe),
            Residency::Leaving(_) | Residency::Saved(_) => None,
        }
    }

    /// The channels of the context's SPE, or the saved channels if the context is not on an SPE.
    pub fn channels<'s>(&self, spes: &'s mut dyn Supervisor) -> Option<&'s mut Channels> {
        match self.residency {
            Residency::Resident(spe) | Residency::Leaving(spe) => Some(spes.channels(spe)),
            Residency::Saved(id) => spes.saved(id).map(|(channels, _)| channels),
        }
    }

    /// The local store of the context's SPE, or the saved local store if the context is not on an SPE.
    pub fn local_store<'s>(&self, spes: &'s mut dyn Supervisor) -> Option<&'s mut LocalStore> {
        match self.residency {
            Residency::Resident(spe) | Residency::Leaving(spe) => Some(spes.local_store(spe)),
            Residency::Saved(id) => spes.saved(id).map(|(_, local_store)| local_store),
        }
    }

    /// Takes the next entry of the outbound mailbox.
    pub fn take_out_mbox(&self, spes: &mut dyn Supervisor) -> Option<u32> {
        self.take(|channels| &mut channels.out_mbox, register::SPU_OUT_MBOX, spes)
    }

    /// Takes the next entry of the outbound interrupt mailbox.
    pub fn take_out_intr_mbox(&self, spes: &mut dyn Supervisor) -> Option<u32> {
        self.take(|channels| &mut channels.out_intr_mbox, register::SPU_OUT_INTR_MBOX, spes)
    }

    /// Takes an entry of a mailbox. If the context is on an SPE, the SPE's register is read. This read also wakes a
    /// program that waits for room in the mailbox.
    fn take(&self, mailbox: fn(&mut Channels) -> &mut Mailbox, offset: u32, spes: &mut dyn Supervisor) -> Option<u32> {
        let mailbox = mailbox(self.channels(spes)?);
        match self.residency {
            _ if mailbox.is_empty() => None,
            Residency::Saved(_) => mailbox.pop(),
            Residency::Resident(spe) | Residency::Leaving(spe) => spes.read_register(spe, offset).ok(),
        }
    }

    /// Adds an entry to the inbound mailbox. Returns whether the mailbox had room.
    pub fn write_in_mbox(&mut self, value: u32, spes: &mut dyn Supervisor) -> bool {
        let Some(channels) = self.channels(spes) else { return false };
        if channels.in_mbox.free() == 0 {
            return false;
        }
        match self.residency {
            Residency::Saved(_) => {
                channels.in_mbox.push_or_replace(value);
                // This entry must be counted here, because no SPE counts it.
                self.account.traffic.mailbox_entries += 1;
            }
            Residency::Resident(spe) | Residency::Leaving(spe) => {
                return spes.write_register(spe, register::SPU_IN_MBOX, value).is_ok();
            }
        }
        true
    }

    /// Writes signal-notification register 0 or 1.
    pub fn write_signal(&mut self, which: usize, value: u32, spes: &mut dyn Supervisor) {
        let offsets = [register::SPU_SIG_NOTIFY_1, register::SPU_SIG_NOTIFY_2];
        match self.residency {
            Residency::Saved(id) => {
                if let Some((channels, _)) = spes.saved(id) {
                    channels.signals[which].write(value);
                    self.account.traffic.signals += 1;
                }
            }
            // The write cannot fail, because a register exists at the offset.
            Residency::Resident(spe) | Residency::Leaving(spe) => drop(spes.write_register(spe, offsets[which], value)),
        }
    }
}
