//! Bytes in, bytes out: Checks that DMA has the same effect on memory and local stores as plain copies.

use super::transfers::{all_bytes_in_place, check, programs};
use crate::common::machines::any_machine;
use crate::common::{board, ps3};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_byte_is_where_plain_copies_put_it(programs in programs(8, 40)) {
        for machine in [board(), ps3()] {
            let ran = check(&machine, &programs).run();
            all_bytes_in_place(&machine, &programs, &ran);
        }
    }

    #[test]
    fn on_any_machine_too(machine in any_machine(), programs in programs(16, 16)) {
        let ran = check(&machine, &programs).run();
        all_bytes_in_place(&machine, &programs, &ran);
    }
}
