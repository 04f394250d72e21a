//! The bus of all chips: requests in flight, the networks that carry them, and the interface between chips.

use super::board::Board;
use super::requests::Requests;
use crate::bif::Bif;
use crate::eib::{CommandNetwork, DataNetwork};
use crate::units::RampIndex;

/// The element interconnect bus of each chip, and the interface between two chips.
pub(crate) struct Bus {
    /// Requests in flight.  Events and queues refer to requests by number.
    pub requests: Requests,
    /// Address concentrators, by chip.  With two chips, a third concentrator orders the commands of both chips.
    pub concentrators: Vec<CommandNetwork>,
    /// Data rings with their arbiter, by chip.
    pub data: Vec<DataNetwork>,
    pub bif: Bif,
}

impl Bus {
    /// An idle bus.
    pub fn new(board: &Board) -> Bus {
        let Board { machine, topology, .. } = board;
        let mic_stop = topology.place(board.mic_ramp(0));
        let units_on_chip = usize::from(topology.ramps_on_chip());
        let mut concentrators: Vec<_> =
            (0..board.chips()).map(|_| CommandNetwork::new(machine, units_on_chip)).collect();
        if board.chips() > 1 {
            concentrators.push(CommandNetwork::new(machine, board.chips()));
        }
        Bus {
            requests: Requests::new(topology.spe_count()),
            concentrators,
            data: (0..board.chips()).map(|_| DataNetwork::new(machine, topology, mic_stop)).collect(),
            bif: Bif::new(machine),
        }
    }

    /// Whether the unit of a ramp may send a command.
    #[inline]
    pub fn has_credit(&self, ramp: RampIndex, board: &Board) -> bool {
        self.concentrators[usize::from(board.topology.chip_of(ramp))].has_credit(board.topology.place(ramp))
    }

    /// Returns a credit: the unit of a ramp may send one more command.
    pub fn return_credit(&mut self, ramp: RampIndex, board: &Board) {
        self.concentrators[usize::from(board.topology.chip_of(ramp))].return_credit(board.topology.place(ramp));
    }

    /// The address concentrator that orders the commands to memory.
    #[inline]
    pub fn top_concentrator(&mut self) -> &mut CommandNetwork {
        let top = self.concentrators.len() - 1;
        &mut self.concentrators[top]
    }
}
