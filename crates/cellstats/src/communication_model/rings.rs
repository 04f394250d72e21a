//! The rings as the model has them: the ways of lines, whom they meet there, and how often a ring may start.

use cell::eib::{self, Direction, Topology};
use cell::machine::Machine;
use cell::units::{LINE_BYTES, RampIndex};

/// Most rings of a direction.
const RINGS_MAX: usize = 8;

/// A way from one ramp of a chip to another.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// 0 is clockwise, 1 counterclockwise.
    pub direction: usize,
    /// The on-ramp's home ring, of those of its direction.
    pub home: u32,
    /// A bit for each segment, by the place before it, clockwise.
    pub segments: u32,
}

/// What goes from an on-ramp along one way.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// Which of the messages that its thread issues in this phase, from 0 on.
    pub nth: u32,
    /// The on-ramp.
    pub from: RampIndex,
    /// Its way.
    pub way: Way,
    /// Whether it was read from memory: such lines start on any ring of their direction.
    pub read: bool,
    /// How much; half of a message may go either way.
    pub half_bytes: u64,
}

/// Half bytes, and the bus cycles that they take.
pub type Busy = (u64, u64);

/// What the lines at an on-ramp in one direction wait for, in half bytes.
#[derive(Clone, Default, Debug)]
struct Waiting {
    own: u64,
    /// Those whom they meet on their home ring.
    home: u64,
    /// Those whom they would meet on the direction's other rings.
    elsewhere: u64,
    starts: Starts,
}

/// What starts in a direction, in half bytes.
#[derive(Clone, Default, Debug)]
pub struct Starts {
    at_home: [u64; RINGS_MAX],
    all: u64,
}

/// The ways between two places of a chip that the arbiter chooses from.
pub fn ways(machine: &Machine, topology: &Topology, from: RampIndex, to: RampIndex) -> Vec<Way> {
    let mirrored = |segments: u32| segments.reverse_bits() >> (u32::BITS - u32::from(topology.ramps_on_chip()));
    let seen_clockwise = |way: eib::Way| {
        let (direction, segments) = match way.direction {
            Direction::Clockwise => (0, way.segments),
            Direction::Counterclockwise => (1, mirrored(way.segments)),
        };
        Way { direction, home: u32::from(way.home - way.rings.0), segments }
    };
    eib::ways(machine, topology, from, to).iter().copied().map(seen_clockwise).collect()
}

/// Rings that turn clockwise, and counterclockwise.
pub fn ring_counts(machine: &Machine) -> [u64; 2] {
    [machine.eib.clockwise_rings, machine.eib.counterclockwise_rings].map(u64::from)
}

/// The queue at each on-ramp of a chip: for `found` the ramp, the half bytes that leave it or are waited for, and
/// the bus cycles until the last one has left.  `flows` are all under way at once, those of an on-ramp together.
///
/// A line waits for one of each other on-ramp whose way it meets, as long as that one has any: heads are served by
/// age.  It waits on its home ring; or it leaves that, once it has waited long enough, and then all rings of
/// the direction share what meets.  Nor does it start before one of each other on-ramp of its direction.
pub fn queues(machine: &Machine, flows: &[Flow], mut found: impl FnMut(RampIndex, Busy)) {
    let by_ramp = || flows.chunk_by(|one, other| one.from == other.from);
    for mine in by_ramp() {
        let (mut half_bytes, mut bus_cycles) = (0, 0);
        for direction in [0, 1] {
            let own = going(mine, direction);
            let mut waiting = Waiting { own, ..Waiting::default() };
            for flow in mine.iter().filter(|flow| flow.way.direction == direction) {
                waiting.starts.add(flow, flow.half_bytes);
            }
            for others in by_ramp().filter(|others| own > 0 && others[0].from != mine[0].from) {
                let met = |on_home| meeting(mine, others, direction, on_home);
                add(&mut waiting.home, met(true));
                add(&mut waiting.elsewhere, met(false));
                if let Some(flow) = others.iter().find(|flow| flow.way.direction == direction) {
                    waiting.starts.add(flow, own.min(going(others, direction)));
                }
            }
            add(&mut half_bytes, waiting.own.saturating_add(waiting.home));
            add(&mut bus_cycles, waiting.bus_cycles(machine, direction));
        }
        found(mine[0].from, (half_bytes, bus_cycles));
    }
}

