//! Small scenarios for the data arbiter, in which a line is blocked in one cycle and granted in the next.

use crate::common::{board, machines::board_with};
use cell::counters::RingCounters;
use cell::eib::{DataNetwork, DataRequest, Grant, Topology};
use cell::machine::Machine;
use cell::request::RequestId;
use cell::units::Element;

/// A board on which each test enables the contention rules that it needs.
pub fn plain() -> Machine {
    board_with(&[
        ("eib.hop_bus_cycles", "1".into()),
        ("eib.ring_start_gap_bus_cycles", "0".into()),
        ("eib.grants_per_bus_cycle", "1".into()),
        ("eib.home_ring_wait_bus_cycles", "0".into()),
        ("eib.start_gap_wait_bus_cycles", "0".into()),
        ("eib.direction_start_gap_bus_cycles", "0".into()),
        ("eib.clockwise_rings", "1".into()),
        ("eib.counterclockwise_rings", "1".into()),
        ("eib.halfway_clockwise_only", "1".into()),
    ])
}

/// An arbiter and its grants, in a scenario that begins at cycle 1000.
pub struct Scene {
    pub network: DataNetwork,
    mic: u8,
    pub counters: Vec<RingCounters>,
}

impl Scene {
    pub fn on(machine: &Machine) -> Scene {
        let topology = Topology::new(machine);
        let mic = topology.ramp(0, Element::Mic);
        let network = DataNetwork::new(machine, &topology, mic);
        let counters = vec![RingCounters::default(); network.ring_count()];
        Scene { network, mic, counters }
    }

    /// Requests a ring for the line of a read request.
    pub fn ask(&mut self, from: u8, to: u8, ready_at: u64) -> &mut Scene {
        self.network.request(
            from,
            DataRequest { to, ready_at, request: RequestId(0), read: true, leaves: false, to_use_bus_cycles: 0 },
        );
        self
    }

    /// Requests a ring for the line of a write request.
    fn ask_to_write(&mut self, from: u8, to: u8, ready_at: u64) -> &mut Scene {
        self.network.request(
            from,
            DataRequest { to, ready_at, request: RequestId(0), read: false, leaves: false, to_use_bus_cycles: 0 },
        );
        self
    }

    /// The next `n` grants with their times. The arbiter has one turn in each bus cycle.
    fn grants(&mut self, n: usize) -> Vec<(u64, Grant)> {
        let mut grants = Vec::new();
        for now in 1000..3000 {
            grants.extend(self.network.advance(now, &mut self.counters).map(|grant| (now, grant)));
            if grants.len() == n {
                return grants;
            }
        }
        panic!("{} grants of {n} in 2000 bus cycles", grants.len());
    }

    /// Times, on-ramps and rings of the next `n` grants. The arbiter has up to two turns in each bus cycle that it
    /// announced, and no turns in other bus cycles.
    fn pairs_as_awaited(&mut self, n: usize) -> Vec<(u64, u8, u8)> {
        let (mut grants, mut now) = (Vec::new(), 1000);
        while grants.len() < n && now < 3000 {
            for _ in 0..2 {
                let grant = self.network.advance(now, &mut self.counters);
                grants.extend(grant.map(|grant| (now, grant.from, grant.ring)));
            }
            now = self.network.next_advance(now);
        }
        grants
    }

    /// Times and on-ramps of the next `n` grants.
    fn starts(&mut self, n: usize) -> Vec<(u64, u8)> {
        self.grants(n).iter().map(|(now, grant)| (*now, grant.from)).collect()
    }
}

#[test]
fn nothing_is_granted_before_it_is_ready() {
    assert_eq!(Scene::on(&plain()).ask(1, 3, 1005).starts(1), [(1005, 1)]);
}

#[test]
fn the_first_line_of_a_run_waits_for_no_earlier_transfer() {
    let mut machine = plain();
    machine.eib.beat_bytes = 1;
    let Scene { mut network, mut counters, .. } = Scene::on(&machine);
    let line =
        DataRequest { to: 3, ready_at: 5, request: RequestId(0), read: true, leaves: false, to_use_bus_cycles: 0 };
    assert_eq!(network.request(1, line), Some(5));
    assert_eq!(network.advance(4, &mut counters).map(|grant| grant.from), None);
    assert_eq!(network.advance(5, &mut counters).map(|grant| grant.from), Some(1));
}

#[test]
fn an_on_ramp_sends_one_line_at_a_time() {
    assert_eq!(Scene::on(&plain()).ask(1, 3, 1000).ask(1, 11, 1000).starts(2), [(1000, 1), (1008, 1)]);
}

