//! Rules for every transfer in a record, regardless of the transfer's cause. The checker derives the rules from the
//! machine's values. The checker does not use the arbiter, but tests the rules interval by interval.

use cell::machine::Machine;
use cell::record::TransferRecord;
use std::collections::BTreeMap;

/// Panics at the first transfer that breaks a rule. Each chip has its own rings and arbiter.
pub fn check(machine: &Machine, transfers: &[TransferRecord]) {
    let rings = (machine.eib.clockwise_rings + machine.eib.counterclockwise_rings) as u8;
    let ramps = machine.eib.ring.len() as u8;
    for chip in 0..machine.bif.chips as u8 {
        let on_chip = |transfer: &&TransferRecord| transfer.ring / rings == chip;
        let of_chip: Vec<TransferRecord> = transfers
            .iter()
            .filter(on_chip)
            .map(|transfer| {
                assert_eq!((transfer.from / ramps, transfer.to / ramps), (chip, chip), "{transfer:?}");
                let (ring, from, to) = (transfer.ring % rings, transfer.from % ramps, transfer.to % ramps);
                TransferRecord { ring, from, to, ..transfer.clone() }
            })
            .collect();
        check_chip(machine, &of_chip);
    }
}

fn check_chip(machine: &Machine, transfers: &[TransferRecord]) {
    let rules = Rules { machine, ramps: machine.eib.ring.len() as u64 };
    for transfer in transfers {
        rules.route(transfer);
    }
    rules.grants_in_a_cycle(transfers);
    for ring in 0..(machine.eib.clockwise_rings + machine.eib.counterclockwise_rings) as u8 {
        let on_ring: Vec<&TransferRecord> = transfers.iter().filter(|transfer| transfer.ring == ring).collect();
        rules.starts(&on_ring);
        rules.segments(&on_ring);
    }
    rules.ramps(transfers);
}

/// Maximum number of transfers that enter one ring at the same time.
pub fn most_at_once(machine: &Machine, transfers: &[TransferRecord]) -> u32 {
    let beats = 128 / u64::from(machine.eib.beat_bytes);
    let mut changes: BTreeMap<(u8, u64), i32> = BTreeMap::new();
    for transfer in transfers {
        *changes.entry((transfer.ring, transfer.granted_at)).or_default() += 1;
        *changes.entry((transfer.ring, transfer.granted_at + beats)).or_default() -= 1;
    }
    let (mut most, mut now) = (0, 0);
    for change in changes.values() {
        now += change;
        most = most.max(now);
    }
    most as u32
}

/// The rules of one machine.
struct Rules<'m> {
    machine: &'m Machine,
    ramps: u64,
}

/// Start and end of the time in which a resource is in use, and the transfer that uses the resource.
type Use<'t> = (u64, u64, &'t TransferRecord);

impl Rules<'_> {
    fn clockwise(&self, transfer: &TransferRecord) -> bool {
        u32::from(transfer.ring) < self.machine.eib.clockwise_rings
    }

    /// Number of hops of a transfer in its own direction, and in the opposite direction.
    fn hops(&self, transfer: &TransferRecord) -> (u64, u64) {
        let up = (u64::from(transfer.to) + self.ramps - u64::from(transfer.from)) % self.ramps;
        let down = (self.ramps - up) % self.ramps;
        if self.clockwise(transfer) { (up, down) } else { (down, up) }
    }

    fn beats(&self) -> u64 {
        128 / u64::from(self.machine.eib.beat_bytes)
    }

    /// Checks that a transfer takes the shorter route, and that each hop takes the machine's hop time.
    fn route(&self, transfer: &TransferRecord) {
        let eib = &self.machine.eib;
        let (hops, other) = self.hops(transfer);
        if eib.clockwise_rings > 0 && eib.counterclockwise_rings > 0 {
            assert!(hops <= other, "the longer direction: {transfer:?}");
            assert!(hops <= self.ramps / 2, "more than half way around: {transfer:?}");
            let either_way = hops < other || eib.halfway_clockwise_only == 0;
            assert!(either_way || self.clockwise(transfer), "half way around, but not clockwise: {transfer:?}");
        }
        assert_eq!(transfer.arrived_at - transfer.granted_at, hops * eib.hop_bus_cycles + self.beats(), "{transfer:?}");
        assert!((1..=128).contains(&transfer.bytes), "{transfer:?}");
    }

    fn grants_in_a_cycle(&self, transfers: &[TransferRecord]) {
        let mut grants: BTreeMap<u64, u32> = BTreeMap::new();
        for transfer in transfers {
            *grants.entry(transfer.granted_at).or_default() += 1;
        }
        let most = grants.values().max().copied().unwrap_or(0);
        assert!(most <= self.machine.eib.grants_per_bus_cycle, "{most} grants in one bus cycle");
    }

    fn starts(&self, on_ring: &[&TransferRecord]) {
        for pair in on_ring.windows(2) {
            let gap = pair[1].granted_at - pair[0].granted_at;
            assert!(gap >= self.machine.eib.ring_start_gap_bus_cycles, "{gap} cycles between {pair:?}");
        }
    }

    /// Checks that the trains of beats on each segment of a ring do not overlap.
    fn segments(&self, on_ring: &[&TransferRecord]) {
        let mut uses: BTreeMap<u64, Vec<Use<'_>>> = BTreeMap::new();
        for transfer in on_ring {
            for hop in 0..self.hops(transfer).0 {
                let from = u64::from(transfer.from);
                let segment = if self.clockwise(transfer) { from + hop } else { from + self.ramps - hop } % self.ramps;
                let begin = transfer.granted_at + hop * self.machine.eib.hop_bus_cycles;
                uses.entry(segment).or_default().push((begin, begin + self.beats(), transfer));
            }
        }
        uses.into_values().for_each(apart);
    }

    /// Checks that each ramp sends one line at a time and receives one line at a time, in the order of the grants.
    fn ramps(&self, transfers: &[TransferRecord]) {
        for ramp in 0..self.ramps as u8 {
            let sent = transfers.iter().filter(|transfer| transfer.from == ramp);
            apart(sent.map(|t| (t.granted_at, t.granted_at + self.beats(), t)).collect());
            let received: Vec<_> = transfers.iter().filter(|transfer| transfer.to == ramp).collect();
            apart(received.iter().map(|t| (t.granted_at, t.granted_at + self.beats(), *t)).collect());
            apart(received.iter().map(|t| (t.arrived_at - self.beats(), t.arrived_at, *t)).collect());
        }
    }
}

/// Panics if two uses of one resource overlap.
fn apart(mut uses: Vec<Use<'_>>) {
    uses.sort_by_key(|(begin, ..)| *begin);
    for pair in uses.windows(2) {
        let ((_, end, one), (begin, _, other)) = (pair[0], pair[1]);
        assert!(begin >= end, "too close: {one:?} and {other:?}");
    }
}
