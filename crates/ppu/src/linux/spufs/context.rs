//! A context: the state of an SPE that a program has made for itself, and where it is.

use super::faults::Faults;
use super::program::Runner;
use super::traffic::Traffic;
use crate::linux::memory::piece::Number;
use crate::linux::tid::Tid;
use crate::linux::wait::{Nanos, Queue, Wakes};
use cell::channels::{Channels, Mailbox};
use cell::counters::SpeCounters;
use cell::door::Supervisor;
use cell::ea::register;
use cell::store::LocalStore;
use cell::units::ContextId;
use cell::units::SpeId;
use spu::core::Exit;
use spu::profile::Profile;
use std::cell::RefCell;
use std::rc::Rc;

/// Where a context is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seat {
    /// On no SPE.
    Saved(ContextId),
    /// On an SPE.
    On(SpeId),
    /// On an SPE, and about to leave it.
    Leaving(SpeId),
}

/// Flags of `spu_create`.
pub mod flag {
    /// Faults of the SPE's program are told by `spu_run`; otherwise they are signals.
    pub const EVENTS_ENABLED: u32 = 0x01;
    /// A gang, not a context.
    pub const GANG: u32 = 0x02;
    /// The context keeps its SPE from the beginning to its end.
    pub const NOSCHED: u32 = 0x04;
    /// Isolated mode.
    pub const ISOLATE: u32 = 0x08;
    /// On an SPE near that of another context.
    pub const AFFINITY_SPU: u32 = 0x10;
    /// On an SPE near memory.
    pub const AFFINITY_MEM: u32 = 0x20;
}

/// What threads can wait for of a context.
#[derive(Clone, Copy, Debug)]
pub struct Queues {
    /// It has stopped, or is on an SPE, or has left it.
    pub moved: Queue,
    /// Its interrupting mailbox has an entry.
    pub ibox: Queue,
    /// Its inbound mailbox has room.
    pub wbox: Queue,
    /// A tag group of its proxy queue is complete, or the queue has room.
    pub mfc: Queue,
}

/// What a context has done, for the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Its path below the root of spufs.
    pub path: String,
    /// The SPE that it was on last.
    pub spe: Option<SpeId>,
    /// How often it was run.
    pub runs: u64,
    /// Time between start and stop of its programs, without time on no SPE.
    pub running_ns: Nanos,
    /// Time between a demand for an SPE and getting one.
    pub waiting_ns: Nanos,
    /// SPU instructions executed.
    pub instructions: u64,
    /// How often it was taken from its SPE while it was running.
    pub preemptions: u64,
    /// What it has moved.
    pub traffic: Traffic,
    /// What its programs and their DMA did that they must not.
    pub faults: Faults,
}

/// A context.
pub struct Context {
    /// Its path below the root of spufs.
    pub path: Vec<u8>,
    /// Flags of `spu_create`.
    pub flags: u32,
    /// Where it is.
    pub seat: Seat,
    /// Its processor, which it takes along.
    pub runner: Rc<RefCell<Runner>>,
    /// How its last run has ended, if an instruction ended it.
    pub end: Rc<RefCell<Option<Exit>>>,
    /// The thread that runs it.
    pub run_by: Option<Tid>,
    /// Next instruction.
    pub npc: u32,
    /// `SPU_Status`, as of its last stop.
    pub status: u32,
    /// Events that `spu_run` has yet to tell.
    pub events: u32,
    /// The context whose SPE it wants to be near.
    pub neighbour: Option<Number>,
    /// Tag groups that `mfc` has used and that were not read yet.
    pub tags: u32,
    /// What can be waited for.
    pub queues: Queues,
    /// When it came to its SPE.
    pub seated_at: Nanos,
    /// Since when it runs there.
    pub started_at: Nanos,
    /// Since when it has waited for one.
    pub waits_since: Option<Nanos>,
    /// What it has done.
    pub account: Account,
    /// What its SPE had counted when it came there.
    pub counted_before: Traffic,
    /// What `object-id` holds, for debuggers.
    pub object_id: u64,
    /// Open files and directories of it.
    pub references: u32,
}

/// A gang: a directory of contexts.
#[derive(Default)]
pub struct Gang {
    /// Its path below the root of spufs.
    pub path: Vec<u8>,
    /// Its contexts that want to be neighbours, in the order in which they want to sit.
    pub row: Vec<Sitter>,
    /// Whether one of these has come to an SPE: nobody sits down in the row any more.
    pub settled: bool,
}

/// A context in the row of a gang.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sitter {
    /// Which.
    pub context: Number,
    /// Whether a chain of neighbours begins here, so that the one before is none.
    pub first: bool,
}

impl Gang {
    fn place(&self, context: Number) -> Option<usize> {
        self.row.iter().position(|sitter| sitter.context == context)
    }

    /// Whether a chain ends at a place of the row.
    fn ends(&self, place: usize) -> bool {
        self.row.get(place + 1).is_none_or(|next| next.first)
    }

    /// Whether a context of the row has a neighbour on either side.
    pub fn is_between(&self, context: Number) -> bool {
        self.place(context).is_some_and(|place| !self.row[place].first && !self.ends(place))
    }