#[test]
fn an_off_ramp_receives_one_line_at_a_time() {
    // The lines reach the off-ramp from both sides over the same distance.
    assert_eq!(Scene::on(&plain()).ask(1, 3, 1000).ask(5, 3, 1000).starts(2), [(1000, 1), (1008, 5)]);
    // The nearer element starts later, because its beats arrive sooner.
    assert_eq!(Scene::on(&plain()).ask(1, 5, 1000).ask(6, 5, 1000).starts(2), [(1000, 1), (1011, 6)]);
}

#[test]
fn elements_that_want_one_off_ramp_take_turns_whatever_their_distance() {
    // Ramp 1 is four hops away, so it could start its next line three cycles before ramp 6 can start.
    let mut scene = Scene::on(&plain());
    for _ in 0..3 {
        scene.ask(1, 5, 1000).ask(6, 5, 1000);
    }
    let senders: Vec<u8> = scene.starts(6).into_iter().map(|(_, from)| from).collect();
    assert_eq!(senders, [1, 6, 1, 6, 1, 6]);
}

#[test]
fn a_farther_element_does_not_overtake_a_nearer_one() {
    // Ramp 4 is one hop away. Ramp 9 is four hops away, so its beats would follow those of ramp 4 immediately if ramp
    // 9 started at 1005.
    assert_eq!(Scene::on(&plain()).ask(4, 5, 1000).ask(9, 5, 1000).starts(2), [(1000, 4), (1008, 9)]);
}

#[test]
fn a_segment_carries_one_train_at_a_time() {
    // Both transfers use the segment after ramp 2. The first transfer reaches the segment after one hop.
    assert_eq!(Scene::on(&plain()).ask(1, 3, 1000).ask(2, 4, 1000).starts(2), [(1000, 1), (1009, 2)]);
    // These two transfers follow each other without sharing a segment.
    assert_eq!(Scene::on(&plain()).ask(1, 2, 1000).ask(2, 4, 1000).starts(2), [(1000, 1), (1001, 2)]);
}

#[test]
fn starts_on_one_ring_are_a_gap_apart() {
    let mut machine = plain();
    machine.eib.ring_start_gap_bus_cycles = 3;
    let starts = Scene::on(&machine).ask(0, 1, 1000).ask(4, 5, 1000).ask(8, 9, 1000).starts(3);
    assert_eq!(starts, [(1000, 0), (1003, 4), (1006, 8)]);
    // The other direction has a separate ring.
    assert_eq!(Scene::on(&machine).ask(0, 1, 1000).ask(5, 4, 1000).starts(2), [(1000, 0), (1001, 5)]);
}

#[test]
fn all_rings_together_share_the_grants_of_a_bus_cycle() {
    let mut scene = Scene::on(&plain());
    scene.ask(0, 1, 1000).ask(4, 5, 1000).ask(8, 9, 1000);
    assert_eq!(scene.starts(3), [(1000, 0), (1001, 4), (1002, 8)]);
}

#[test]
fn a_ring_other_than_the_home_ring_is_taken_after_the_wait() {
    let mut machine = plain();
    machine.eib.clockwise_rings = 2;
    machine.eib.home_ring_wait_bus_cycles = 11;
    // Ramps 0 and 2 have the same home ring, on which ramp 0's transfer blocks ramp 2's.
    let grants = Scene::on(&machine).ask(0, 4, 1000).ask(2, 3, 1000).grants(2);
    assert_eq!((grants[0].0, grants[0].1.ring), (1000, 0));
    assert_eq!((grants[1].0, grants[1].1.ring), (1010, 0), "the home ring was free before another ring was allowed");
    machine.eib.home_ring_wait_bus_cycles = 4;
    let grants = Scene::on(&machine).ask(0, 4, 1000).ask(2, 3, 1000).grants(2);
    assert_eq!((grants[1].0, grants[1].1.ring), (1004, 1));
}

#[test]
fn data_of_a_read_leave_their_home_ring_sooner_if_only_the_start_gap_blocks_them() {
    let mut machine = plain();
    machine.eib.clockwise_rings = 2;
    machine.eib.ring_start_gap_bus_cycles = 6;
    machine.eib.home_ring_wait_bus_cycles = 4;
    machine.eib.start_gap_wait_bus_cycles = 2;
    // Ramps 0 and 4 have the same home ring, but their routes do not overlap.
    let grants = Scene::on(&machine).ask(0, 1, 1000).ask(4, 5, 1000).grants(2);
    assert_eq!((grants[1].0, grants[1].1.ring), (1002, 1));
    let grants = Scene::on(&machine).ask(0, 1, 1000).ask_to_write(4, 5, 1000).grants(2);
    assert_eq!((grants[1].0, grants[1].1.ring), (1004, 1), "data of a write wait as for a taken route");
    // In this scenario, the route on ring 0 is occupied until 1010.
    let grants = Scene::on(&machine).ask(1, 4, 1000).ask(3, 5, 1000).grants(2);
    assert_eq!((grants[1].0, grants[1].1.ring), (1004, 0), "the gap is not the only obstacle");
}

