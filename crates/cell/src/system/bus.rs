//! The bus of all chips: requests in flight, the networks that carry them, and the interface between chips.

use super::board::Board;
use super::requests::Requests;
use crate::bif::Bif;
use crate::eib::{CommandNetwork, DataNetwork};
use crate::snapshot::Snapshot;
use crate::units::RampIndex;

/// The element interconnect bus of each chip, and the interface between two chips.
pub(crate) struct Bus {
    /// Requests in flight. Events and queues refer to requests by number.
    pub requests: Requests,
    /// Address concentrators, by chip. With two chips, a third concentrator orders the commands of both chips.
    pub concentrators: Vec<CommandNetwork>,
    /// Command credits of the units, by ramp.
    pub credits: Credits,
    /// Data rings with their arbiter, by chip.
    pub data: Vec<DataNetwork>,
    pub bif: Bif,
    /// Mask of the SPEs that have ever given a lock-line command. The atomic units of the other SPEs have neither lines
    /// nor reservations, so commands need not be compared with them.
    pub snooping_spes: u32,
}

impl Bus {
    /// An idle bus.
    pub fn new(board: &Board) -> Bus {
        let Board { machine, topology, .. } = board;
        let mic_stop = topology.place(board.mic_ramp(0));
        let units_on_chip = usize::from(topology.ramps_on_chip());
        let mut concentrators: Vec<_> = (0..board.chips()).map(|_| CommandNetwork::new(units_on_chip)).collect();
        if board.chips() > 1 {
            concentrators.push(CommandNetwork::new(board.chips()));
        }
        Bus {
            requests: Requests::new(topology.spe_count()),
            concentrators,
            credits: Credits::new(machine.eib.command_credits, topology.len()),
            data: (0..board.chips()).map(|_| DataNetwork::new(machine, topology, mic_stop)).collect(),
            bif: Bif::new(machine),
            snooping_spes: 0,
        }
    }

    /// The address concentrator that orders the commands to memory.
    #[inline]
    pub fn top_concentrator(&mut self) -> &mut CommandNetwork {
        let top = self.concentrators.len() - 1;
        &mut self.concentrators[top]
    }
}

/// The command credits of all units. Sending a command takes a credit, which the combined response returns.
pub(crate) struct Credits {
    /// Credits by ramp. Only the MFC checks for a credit before it sends a command. Commands of other units are rare,
    /// and may make the number of credits negative.
    credits: Vec<i32>,
}

impl Credits {
    /// All credits of the units at `ramps` ramps.
    fn new(credits: u32, ramps: u8) -> Credits {
        Credits { credits: vec![credits as i32; usize::from(ramps)] }
    }

    /// Whether the unit of a ramp may send a command.
    #[inline(always)]
    pub fn any(&self, ramp: RampIndex) -> bool {
        self.credits[usize::from(ramp)] > 0
    }

    /// Takes a credit for a command of the unit of a ramp.
    #[inline(always)]
    pub fn take(&mut self, ramp: RampIndex) {
        self.credits[usize::from(ramp)] -= 1;
    }

    /// Returns a credit: the unit of a ramp may send one more command. Returns whether the unit could send none.
    #[inline(always)]
    pub fn give_back(&mut self, ramp: RampIndex) -> bool {
        let credits = &mut self.credits[usize::from(ramp)];
        *credits += 1;
        *credits <= 1
    }

    /// Adds the credits to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        let Credits { credits } = self;
        credits.iter().for_each(|credits| out.word(i64::from(*credits) as u64));
    }
}