/// What goes in a direction, in half bytes.
fn going(flows: &[Flow], direction: usize) -> u64 {
    let those = flows.iter().filter(|flow| flow.way.direction == direction);
    those.fold(0, |sum, flow| sum.saturating_add(flow.half_bytes))
}

/// Half bytes of `others` for which those of `mine` wait.
fn meeting(mine: &[Flow], others: &[Flow], direction: usize, on_home: bool) -> u64 {
    let meet = |one: &Way, other: &Way| {
        one.direction == direction
            && other.direction == direction
            && (one.home == other.home) == on_home
            && one.segments & other.segments != 0
    };
    let met = |these: &[Flow], those: &[Flow]| -> u64 {
        let meets = |one: &&Flow| those.iter().any(|other| meet(&one.way, &other.way));
        these.iter().filter(meets).fold(0, |sum, flow| sum.saturating_add(flow.half_bytes))
    };
    met(mine, others).min(met(others, mine))
}

impl Waiting {
    fn bus_cycles(&self, machine: &Machine, direction: usize) -> u64 {
        let (beat, rings) = (u64::from(machine.eib.beat_bytes), ring_counts(machine)[direction].max(1));
        let at_home = self.own.saturating_add(self.home);
        let everywhere = at_home.saturating_add(self.elsewhere);
        let waits = lines(self.own).saturating_mul(machine.eib.home_ring_wait_bus_cycles);
        let leaving = cycles(self.own, beat).saturating_add(waits);
        let left = leaving.max(cycles(everywhere, rings.saturating_mul(beat)));
        cycles(at_home, beat).min(left).max(self.starts.busy(machine, direction).1)
    }
}

impl Starts {
    /// Starts more lines of a flow's kind.
    pub fn add(&mut self, flow: &Flow, half_bytes: u64) {
        add(&mut self.all, half_bytes);
        if !flow.read {
            add(&mut self.at_home[flow.way.home as usize % RINGS_MAX], half_bytes);
        }
    }

    /// All of them, and how long they take.
    pub fn busy(&self, machine: &Machine, direction: usize) -> Busy {
        let rings = ring_counts(machine)[direction].max(1);
        let most = self.at_home.iter().fold(self.all.div_ceil(rings), |most, at_home| most.max(*at_home));
        (self.all, start_cycles(machine, lines(most), lines(self.all)))
    }
}

/// How long it takes to start so many lines on all rings of a direction, `most` of them on the busiest: the others
/// start between two of those, as evenly as can be.
fn start_cycles(machine: &Machine, most: u64, all: u64) -> u64 {
    let Some(each) = (all - most).checked_div(most) else { return 0 };
    let more = (all - most) % most;
    let (ring_gap, gap) = (machine.eib.ring_start_gap_bus_cycles, machine.eib.direction_start_gap_bus_cycles);
    let with = |others: u64| ring_gap.max((others + 1).saturating_mul(gap));
    let (fewer, further) = ((most - more).saturating_mul(with(each)), more.saturating_mul(with(each + 1)));
    fewer.saturating_add(further)
}

/// Bus cycles for half bytes, at so many bytes a cycle.
pub fn cycles(half_bytes: u64, bytes_per_cycle: u64) -> u64 {
    half_bytes.div_ceil(bytes_per_cycle.max(1).saturating_mul(2))
}

/// Lines of half bytes.
pub fn lines(half_bytes: u64) -> u64 {
    cycles(half_bytes, LINE_BYTES)
}

/// Adds to a load; one that no 64 bits can hold stays the most.
pub fn add(load: &mut u64, more: u64) {
    *load = load.saturating_add(more);
}

/// Adds half bytes and their bus cycles to others.
pub fn more(sum: &mut Busy, (half_bytes, bus_cycles): Busy) {
    add(&mut sum.0, half_bytes);
    add(&mut sum.1, bus_cycles);
}