#[test]
fn starts_in_one_direction_are_a_gap_apart() {
    let mut machine = plain();
    machine.eib.clockwise_rings = 2;
    machine.eib.direction_start_gap_bus_cycles = 2;
    let starts = Scene::on(&machine).ask(0, 1, 1000).ask(5, 6, 1000).ask(9, 8, 1000).starts(3);
    assert_eq!(starts, [(1000, 0), (1001, 9), (1002, 5)], "ramps 0 and 5 have different home rings");
}

#[test]
fn no_head_crosses_the_route_of_one_that_has_waited_longer() {
    // The route of ramp 3 is occupied until 1006. From 1006 onwards, ramp 3 waits for segments 3 to 6 and off-ramp 7.
    let starts = |young: (u8, u8)| {
        let mut scene = Scene::on(&plain());
        scene.ask(1, 4, 1000).ask(3, 7, 1001).ask(young.0, young.1, 1002).starts(3)
    };
    assert_eq!(starts((5, 6)), [(1000, 1), (1010, 3), (1020, 5)], "the same segment");
    assert_eq!(starts((8, 7)), [(1000, 1), (1010, 3), (1021, 8)], "the same off-ramp, from the other side");
    assert_eq!(starts((7, 8)), [(1000, 1), (1002, 7), (1010, 3)], "the routes do not overlap");
    assert_eq!(starts((6, 5)), [(1000, 1), (1002, 6), (1010, 3)], "the other direction has another ring");
}

#[test]
fn a_grant_may_send_a_blocked_younger_head_the_other_way_in_the_same_bus_cycle() {
    let mut machine = plain();
    machine.eib.clockwise_rings = 2;
    machine.eib.grants_per_bus_cycle = 2;
    machine.eib.direction_start_gap_bus_cycles = 1;
    machine.eib.halfway_clockwise_only = 0;
    // Ramp 0 sends a line half way around the ring. On ring 0, which is clockwise, the line would cross segment 2,
    // which ramp 2 needs as soon as off-ramp 3 is free. The start of ramp 7 on ring 1 then closes the clockwise
    // direction, so ramp 0 goes counterclockwise.
    let grants = |asked_at: u64| {
        let mut scene = Scene::on(&machine);
        scene.ask(5, 3, 1000).ask(2, 3, 1001).ask(0, 6, 1001).ask(7, 8, asked_at);
        scene.pairs_as_awaited(4)
    };
    assert_eq!(grants(1004), [(1000, 5, 2), (1004, 7, 1), (1004, 0, 2), (1009, 2, 0)]);
    assert_eq!(grants(1005), [(1000, 5, 2), (1005, 7, 1), (1005, 0, 2), (1009, 2, 0)], "not before that grant");
}

#[test]
fn a_grant_may_send_a_blocked_younger_head_to_another_ring_in_the_same_bus_cycle() {
    let mut machine = plain();
    machine.eib.clockwise_rings = 3;
    machine.eib.grants_per_bus_cycle = 2;
    machine.eib.ring_start_gap_bus_cycles = 6;
    // The start gap after ramp 6 blocks home ring 0 for ramp 0. On ring 1, ramp 0's line would cross segment 1, which
    // ramp 1 needs as soon as off-ramp 2 is free. The start of ramp 7 then closes ring 1, so ramp 0 takes ring 2.
    let grants = |asked_at: u64| {
        let mut scene = Scene::on(&machine);
        scene.ask(4, 2, 1000).ask(1, 2, 1001).ask(6, 7, 1002).ask(0, 3, 1003).ask(7, 8, asked_at);
        scene.pairs_as_awaited(5)
    };
    assert_eq!(grants(1004), [(1000, 4, 3), (1002, 6, 0), (1004, 7, 1), (1004, 0, 2), (1009, 1, 0)]);
    assert_eq!(grants(1005), [(1000, 4, 3), (1002, 6, 0), (1005, 7, 1), (1005, 0, 2), (1009, 1, 0)]);
}