    /// How many would sit in the row with one more, the neighbour of `context`.
    pub fn with_one_more(&self, context: Number) -> usize {
        self.row.len() + 1 + usize::from(self.place(context).is_none())
    }

    /// Seats `newcomer` beside `context`: behind it where the chain ends there, and before it otherwise.
    pub fn seat_beside(&mut self, context: Number, newcomer: Number) {
        let place = self.place(context).unwrap_or_else(|| {
            self.row.push(Sitter { context, first: true });
            self.row.len() - 1
        });
        if self.ends(place) {
            self.row.insert(place + 1, Sitter { context: newcomer, first: false });
        } else {
            let first = std::mem::take(&mut self.row[place].first);
            self.row.insert(place, Sitter { context: newcomer, first });
        }
    }
}

impl Queues {
    /// Queues that nobody else has.
    pub fn new(wakes: &mut Wakes) -> Queues {
        let mut queue = || wakes.new_queue();
        Queues { moved: queue(), ibox: queue(), wbox: queue(), mfc: queue() }
    }
}

impl Context {
    /// Counts what it has moved, as it leaves its SPE, or the run ends.
    pub fn count(&mut self, counters: &SpeCounters) {
        self.account.traffic.add(&self.counted_before, &Traffic::of(counters));
    }

    /// What it has done so far, and its profile, if one is kept.
    pub fn report(&self) -> (Account, Option<Profile>) {
        let runner = self.runner.borrow();
        (Account { instructions: runner.spu().instructions(), ..self.account.clone() }, runner.profile())
    }

    /// Whether `spu_run` tells its faults as events; they are signals otherwise.
    pub fn has_events(&self) -> bool {
        self.flags & flag::EVENTS_ENABLED != 0
    }

    /// The SPE that it is on, and stays on for now.
    pub fn spe(&self) -> Option<SpeId> {
        match self.seat {
            Seat::On(spe) => Some(spe),
            Seat::Leaving(_) | Seat::Saved(_) => None,
        }
    }

    /// Its channels, wherever they are.
    pub fn channels<'s>(&self, spes: &'s mut dyn Supervisor) -> Option<&'s mut Channels> {
        match self.seat {
            Seat::On(spe) | Seat::Leaving(spe) => Some(spes.channels(spe)),
            Seat::Saved(id) => spes.saved(id).map(|(channels, _)| channels),
        }
    }

    /// Its local store, wherever that is.
    pub fn local_store<'s>(&self, spes: &'s mut dyn Supervisor) -> Option<&'s mut LocalStore> {
        match self.seat {
            Seat::On(spe) | Seat::Leaving(spe) => Some(spes.local_store(spe)),
            Seat::Saved(id) => spes.saved(id).map(|(_, local_store)| local_store),
        }
    }

    /// The entry of its outbound mailbox that is next.
    pub fn take_out_mbox(&self, spes: &mut dyn Supervisor) -> Option<u32> {
        self.take(|channels| &mut channels.out_mbox, register::SPU_OUT_MBOX, spes)
    }

    /// The entry of its interrupting mailbox that is next.
    pub fn take_out_intr_mbox(&self, spes: &mut dyn Supervisor) -> Option<u32> {
        self.take(|channels| &mut channels.out_intr_mbox, register::SPU_OUT_INTR_MBOX, spes)
    }

    /// Takes an entry; through the register if an SPE has it, since that wakes a program that waits for room.
    fn take(&self, mailbox: fn(&mut Channels) -> &mut Mailbox, offset: u32, spes: &mut dyn Supervisor) -> Option<u32> {
        let mailbox = mailbox(self.channels(spes)?);
        match self.seat {
            _ if mailbox.is_empty() => None,
            Seat::Saved(_) => mailbox.pop(),
            Seat::On(spe) | Seat::Leaving(spe) => spes.read_register(spe, offset).ok(),
        }
    }

    /// Adds an entry to its inbound mailbox; whether there was room.
    pub fn write_in_mbox(&mut self, value: u32, spes: &mut dyn Supervisor) -> bool {
        let Some(channels) = self.channels(spes) else { return false };
        if channels.in_mbox.free() == 0 {
            return false;
        }
        match self.seat {
            Seat::Saved(_) => {
                channels.in_mbox.push_or_replace(value);
                // The SPE counts those of the others.
                self.account.traffic.mailbox_entries += 1;
            }
            Seat::On(spe) | Seat::Leaving(spe) => {
                return spes.write_register(spe, register::SPU_IN_MBOX, value).is_ok();
            }
        }
        true
    }

    /// Writes signal-notification register 0 or 1.
    pub fn write_signal(&mut self, which: usize, value: u32, spes: &mut dyn Supervisor) {
        let offsets = [register::SPU_SIG_NOTIFY_1, register::SPU_SIG_NOTIFY_2];
        match self.seat {
            Seat::Saved(id) => {
                if let Some((channels, _)) = spes.saved(id) {
                    channels.signals[which].write(value);
                    self.account.traffic.signals += 1;
                }
            }
            // The offset is that of a register.
            Seat::On(spe) | Seat::Leaving(spe) => drop(spes.write_register(spe, offsets[which], value)),
        }
    }
}
