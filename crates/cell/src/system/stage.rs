//! The stages of a bus cycle: the order in which units and events have their turns.
//!
//! ```text
//!   lines arrive ─> commands end ─> responses come ─> commands are sent again      events
//!     ─> concentrators ─> memory channels ─> data arbiters ─> DMACs                units
//!     ─> PPE ─> SPUs ─> lookahead SPUs                                             programs
//! ```
//! The order is a rule of the machine. The order follows a line's journey backwards, so that a unit frees an entry
//! before another unit needs the entry. The memory channels come after the concentrators, because memory may start a
//! command in the cycle in which the command is ordered. Programs have their turns last, and see everything that has
//! happened in the same cycle. Units of one kind have their turns in the order of their numbers. Lines that arrive
//! together are handled in the order of their grants. Responses are handled in the order of their commands.
//!
//! MODEL: the events of a bus cycle happen one after the other, in this order. In silicon, the events of a bus cycle
//! happen simultaneously, and every unit sees the other units' state of the previous cycle.

use super::event::Event;
use crate::calendar::{STAGES, Stage};
use crate::units::{CHIPS_MAX, SPES_MAX, SpeId, THREADS_PER_PPE};

/// The number of stages with events. Each other stage belongs to a unit.
pub(crate) const LANES: usize = 4;

const FIRST_CONCENTRATOR: Stage = LANES as Stage;
const FIRST_MIC: Stage = FIRST_CONCENTRATOR + CHIPS_MAX as Stage + 1;
const FIRST_ARBITER: Stage = FIRST_MIC + 8;
const FIRST_DMAC: Stage = FIRST_ARBITER + CHIPS_MAX as Stage;
const FIRST_PPE: Stage = FIRST_DMAC + SPES_MAX as Stage;
const FIRST_SPU: Stage = FIRST_PPE + CHIPS_MAX as Stage;
const LOOKAHEAD_SPUS: Stage = FIRST_SPU + SPES_MAX as Stage;

const _: () = assert!((LOOKAHEAD_SPUS as usize) < STAGES);

/// Something that is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Due {
    /// An event happens.
    Event(Event),
    /// A unit has its turn.
    Wake(Unit),
}

/// A unit that sleeps until its next deadline. Units are listed in the order of their stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// The address concentrator of the chip with this number; number 2 is the concentrator above both chips.
    Commands(u8),
    /// A memory channel, numbered across all chips.
    Mic(u8),
    /// The data arbiter of a chip.
    Arbiter(u8),
    Dmac(SpeId),
    /// The PPE of a chip.
    Ppe(u8),
    Spu(SpeId),
    /// All lookahead SPUs that have a turn in this bus cycle.
    LookaheadSpus,
}

impl Unit {
    /// The stage in which the unit has its turn.
    #[inline(always)]
    pub fn stage(self) -> Stage {
        match self {
            Unit::Commands(level) => FIRST_CONCENTRATOR + level,
            Unit::Mic(channel) => FIRST_MIC + channel,
            Unit::Arbiter(chip) => FIRST_ARBITER + chip,
            Unit::Dmac(spe) => FIRST_DMAC + spe.0,
            Unit::Ppe(chip) => FIRST_PPE + chip,
            Unit::Spu(spe) => FIRST_SPU + spe.0,
            Unit::LookaheadSpus => LOOKAHEAD_SPUS,
        }
    }

    /// The PPE of a thread with this number among the threads of all PPEs.
    pub fn ppe_of(thread: usize) -> Unit {
        Unit::Ppe((thread / THREADS_PER_PPE) as u8)
    }

    /// The unit that has its turn in a stage.
    #[inline(always)]
    pub fn of_stage(stage: Stage) -> Unit {
        UNITS[usize::from(stage) % STAGES]
    }
}

/// The unit of each stage. The value is arbitrary for a stage without a unit.
static UNITS: [Unit; STAGES] = {
    let mut units = [Unit::Ppe(0); STAGES];
    let mut stage = FIRST_CONCENTRATOR;
    while stage <= LOOKAHEAD_SPUS {
        units[stage as usize] = match stage {
            ..FIRST_MIC => Unit::Commands(stage - FIRST_CONCENTRATOR),
            FIRST_MIC..FIRST_ARBITER => Unit::Mic(stage - FIRST_MIC),
            FIRST_ARBITER..FIRST_DMAC => Unit::Arbiter(stage - FIRST_ARBITER),
            FIRST_DMAC..FIRST_PPE => Unit::Dmac(SpeId(stage - FIRST_DMAC)),
            FIRST_PPE..FIRST_SPU => Unit::Ppe(stage - FIRST_PPE),
            FIRST_SPU..LOOKAHEAD_SPUS => Unit::Spu(SpeId(stage - FIRST_SPU)),
            LOOKAHEAD_SPUS.. => Unit::LookaheadSpus,
        };
        stage += 1;
    }
    units
};

impl Event {
    /// The stage in which the event happens.
    #[inline(always)]
    pub fn stage(self) -> Stage {
        match self {
            Event::AtLink(_) | Event::Crossed(_) | Event::Deliver(_) => 0,
            Event::CommandDone(..)
            | Event::AtomicLookup(_)
            | Event::AtomicDone(..)
            | Event::MsSyncDone(_)
            | Event::Decrementer(_)
            | Event::Acknowledged(_) => 1,
            Event::Response(..) => 2,
            Event::Send(_) => 3,
        }
    }
}