#[test]
fn a_transfer_takes_the_shorter_route_and_half_way_around_goes_clockwise() {
    let machine = plain();
    for from in 0..12u8 {
        for hops in 0..12u8 {
            let grant = Scene::on(&machine).ask(from, (from + hops) % 12, 1000).grants(1)[0].1;
            assert_eq!(grant.hops, hops.min(12 - hops));
            assert_eq!(grant.ring, u8::from(hops > 6), "ring 0 is clockwise");
            assert_eq!(grant.arrives_at, 1000 + u64::from(grant.hops) + 8);
        }
    }
}

#[test]
fn half_way_around_goes_in_either_direction_if_the_machine_allows_it() {
    let mut machine = plain();
    machine.eib.halfway_clockwise_only = 0;
    let grants = Scene::on(&machine).ask(0, 6, 1000).ask(1, 7, 1000).grants(2);
    assert_eq!((grants[0].1.ring, grants[1].1.ring), (0, 1));
}

#[test]
fn lines_of_one_element_half_way_around_prefer_the_two_directions_in_turn() {
    let mut machine = plain();
    machine.eib.halfway_clockwise_only = 0;
    let rings = |scene: &mut Scene, lines: usize| -> Vec<u8> {
        scene.grants(lines).iter().map(|(_, grant)| grant.ring).collect()
    };
    let mut scene = Scene::on(&machine);
    (0..4).for_each(|_| _ = scene.ask(0, 6, 1000));
    assert_eq!(rings(&mut scene, 4), [0, 1, 0, 1]);
    // A shorter route takes no turn.
    let mut scene = Scene::on(&machine);
    scene.ask(0, 6, 1000).ask(0, 1, 1000).ask(0, 6, 1000);
    assert_eq!(rings(&mut scene, 3), [0, 0, 1]);
    // Ramp 0's second line would prefer to go counterclockwise, where ramp 11's line is in its way until 1012.
    let mut scene = Scene::on(&machine);
    let grants = scene.ask(0, 6, 1000).ask(11, 8, 1005).ask(0, 6, 1000).grants(3);
    assert_eq!((grants[2].0, grants[2].1.ring), (1008, 0));
}

#[test]
fn the_memory_controller_goes_first() {
    let mut scene = Scene::on(&plain());
    let mic = scene.mic;
    // All lines go to the same off-ramp. The memory controller is the last element of the ring, and requests last.
    scene.ask(0, 2, 1000).ask(1, 2, 1000).ask(3, 2, 1000).ask(mic, 2, 1000).ask(mic, 2, 1000);
    let order: Vec<u8> = scene.starts(5).iter().map(|(_, from)| *from).collect();
    assert_eq!(order, [mic, mic, 0, 1, 3]);
}

#[test]
fn the_others_are_served_in_turn() {
    // The ring starts a transfer only when the previous transfer has left its ramp. The requests have no other
    // resource in common.
    let mut machine = plain();
    machine.eib.ring_start_gap_bus_cycles = 8;
    let mut scene = Scene::on(&machine);
    let sources = [1, 3, 5, 7, 9];
    for _ in 0..4 {
        for from in sources {
            scene.ask(from, from + 1, 1000);
        }
    }
    let order: Vec<u8> = scene.starts(20).iter().map(|(_, from)| *from).collect();
    assert_eq!(order, sources.repeat(4));
}

#[test]
fn sources_that_compete_for_an_off_ramp_are_served_in_turn() {
    let mut scene = Scene::on(&board());
    let sources = [1, 2, 3, 5, 6];
    for _ in 0..4 {
        for from in sources {
            scene.ask(from, 4, 1000);
        }
    }
    let order: Vec<u8> = scene.starts(20).iter().map(|(_, from)| *from).collect();
    for round in order.chunks(5) {
        let mut round = round.to_vec();
        round.sort();
        assert_eq!(round, sources, "{order:?}");
    }
}

#[test]
fn denials_are_counted_by_obstacle() {
    let mut machine = plain();
    machine.eib.ring_start_gap_bus_cycles = 3;
    let waits = |flows: [(u8, u8); 2]| {
        let mut scene = Scene::on(&machine);
        flows.iter().for_each(|(from, to)| _ = scene.ask(*from, *to, 1000));
        scene.grants(2);
        let ring = &scene.counters[0];
        (ring.path_taken_bus_cycles, ring.off_ramp_busy_bus_cycles, ring.start_gap_bus_cycles)
    };
    // The denial is counted one cycle after the first grant, because each bus cycle has only one grant.
    assert_eq!(waits([(0, 4), (2, 5)]), (9, 0, 0), "the gap ends earlier, so the segment is the obstacle");
    assert_eq!(waits([(0, 1), (4, 5)]), (0, 0, 2));
    assert_eq!(waits([(0, 3), (1, 3)]), (0, 7, 0));
}
