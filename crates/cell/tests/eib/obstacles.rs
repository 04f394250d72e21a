//! Checks the reported reason why a queue's head waits: it must match the arbiter's behaviour in the cycle of the grant
//! and in the previous cycle.

use super::arbitration::{Scene, plain};
use crate::common::machines::board_with;
use cell::eib::Obstacle;

impl Scene {
    /// Runs one cycle of the arbiter. Returns the obstacle that blocks the head of an on-ramp's queue.
    fn waits(&mut self, from: u8, now: u64) -> Option<Obstacle> {
        self.network.advance(now, &mut self.counters);
        self.network.wait_of(from, now).map(|wait| wait.obstacle)
    }

    /// Runs from cycle 1000 until the head of an on-ramp is granted. Returns the obstacles that blocked the head, each
    /// with its start and end.
    fn wait_of(&mut self, from: u8) -> Vec<(Obstacle, u64, u64)> {
        let mut parts: Vec<(Obstacle, u64, u64)> = Vec::new();
        for now in 1000..1100 {
            if self.network.advance(now, &mut self.counters).is_some_and(|grant| grant.from == from) {
                return parts;
            }
            let Some(wait) = self.network.wait_of(from, now) else { continue };
            match parts.last_mut() {
                Some((obstacle, _, end)) if *obstacle == wait.obstacle && *end == now => *end = now + 1,
                _ => parts.push((wait.obstacle, wait.from.max(now), now + 1)),
            }
        }
        panic!("ramp {from} is not granted")
    }
}

#[test]
fn a_line_that_is_not_ready_does_not_wait() {
    let mut scene = Scene::on(&plain());
    scene.ask(1, 3, 1005);
    assert_eq!(scene.waits(1, 1004), None);
    assert_eq!(scene.waits(1, 1005), None);
}

#[test]
fn a_ready_line_waits_for_its_on_ramp_until_the_previous_one_has_left() {
    let mut scene = Scene::on(&plain());
    scene.ask(1, 3, 1000).ask(1, 11, 1003);
    // A future wait is known as soon as the previous line is granted.
    scene.network.advance(1000, &mut scene.counters).expect("a grant");
    let wait = scene.network.wait_of(1, 1000).expect("a wait that will begin");
    assert_eq!((wait.obstacle, wait.from), (Obstacle::OnRamp, 1003));
    assert_eq!(scene.waits(1, 1007), Some(Obstacle::OnRamp));
    assert_eq!(scene.waits(1, 1008), None);
}

#[test]
fn an_off_ramp_is_waited_for_until_its_last_beat() {
    assert_eq!(Scene::on(&plain()).ask(1, 3, 1000).ask(5, 3, 1001).wait_of(5), [(Obstacle::OffRamp, 1001, 1008)]);
}

#[test]
fn a_head_out_of_turn_waits_for_the_next_in_turn() {
    // Ramp 1 was served last, so ramp 5 and then ramp 7 have the next turns.
    let mut scene = Scene::on(&plain());
    scene.ask(1, 4, 1000).ask(5, 4, 1001).ask(7, 4, 1001);
    let of_7 = scene.wait_of(7);
    assert_eq!(of_7.first(), Some(&(Obstacle::Turn(5), 1001, 1010)));
    assert_eq!(of_7.last().map(|part| part.0), Some(Obstacle::OffRamp));
}

#[test]
fn a_route_is_waited_for_while_it_is_taken() {
    // The transfer from ramp 0 to ramp 4 occupies the segment between ramps 2 and 3 from cycle 1002 until cycle 1010.
    assert_eq!(Scene::on(&plain()).ask(0, 4, 1000).ask(2, 5, 1003).wait_of(2), [(Obstacle::Way, 1003, 1010)]);
}

#[test]
fn a_start_gap_is_waited_for_and_nothing_else() {
    let gap = board_with(&[
        ("eib.hop_bus_cycles", "1".into()),
        ("eib.ring_start_gap_bus_cycles", "3".into()),
        ("eib.grants_per_bus_cycle", "1".into()),
        ("eib.direction_start_gap_bus_cycles", "0".into()),
        ("eib.clockwise_rings", "1".into()),
        ("eib.counterclockwise_rings", "1".into()),
        ("eib.halfway_clockwise_only", "1".into()),
    ]);
    // These two routes do not overlap.
    assert_eq!(Scene::on(&gap).ask(0, 2, 1000).ask(4, 6, 1000).wait_of(4), [(Obstacle::StartGap, 1000, 1003)]);
}

#[test]
fn of_two_heads_that_could_start_one_waits_for_the_arbiter() {
    assert_eq!(Scene::on(&plain()).ask(0, 2, 1000).ask(4, 6, 1000).wait_of(4), [(Obstacle::Arbiter, 1000, 1001)]);
}

#[test]
fn a_younger_head_waits_for_an_older_one_whose_route_it_would_cross() {
    // The transfer from ramp 2 to ramp 5 waits for its off-ramp, which the transfer from 4 to 5 occupies. The transfer
    // from 3 to 4 could start, but would block the transfer from 2 to 5.
    let mut scene = Scene::on(&plain());
    scene.ask(4, 5, 1000).ask(2, 5, 1001).ask(3, 4, 1002);
    let of_3 = scene.wait_of(3);
    assert_eq!(of_3.first().map(|part| part.0), Some(Obstacle::Older(2)), "{of_3:?}");
}
