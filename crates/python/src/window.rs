//! Reads the window of a trace from two Python numbers.

use crate::errors::usage;
use crate::number::number;
use crate::text::shown;
use cell::trace::{Trigger, Window};
use cell::units::BUS_CYCLES_MAX;
use pyo3::prelude::*;

/// Reads a window: the number of bus cycles to skip after the first command of any MFC, and the number to trace.
pub fn window_of(span: &Bound<'_, PyAny>) -> PyResult<Window> {
    let Ok((skip, length)) = span.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
        let right = "give bus cycles to leave out and to trace, as (0, 400)";
        return Err(usage(format!("window {} is not two numbers; {right}", shown(span))));
    };
    Ok(Window {
        trigger: Trigger::Command,
        skip_bus_cycles: number(&skip, "window: bus cycles to leave out", 0..=BUS_CYCLES_MAX)?,
        bus_cycles: number(&length, "window: bus cycles", 1..=BUS_CYCLES_MAX)?,
    })
}
