//! A run depends only on its inputs.

use super::transfers::{check, programs};
use crate::common::board;
use crate::common::machines::any_machine;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn two_runs_leave_the_same_record_and_the_same_bytes(machine in any_machine(), programs in programs(8, 12)) {
        let (one, other) = (check(&machine, &programs).run(), check(&machine, &programs).run());
        prop_assert_eq!(one.record.to_json(), other.record.to_json());
        prop_assert!(one.memory.bytes(0, 0x40_0000) == other.memory.bytes(0, 0x40_0000));
    }

    #[test]
    fn operations_asked_together_give_the_same_as_one_by_one(machine in any_machine(), programs in programs(8, 12)) {
        let (in_turn, one_by_one) = (check(&machine, &programs), check(&machine, &programs).turn_by_turn());
        let (one, other) = (in_turn.run(), one_by_one.run());
        prop_assert_eq!(one.record.to_json(), other.record.to_json());
        prop_assert!(one.memory.bytes(0, 0x40_0000) == other.memory.bytes(0, 0x40_0000));
    }

    #[test]
    fn recording_the_transfers_changes_nothing(programs in programs(8, 12)) {
        let machine = board();
        let plain = check(&machine, &programs).run().record;
        let mut watched = check(&machine, &programs).recording_transfers().run().record;
        prop_assert_eq!(watched.transfers.take().map(|rows| rows.is_empty()), Some(plain.counters.rings.iter().all(|ring| ring.grants == 0)));
        prop_assert_eq!(plain, watched);
    }
}
