//! Whole numbers from Python, checked for their range.

use crate::errors::usage;
use crate::text::shown;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use std::ops::RangeInclusive;

/// Maximum duration of one request, in processor cycles: some minutes. Sums of such durations fit easily in 64 bits.
pub const CYCLES_MAX: u64 = 1 << 40;
/// Maximum number of iterations of a loop.
pub const ITERATIONS_MAX: u64 = 1_000_000_000_000;

/// Reads the whole number `value`, which must be in `range`; error messages call the number by the name in `what`.
pub fn number(value: &Bound<'_, PyAny>, what: &str, range: RangeInclusive<u64>) -> PyResult<u64> {
    let (least, most) = (range.start(), range.end());
    match value.extract::<u64>() {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(number) => Err(usage(format!("{what} {number} is out of range; give {least} to {most}"))),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Err(usage(format!("{what} {} is out of range; give {least} to {most}", shown(value))))
        }
        Err(_) => Err(usage(format!("{what} {} is not a whole number; give {least} to {most}", shown(value)))),
    }
}

/// Reads a 32-bit number.
pub fn word(value: &Bound<'_, PyAny>, what: &str) -> PyResult<u32> {
    number(value, what, 0..=u64::from(u32::MAX)).map(|number| number as u32)
}

/// Reads an 8-bit number.
pub fn byte(value: &Bound<'_, PyAny>, what: &str, most: u8) -> PyResult<u8> {
    number(value, what, 0..=u64::from(most)).map(|number| number as u8)
}

/// Reads the physical SPEs of a placement.
pub fn placement(value: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let spes = value.try_iter().map_err(|_| usage(format!("placement {} is not a list of SPEs", shown(value))))?;
    spes.map(|spe| word(&spe?, "placement: SPE")).collect()
}

/// Several placements.
pub fn placements(listed: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u32>>> {
    let listed = listed.try_iter().map_err(|_| usage("placements: give a list of lists of SPEs"))?;
    listed.map(|spes| placement(&spes?)).collect()
}
