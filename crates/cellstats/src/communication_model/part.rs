//! The parts of a machine that can be busy, and how busy.

/// What a part of the machine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// Where an element's data enter the rings.
    OnRamp,
    /// Where they leave them.
    OffRamp,
    /// The lines at an on-ramp, with those of other on-ramps that they wait for.
    Queue,
    /// Of all rings of one direction, from an element to its neighbour.
    Segment,
    /// The starts on all rings of a chip that turn one way.
    Rings,
    /// A chip's main memory.
    Memory,
    /// The interface between two chips, one way.
    Crossing,
    /// The places that the interface has for lines of one chip's requests to the other chip.
    Places,
    /// The reads that an SPE may have outstanding.
    OutstandingReads,
    /// The writes that it may have outstanding.
    OutstandingWrites,
}

impl PartKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            PartKind::OnRamp => "on-ramp",
            PartKind::OffRamp => "off-ramp",
            PartKind::Queue => "queue",
            PartKind::Segment => "segment",
            PartKind::Rings => "rings",
            PartKind::Memory => "memory",
            PartKind::Crossing => "crossing",
            PartKind::Places => "places",
            PartKind::OutstandingReads => "outstanding reads",
            PartKind::OutstandingWrites => "outstanding writes",
        }
    }
}

/// A part of the machine that can be busy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The element of a ramp or a queue; of a segment from where to where.
    pub elements: Vec<String>,
    /// The chip of rings, of memory and of places; of a crossing from where to where.
    pub chips: Vec<u8>,
    /// Which way rings turn.
    pub clockwise: Option<bool>,
}

/// What a phase has a part carry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Load {
    /// The part.
    pub part: Part,
    /// Bytes that it has to carry; of a queue those that are waited for, too.
    pub bytes: u64,
    /// How long that takes it.
    pub bus_cycles: u64,
}
