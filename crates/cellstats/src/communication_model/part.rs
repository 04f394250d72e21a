//! The parts of a machine that carry load.

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// The on-ramp of an element, where its data enter the rings.
    OnRamp,
    /// The off-ramp of an element, where data leave the rings.
    OffRamp,
    /// The queue of an on-ramp, including the lines of other on-ramps that its lines wait for.
    Queue,
    /// The segment from an element to its neighbour, on all rings of one direction.
    Segment,
    /// The transfer starts on all rings of a chip in one direction.
    Rings,
    /// A chip's main memory.
    Memory,
    /// The interface between two chips, in one direction.
    Crossing,
    /// The entries of the interface for one chip's requests to the other chip.
    Places,
    /// The outstanding reads of an SPE.
    OutstandingReads,
    /// The outstanding writes of an SPE.
    OutstandingWrites,
}

impl PartKind {
    /// The name of the kind.
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

/// A part of the machine that carries load.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The kind of the part.
    pub kind: PartKind,
    /// The element of a ramp or queue, or the two ends of a segment.
    pub elements: Vec<String>,
    /// The chip to which rings, memory or entries belong, or the source and destination chips of a crossing.
    pub chips: Vec<u8>,
    /// Direction of rings; `None` for other kinds.
    pub clockwise: Option<bool>,
}

/// The load of one part in a phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Load {
    /// The part.
    pub part: Part,
    /// Bytes that the part carries. A queue also counts the bytes of the lines that must go before its own.
    pub bytes: u64,
    /// Bus cycles that the part is busy.
    pub bus_cycles: u64,
}
