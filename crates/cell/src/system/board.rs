//! The constants of a run: the machine's values, and the position of each unit.

use crate::ea::Target;
use crate::eib::Topology;
use crate::machine::Machine;
use crate::placement::Placement;
use crate::request::{Request, RequestKind};
use crate::units::{Element, RampIndex, SpeId, ThreadId};

/// A machine's values, the ramps of its units and the SPEs of its threads.
pub(crate) struct Board {
    pub machine: Machine,
    pub topology: Topology,
    pub placement: Placement,
    /// The PPEs' ramps, by chip.
    ppe_ramps: Vec<RampIndex>,
    /// The memory controllers' ramps, by chip.
    mic_ramps: Vec<RampIndex>,
    /// The ramps of the interfaces between the chips, by chip.
    ioif0_ramps: Vec<RampIndex>,
}

impl Board {
    /// A machine, with threads placed on its SPEs.
    pub fn new(machine: &Machine, placement: Placement) -> Board {
        let topology = Topology::new(machine);
        let ramps = |element| (0..machine.bif.chips).map(|chip| topology.ramp(chip as u8, element)).collect();
        Board {
            ppe_ramps: ramps(Element::Ppe),
            mic_ramps: ramps(Element::Mic),
            ioif0_ramps: ramps(Element::Ioif0),
            machine: machine.clone(),
            topology,
            placement,
        }
    }

    /// The number of chips, one or two.
    #[inline(always)]
    pub fn chips(&self) -> usize {
        self.mic_ramps.len()
    }

    /// The number of memory channels of all chips.
    pub fn mic_channels(&self) -> usize {
        self.chips() * self.machine.mic.channels as usize
    }

    /// The thread that is placed on an SPE, or thread 0 if no thread is placed on the SPE.
    pub fn thread_of(&self, id: SpeId) -> ThreadId {
        let on_spe = self.placement.threads().find(|(_, spe)| *spe == id);
        on_spe.map_or(ThreadId(0), |(thread, _)| thread)
    }

    /// The ramp of a chip's PPE.
    #[inline(always)]
    pub fn ppe_ramp(&self, chip: u8) -> RampIndex {
        self.ppe_ramps[usize::from(chip)]
    }

    /// Whether a ramp is a PPE's.
    #[inline(always)]
    pub fn is_ppe(&self, ramp: RampIndex) -> bool {
        self.ppe_ramps.contains(&ramp)
    }

    /// The ramp of a chip's memory controller.
    #[inline(always)]
    pub fn mic_ramp(&self, chip: usize) -> RampIndex {
        self.mic_ramps[chip]
    }

    /// The ramp of a chip's interface to the other chip.
    #[inline(always)]
    pub fn ioif0_ramp(&self, chip: usize) -> RampIndex {
        self.ioif0_ramps[chip]
    }

    /// The chip of a memory channel, and the channel's number on that chip.
    pub fn chip_of_channel(&self, channel: u8) -> (usize, usize) {
        let (channel, channels) = (usize::from(channel), self.machine.mic.channels as usize);
        if channel < channels { (0, channel) } else { (1, channel - channels) }
    }

    /// The off-ramp of a request's data.
    #[inline(always)]
    pub fn destination(&self, request: &Request) -> RampIndex {
        match (request.kind, request.target) {
            (RequestKind::Write, Target::Memory(address)) => self.mic_ramps[usize::from(self.machine.home_of(address))],
            (RequestKind::Write, Target::LocalStore(spe, _) | Target::Register(spe, _)) => self.topology.spe_ramp(spe),
            _ => request.ramp,
        }
    }

    /// Whether the address of a request implies that data move between the chips. The line may still come from a cache
    /// on another chip.
    #[inline(always)]
    pub fn crosses(&self, request: &Request) -> bool {
        self.chips() > 1
            && request.moves_data()
            && self.target_chip(request.target) != self.topology.chip_of(request.ramp)
    }

    /// The chip of a request's target.
    fn target_chip(&self, target: Target) -> u8 {
        match target {
            Target::Memory(address) => self.machine.home_of(address),
            Target::LocalStore(spe, _) | Target::Register(spe, _) => self.machine.chip_of(spe),
        }
    }

    /// Whether both chips must see a request's command.
    #[inline(always)]
    pub fn is_global(&self, request: &Request) -> bool {
        self.chips() > 1
            && (request.memory_line().is_some() || request.kind == RequestKind::Sync || self.crosses(request))
    }

    /// The time from the ordering of a command to its combined response.
    #[inline(always)]
    pub fn response_bus_cycles(&self, request: &Request) -> u64 {
        let reflection = if self.is_global(request) { self.reflection_bus_cycles() } else { 0 };
        self.machine.eib.command_response_bus_cycles + reflection
    }

    /// The extra time of a command that two chips must see; 0 on a machine of one chip.
    pub fn reflection_bus_cycles(&self) -> u64 {
        if self.chips() > 1 { self.machine.bif.reflection_bus_cycles } else { 0 }
    }
}
