//! The rings of the model: routes of cache lines, conflicts between lines, and the rate at which a ring starts
//! transfers.

use cell::eib::{self, Direction, Topology};
use cell::machine::Machine;
use cell::units::{LINE_BYTES, RampIndex};

/// Maximum number of rings in one direction.
const RINGS_MAX: usize = 8;

/// A route from one ramp of a chip to another.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Direction of the route: 0 is clockwise, 1 is counterclockwise.
    pub direction: usize,
    /// The on-ramp's home ring, numbered within the direction.
    pub home: u32,
    /// Bit mask of the route's segments. Segment `n` leads clockwise from ramp position `n` to the next ramp.
    pub segments: u32,
}

/// The load from one on-ramp along one route.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// Index of the message among the messages that its thread issues in this phase.
    pub nth: u32,
    /// The on-ramp.
    pub from: RampIndex,
    pub route: Route,
    /// Whether the lines were read from memory; such lines may start on any ring of their direction.
    pub read: bool,
    /// The load in half bytes, because a message may be split evenly between both directions.
    pub half_bytes: u64,
}

/// A load in half bytes, and its time in bus cycles.
pub type Busy = (u64, u64);

/// Loads, in half bytes, that delay the lines of one on-ramp in one direction.
#[derive(Clone, Default, Debug)]
struct Waiting {
    own: u64,
    /// Conflicting loads on the home ring.
    home: u64,
    /// Conflicting loads on the direction's other rings.
    elsewhere: u64,
    starts: Starts,
}

/// Load of the transfers that start in one direction, in half bytes.
#[derive(Clone, Default, Debug)]
pub struct Starts {
    at_home: [u64; RINGS_MAX],
    all: u64,
}

/// The routes between two ramps of a chip, from which the arbiter chooses.
pub fn routes(machine: &Machine, topology: &Topology, from: RampIndex, to: RampIndex) -> Vec<Route> {
    let mirrored = |segments: u32| segments.reverse_bits() >> (u32::BITS - u32::from(topology.ramps_on_chip()));
    let seen_clockwise = |way: eib::Way| {
        let (direction, segments, first_ring) = match way.direction {
            Direction::Clockwise => (0, way.segments, 0),
            Direction::Counterclockwise => (1, mirrored(way.segments), machine.eib.clockwise_rings),
        };
        Route { direction, home: u32::from(way.home) - first_ring, segments }
    };
    eib::ways(machine, topology, from, to).iter().copied().map(seen_clockwise).collect()
}

/// Number of clockwise rings, then number of counterclockwise rings.
pub fn ring_counts(machine: &Machine) -> [u64; 2] {
    [machine.eib.clockwise_rings, machine.eib.counterclockwise_rings].map(u64::from)
}

/// Reports the queue at each on-ramp of a chip: the ramp, its load including the lines that it waits for, and the bus
/// cycles until the last line has left. All `flows` are under way at once; the flows of one on-ramp must be adjacent in
/// the slice.
///
/// The lines at the heads of the queues are served oldest first, so each line waits for one conflicting line from every
/// other on-ramp that still has such a line. A line first waits for its home ring. After that wait, the line may use
/// another ring, and all rings of its direction share the conflicting load. A line also waits for the start of one line
/// from each other on-ramp that sends in its direction.
pub fn queues(machine: &Machine, flows: &[Flow], mut found: impl FnMut(RampIndex, Busy)) {
    let by_ramp = || flows.chunk_by(|one, other| one.from == other.from);
    for mine in by_ramp() {
        let (mut half_bytes, mut bus_cycles) = (0, 0);
        for direction in [0, 1] {
            let own = going(mine, direction);
            let mut waiting = Waiting { own, ..Waiting::default() };
            for flow in mine.iter().filter(|flow| flow.route.direction == direction) {
                waiting.starts.add(flow, flow.half_bytes);
            }
            for others in by_ramp().filter(|others| own > 0 && others[0].from != mine[0].from) {
                let met = |on_home| meeting(mine, others, direction, on_home);
                add(&mut waiting.home, met(true));
                add(&mut waiting.elsewhere, met(false));
                if let Some(flow) = others.iter().find(|flow| flow.route.direction == direction) {
                    waiting.starts.add(flow, own.min(going(others, direction)));
                }
            }
            add(&mut half_bytes, waiting.own.saturating_add(waiting.home));
            add(&mut bus_cycles, waiting.bus_cycles(machine, direction));
        }
        found(mine[0].from, (half_bytes, bus_cycles));
    }
}

/// The load in a direction, in half bytes.
fn going(flows: &[Flow], direction: usize) -> u64 {
    let those = flows.iter().filter(|flow| flow.route.direction == direction);
    those.fold(0, |sum, flow| sum.saturating_add(flow.half_bytes))
}

/// The part of the load of `others`, in half bytes, for which the load of `mine` waits.
fn meeting(mine: &[Flow], others: &[Flow], direction: usize, on_home: bool) -> u64 {
    let meet = |one: &Route, other: &Route| {
        one.direction == direction
            && other.direction == direction
            && (one.home == other.home) == on_home
            && one.segments & other.segments != 0
    };
    let met = |these: &[Flow], those: &[Flow]| -> u64 {
        let meets = |one: &&Flow| those.iter().any(|other| meet(&one.route, &other.route));
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
    /// Adds the transfer starts of a part of a flow.
    pub fn add(&mut self, flow: &Flow, half_bytes: u64) {
        add(&mut self.all, half_bytes);
        if !flow.read {
            add(&mut self.at_home[flow.route.home as usize % RINGS_MAX], half_bytes);
        }
    }

    /// The load of all transfer starts, and the duration of these starts in bus cycles.
    pub fn busy(&self, machine: &Machine, direction: usize) -> Busy {
        let rings = ring_counts(machine)[direction].max(1);
        let most = self.at_home.iter().fold(self.all.div_ceil(rings), |most, at_home| most.max(*at_home));
        (self.all, start_cycles(machine, lines(most), lines(self.all)))
    }
}

/// Bus cycles in which the rings of a direction start `all` lines, including `most` lines on the busiest ring. The
/// starts on the other rings are spread as evenly as possible between the busiest ring's starts.
fn start_cycles(machine: &Machine, most: u64, all: u64) -> u64 {
    let Some(each) = (all - most).checked_div(most) else { return 0 };
    let more = (all - most) % most;
    let (ring_gap, gap) = (machine.eib.ring_start_gap_bus_cycles, machine.eib.direction_start_gap_bus_cycles);
    let with = |others: u64| ring_gap.max((others + 1).saturating_mul(gap));
    let (fewer, further) = ((most - more).saturating_mul(with(each)), more.saturating_mul(with(each + 1)));
    fewer.saturating_add(further)
}

/// Bus cycles that a load, in half bytes, takes at a given rate.
pub fn cycles(half_bytes: u64, bytes_per_cycle: u64) -> u64 {
    half_bytes.div_ceil(bytes_per_cycle.max(1).saturating_mul(2))
}

/// Number of lines of a load in half bytes.
pub fn lines(half_bytes: u64) -> u64 {
    cycles(half_bytes, LINE_BYTES)
}

/// Adds to a load, saturating at the maximum value.
pub fn add(load: &mut u64, more: u64) {
    *load = load.saturating_add(more);
}

/// Adds a load and its bus cycles to a sum.
pub fn more(sum: &mut Busy, (half_bytes, bus_cycles): Busy) {
    add(&mut sum.0, half_bytes);
    add(&mut sum.1, bus_cycles);
}
