use super::*;
use crate::float::Precision;
use crate::float::status::VXCVI;
use crate::float::status::VXZDZ;

const ONE: u64 = 1f64.to_bits();
const TENTH: u64 = 0.1f64.to_bits();
const SIGNALLING: u64 = 0x7ff0_0000_0000_0001;

#[test]
fn summaries_are_made_of_what_they_sum_up() {
    assert_eq!(Fpscr::new(VXVC).read(), VXVC | VX);
    assert_eq!(Fpscr::new(VXVC | VE).read(), VXVC | VX | VE | FEX);
    assert_eq!(Fpscr::new(XX | XE).read(), XX | XE | FEX);
    assert_eq!(Fpscr::new(XX | OE | UE | ZE | VE).read(), XX | OE | UE | ZE | VE);
    // The summary bits and the reserved bit cannot be written.
    assert_eq!(Fpscr::new(FEX | VX | RESERVED).read(), 0);
    let mut fpscr = Fpscr::new(0);
    fpscr.write(u32::MAX, 0xf000_0000);
    assert_eq!(fpscr.read(), FX | OX);
}

#[test]
fn a_bit_that_is_set_raises_its_exception() {
    let mut fpscr = Fpscr::default();
    fpscr.write_bit(30, true);
    assert_eq!(fpscr.read(), 2);
    fpscr.write_bit(6, true);
    assert_eq!(fpscr.read(), FX | XX | 2);
    fpscr.write_bit(0, false);
    fpscr.write_bit(6, true);
    // The inexact exception was already set.
    assert_eq!(fpscr.read(), XX | 2);
    fpscr.write_bit(1, true);
    fpscr.write_bit(2, true);
    assert_eq!(fpscr.read(), XX | 2);
}

#[test]
fn a_field_that_is_taken_loses_its_exceptions_only() {
    let mut fpscr = Fpscr::new(FX | OX | UX | VXSNAN | VXVC | FR | FI | VXCVI | VE | 1);
    assert_eq!(fpscr.take_field(0), 0b1111);
    assert_eq!(fpscr.read() & (FX | OX), 0);
    assert_eq!(fpscr.take_field(3), 0b1110);
    assert_eq!(fpscr.read() & (VXVC | FR | FI), FR | FI);
    assert_eq!(fpscr.take_field(5), 1);
    assert_eq!(fpscr.take_field(1), 0b1001);
    assert_eq!(fpscr.read(), FR | FI | VE | 1);
    assert_eq!(fpscr.take_field(6), 0b1000);
    assert_eq!(fpscr.take_field(7), 1);
}

#[test]
fn what_nobody_reads_is_found_when_somebody_does() {
    let add = Operation::Add(Precision::Double);
    let mut fpscr = Fpscr::default();
    // The first sum newly raises the inexact exception. The host computes the next two sums: the first is inexact, and
    // the second is exact.
    assert_eq!(fpscr.compute(add, [ONE, TENTH, 0]), Some(1.1f64.to_bits()));
    let inexact = FX | XX | FI | FR | 0b00100 << CLASS_SHIFT;
    assert_eq!(fpscr.read() & !FR, inexact & !FR);
    fpscr.compute(add, [TENTH, 0.7f64.to_bits(), 0]);
    assert!(fpscr.last.operation.is_some());
    let exactly = {
        let mut fpscr = fpscr;
        fpscr.compute_exactly(add, [TENTH, 0.7f64.to_bits(), 0]);
        fpscr.bits
    };
    assert_eq!(fpscr.read(), exactly);
    assert_eq!(fpscr.record(), 0b1000);
    fpscr.compute(add, [ONE | 1 << 63, 0, 0]);
    assert_eq!(fpscr.read(), FX | XX | 0b01000 << CLASS_SHIFT);
    // A comparison leaves FR, FI and the first bit of the class unchanged.
    fpscr.compute(add, [0, 1, 0]);
    assert_eq!(fpscr.read(), FX | XX | 0b10100 << CLASS_SHIFT);
    assert_eq!(fpscr.compare(ONE, TENTH, true), 0b0100);
    assert_eq!(fpscr.read(), FX | XX | 0b10100 << CLASS_SHIFT);
    assert_eq!(fpscr.compare(TENTH, TENTH, true), 0b0010);
    assert_eq!(fpscr.read(), FX | XX | 0b10010 << CLASS_SHIFT);
}

#[test]
fn comparisons_of_nans() {
    let raised = |a, b, is_ordered, enabled| {
        let mut fpscr = Fpscr::new(enabled);
        assert_eq!(fpscr.compare(a, b, is_ordered), 0b0001);
        assert_eq!(fpscr.read() & COMPARISON, 0b0001 << CLASS_SHIFT);
        fpscr.read() & (FX | FEX | VX_ALL)
    };
    let quiet = f64::NAN.to_bits();
    assert_eq!(raised(ONE, quiet, false, 0), 0);
    assert_eq!(raised(quiet, ONE, true, 0), FX | VXVC);
    assert_eq!(raised(SIGNALLING, ONE, false, 0), FX | VXSNAN);
    assert_eq!(raised(ONE, SIGNALLING, true, 0), FX | VXSNAN | VXVC);
    // If VE is set, a signalling NaN stops the comparison before VXVC is raised.
    assert_eq!(raised(ONE, SIGNALLING, true, VE), FX | FEX | VXSNAN);
    assert_eq!(raised(ONE, quiet, true, VE), FX | FEX | VXVC);
}

#[test]
fn enabled_exceptions_leave_the_target() {
    let class = 0b00101 << CLASS_SHIFT;
    let after = |operation, operands, bits| {
        let mut fpscr = Fpscr::new(bits | FR | FI | class);
        (fpscr.compute(operation, operands), fpscr.read())
    };
    let divide = Operation::Divide(Precision::Single);
    assert_eq!(after(divide, [ONE, 0, 0], ZE), (None, FX | FEX | ZX | ZE | class));
    assert_eq!(after(divide, [0, 0, 0], ZE | VE), (None, FX | FEX | VX | VXZDZ | ZE | VE | class));
    assert_eq!(after(Operation::ToWord, [0, SIGNALLING, 0], VE).0, None);
    let (result, fpscr) = after(Operation::Add(Precision::Double), [SIGNALLING, ONE, 0], ZE);
    assert_eq!(result, Some(SIGNALLING | 1 << 51));
    assert_eq!(fpscr, FX | VX | VXSNAN | ZE | 0b10001 << CLASS_SHIFT);
}
