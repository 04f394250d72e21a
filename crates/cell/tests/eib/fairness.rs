//! Checks that no request waits forever, even if other requests keep the rings busy.

use crate::common::board;
use cell::counters::RingCounters;
use cell::eib::{DataNetwork, DataRequest, Topology};
use cell::request::RequestId;
use cell::units::Element;
use proptest::prelude::*;

/// Number of bus cycles within which every flow must receive a grant. If twelve ramps each send one line to the same
/// off-ramp, the lines need twelve trains of eight beats and their flight times. The limit is ten times the duration
/// that these lines need.
const WAIT_BUS_CYCLES_MAX: u64 = 1500;

/// The longest time between two grants of one flow. Each flow always has a line waiting.
fn longest_wait(flows: &[(u8, u8)]) -> (u64, (u8, u8)) {
    let machine = board();
    let topology = Topology::new(&machine);
    let mut network = DataNetwork::new(&machine, &topology, topology.ramp(0, Element::Mic));
    let mut counters = vec![RingCounters::default(); network.ring_count()];
    let request = RequestId(0);
    let start = 1000;
    for (from, to) in flows {
        for _ in 0..2 {
            network.request(
                *from,
                DataRequest { to: *to, ready_at: start, request, read: true, leaves: false, to_use_bus_cycles: 0 },
            );
        }
    }
    let mut last = vec![start; flows.len()];
    let mut longest = (0, (0, 0));
    for now in start..start + 4 * WAIT_BUS_CYCLES_MAX {
        for _ in 0..machine.eib.grants_per_bus_cycle {
            let Some(grant) = network.advance(now, &mut counters) else { break };
            network.request(
                grant.from,
                DataRequest { to: grant.to, ready_at: now, request, read: true, leaves: false, to_use_bus_cycles: 0 },
            );
            if let Some(flow) = flows.iter().position(|flow| *flow == (grant.from, grant.to)) {
                last[flow] = now;
            }
        }
        for (flow, since) in flows.iter().zip(&last) {
            longest = longest.max((now - since, *flow));
        }
    }
    longest
}

/// Flows that avoid the memory controller's ramp, because that ramp has priority and may starve other ramps.
fn flows() -> impl Strategy<Value = Vec<(u8, u8)>> {
    proptest::collection::vec(proptest::option::weighted(0.7, 1..11u8), 11).prop_map(|hops| {
        let flows = (0..11u8).zip(hops).filter_map(|(from, hops)| Some((from, (from + hops?) % 12)));
        flows.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_flow_is_granted_again_and_again(flows in flows()) {
        let (wait, flow) = longest_wait(&flows);
        prop_assert!(wait <= WAIT_BUS_CYCLES_MAX, "flow {flow:?} waited {wait} bus cycles");
    }
}

#[test]
fn two_elements_that_send_to_a_third_both_succeed() {
    let (wait, flow) = longest_wait(&[(3, 8), (5, 8)]);
    assert!(wait <= WAIT_BUS_CYCLES_MAX, "flow {flow:?} waited {wait} bus cycles");
}

#[test]
fn flows_that_pass_a_ramp_do_not_block_it() {
    let (wait, flow) = longest_wait(&[(0, 3), (10, 2), (1, 5)]);
    assert!(wait <= WAIT_BUS_CYCLES_MAX, "flow {flow:?} waited {wait} bus cycles");
}
