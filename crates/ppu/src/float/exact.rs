//! The exact outcome of each operation, computed in integers.

use spu::float::Rounding;

use super::number::SIGN;
use super::operation::Operation;
use super::outcome::{Control, Outcome};
use super::{arithmetic, convert, estimate};

/// The outcome of `operation` with operands A, B and C.
pub fn outcome(operation: Operation, [a, b, c]: [u64; 3], control: Control) -> Outcome {
    match operation {
        Operation::Add(precision) => arithmetic::add([a, b], precision, control),
        Operation::Subtract(precision) => arithmetic::subtract([a, b], precision, control),
        Operation::Multiply(precision) => arithmetic::multiply([a, c], precision, control),
        Operation::Divide(precision) => arithmetic::divide([a, b], precision, control),
        Operation::SquareRoot(precision) => arithmetic::square_root(b, precision, control),
        Operation::MultiplyAdd(precision) => arithmetic::multiply_add([a, b, c], 0, precision, control),
        Operation::MultiplySubtract(precision) => arithmetic::multiply_add([a, b, c], SIGN, precision, control),
        Operation::NegativeMultiplyAdd(precision) => {
            arithmetic::multiply_add([a, b, c], 0, precision, control).negated()
        }
        Operation::NegativeMultiplySubtract(precision) => {
            arithmetic::multiply_add([a, b, c], SIGN, precision, control).negated()
        }
        Operation::RoundToSingle => convert::round_to_single(b, control),
        Operation::ToWord => convert::to_integer(b, 32, control.rounding(), control),
        Operation::ToWordTruncated => convert::to_integer(b, 32, Rounding::TowardZero, control),
        Operation::ToDoubleword => convert::to_integer(b, 64, control.rounding(), control),
        Operation::ToDoublewordTruncated => convert::to_integer(b, 64, Rounding::TowardZero, control),
        Operation::FromDoubleword => convert::from_doubleword(b, control),
        Operation::ReciprocalEstimate => estimate::reciprocal(b, control),
        Operation::ReciprocalRootEstimate => estimate::reciprocal_root(b, control),
    }
}
