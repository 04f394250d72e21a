//! The stages of a bus cycle: in which order units and events have their turns.
//!
//! The order is a rule of the machine, that of a line's way from its end to its beginning, so that whoever frees a
//! place does so before somebody looks for one: lines arrive, commands end, combined responses come; then, because
//! memory may begin with a command in the cycle in which it is ordered, the address concentrators, the memory channels
//! and the data arbiters; then the DMACs, which issue new commands; last the programs, which see all that has happened
//! in their cycle.  Units of one kind come by number; lines that arrive together in the order of their grants, and
//! responses in the order of their commands.
//!
//! MODEL: that what happens in the same bus cycle happens one after the other, and in this order.  Silicon does it at
//! once, and every unit sees the others as they were a cycle ago.

use super::event::Event;
use crate::calendar::{STAGES, Stage};
use crate::units::{SPES_MAX, SpeId};

/// Stages that have events; the others are units.
pub(crate) const LANES: usize = 4;

const FIRST_CONCENTRATOR: Stage = LANES as Stage;
const FIRST_MIC: Stage = FIRST_CONCENTRATOR + 3;
const FIRST_ARBITER: Stage = FIRST_MIC + 8;
const FIRST_DMAC: Stage = FIRST_ARBITER + 2;
const PPE: Stage = FIRST_DMAC + SPES_MAX as Stage;
const FIRST_SPU: Stage = PPE + 1;
const LOOKAHEAD_SPUS: Stage = FIRST_SPU + SPES_MAX as Stage;

const _: () = assert!((LOOKAHEAD_SPUS as usize) < STAGES);

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Due {
    /// Something happens.
    Event(Event),
    /// A unit has something to do.
    Wake(Unit),
}

/// A unit that sleeps until its next deadline, in the order of their stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// An address concentrator: that of a chip or, behind those of two chips, the one above them.
    Commands(u8),
    /// A channel of memory, counted through all chips.
    Mic(u8),
    /// The data arbiter of a chip.
    Arbiter(u8),
    Dmac(SpeId),
    Ppe,
    Spu(SpeId),
    /// All lookahead SPUs that have a turn in this bus cycle.
    LookaheadSpus,
}

impl Unit {
    /// The stage in which it has its turn.
    #[inline(always)]
    pub fn stage(self) -> Stage {
        match self {
            Unit::Commands(level) => FIRST_CONCENTRATOR + level,
            Unit::Mic(channel) => FIRST_MIC + channel,
            Unit::Arbiter(chip) => FIRST_ARBITER + chip,
            Unit::Dmac(spe) => FIRST_DMAC + spe.0,
            Unit::Ppe => PPE,
            Unit::Spu(spe) => FIRST_SPU + spe.0,
            Unit::LookaheadSpus => LOOKAHEAD_SPUS,
        }
    }

    /// The unit that has its turn in a stage.
    #[inline(always)]
    pub fn of_stage(stage: Stage) -> Unit {
        UNITS[usize::from(stage) % STAGES]
    }
}

/// By stage: the unit that has its turn; where there is none, any.
static UNITS: [Unit; STAGES] = {
    let mut units = [Unit::Ppe; STAGES];
    let mut stage = FIRST_CONCENTRATOR;
    while stage <= LOOKAHEAD_SPUS {
        units[stage as usize] = match stage {
            ..FIRST_MIC => Unit::Commands(stage - FIRST_CONCENTRATOR),
            FIRST_MIC..FIRST_ARBITER => Unit::Mic(stage - FIRST_MIC),
            FIRST_ARBITER..FIRST_DMAC => Unit::Arbiter(stage - FIRST_ARBITER),
            FIRST_DMAC..PPE => Unit::Dmac(SpeId(stage - FIRST_DMAC)),
            PPE => Unit::Ppe,
            FIRST_SPU..LOOKAHEAD_SPUS => Unit::Spu(SpeId(stage - FIRST_SPU)),
            LOOKAHEAD_SPUS.. => Unit::LookaheadSpus,
        };
        stage += 1;
    }
    units
};

impl Event {
    /// The stage in which it happens.
    #[inline(always)]
    pub fn stage(self) -> Stage {
        match self {
            Event::AtLink(_) | Event::Crossed(_) | Event::Deliver(_) => 0,
            Event::CommandDone(..)
            | Event::AtomicLookup(_)
            | Event::AtomicDone(..)
            | Event::MsSyncDone(_)
            | Event::Decrementer(_)
            | Event::Acknowledged => 1,
            Event::Response(..) => 2,
            Event::Send(_) => 3,
        }
    }
}
