//! The latency of one DMA on an idle machine, split into components.
//!
//! ```text
//!   SPU writes channels  │ queue  │ list │ command phase │ first line   │ other │ DMAC, tag status,
//!                        │        │      │               │ into place   │ lines │ SPU reads it
//!   ─────────────────────┼────────┼──────┼───────────────┼──────────────┼───────┼──────────────────
//!   dma_issue            │ dma_   │ list_│ coherence_    │ data_        │further│ completion
//!                        │ to_eib │ elem…│ protocol      │ transfer     │_lines │
//! ```
//!
//! The components are those of kistler2006, Table 1, except that the table counts the completion as part of the data
//! transfer. Each component is the time between two events of a trace and ends where the next one begins, so the
//! components add up to the whole latency. Memory refresh is switched off, because a DMA would coincide with a refresh
//! only by chance. In a DMA of several lines, the components follow the first line. If the line crosses to the other
//! chip, the data transfer ends at the interface; two more components follow, the interface and the onward transfer on
//! the other chip's rings. A line that crosses before its combined response arrives, as in reads from the other chip's
//! memory, costs no extra time.

use super::prepared::{MeasureError, prepared};
use super::span::TraceSpan;
use crate::choices::SpeProgram;
use crate::families::Experiment;
use crate::refusal::Refusal;
use crate::request::Request;
use crate::settings::Settings;
use crate::setup::MEASURED_TAG;
use cell::machine::Machine;
use cell::trace::{CommandRow, RequestRow, Trace, Window};
use cell::units::SpuCycles;
use serde::Serialize;

/// Version of the JSON form of breakdowns.
pub const BREAKDOWN_SCHEMA_VERSION: u32 = 1;

/// The latency of one DMA, split into components.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Breakdown {
    /// [`BREAKDOWN_SCHEMA_VERSION`].
    pub schema: u32,
    /// FUNCTION.
    pub function: String,
    /// Machine name.
    pub machine: String,
    /// Hash of the machine's values.
    pub machine_hash: String,
    /// Whether the DMA's other end is another SPE's local store.
    pub spe_to_spe: bool,
    /// Bytes of the DMA or list element.
    pub size_bytes: u32,
    /// Elements of a list.
    pub list_elements: Option<u32>,
    /// The memory of the buffer: `0`, `1` or `interleave`, or `None` if the buffer was not in main memory.
    pub memory: Option<&'static str>,
    /// Physical SPE of each thread.
    pub placement: Vec<u8>,
    /// SPU cycles in a second.
    pub spu_hz: u64,
    /// SPU cycles in a bus cycle.
    pub spu_cycles_per_bus_cycle: u64,
    /// Components in chronological order.
    pub components: Vec<Component>,
}

/// One component of a latency.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Component {
    /// Its name.
    pub component: &'static str,
    /// Length of the component.
    pub spu_cycles: SpuCycles,
}

impl Breakdown {
    /// The breakdown as JSON, one line.
    pub fn to_json(&self) -> String {
        // Serialising plain numbers and names cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Sum of all components.
    pub fn total_spu_cycles(&self) -> SpuCycles {
        self.components.iter().map(|component| component.spu_cycles).sum()
    }
}

/// Splits the latency of a FUNCTION's DMA into components. One SPE issues this DMA after all earlier DMAs complete.
/// Parameters that do not affect the transfer or its two ends are ignored.
///
/// `check` is called from time to time; if it returns false, the run is interrupted.
///
/// # Errors
/// Invalid parameters, or a run that failed.
pub fn breakdown(machine: &Machine, request: &Request, check: impl FnMut() -> bool) -> Result<Breakdown, MeasureError> {
    let request = &alone(request)?;
    let plan = request.plan(machine)?;
    let mut undisturbed = machine.clone();
    undisturbed.mic.refresh_bus_cycles = 0;
    let (mut system, _) = prepared(&undisturbed, request, &plan.placement, plan.tasks)?;
    let trigger = request.experiment.trigger();
    let window = Window { trigger, skip_bus_cycles: 0, bus_cycles: TraceSpan::BUS_CYCLES_MAX };
    let trace = system.run_window(window, check)?;
    let ratio = machine.chip.processor_cycles_per_bus_cycle;
    let components = trace.as_ref().and_then(|trace| components(trace, ratio));
    let (name, columns) = (request.experiment.name(), request.experiment.columns(&request.settings));
    let spes = request.settings.spes_of(&plan.placement);
    Ok(Breakdown {
        schema: BREAKDOWN_SCHEMA_VERSION,
        function: name.to_string(),
        machine: machine.name.clone(),
        machine_hash: machine.hash(),
        spe_to_spe: columns.spe_to_spe,
        size_bytes: columns.size_bytes.unwrap_or_default(),
        list_elements: columns.list_elements,
        memory: request.experiment.uses_memory().then(|| request.settings.memory.name()),
        placement: spes.iter().map(|spe| spe.0).collect(),
        spu_hz: machine.bus_hz() * ratio,
        spu_cycles_per_bus_cycle: ratio,
        components: components.ok_or_else(|| {
            let bus_cycles = TraceSpan::BUS_CYCLES_MAX;
            Refusal::new(format!("{name}: its DMA takes more than {bus_cycles} bus cycles; move fewer bytes"))
        })?,
    })
}

/// Reduces a request to one DMA on an idle machine.
fn alone(request: &Request) -> Result<Request, Refusal> {
    let Experiment::Dma(dma) = &request.experiment else {
        let (name, known) = (request.experiment.name(), Experiment::dma_functions().join(", "));
        return Err(Refusal::new(format!("{name} is not a single DMA, so it has no breakdown; give one of {known}")));
    };
    let (experiment, spes) = (Experiment::Dma(dma.alone()), dma.spes_of_one());
    let settings = Settings {
        spes,
        private: false,
        iterations: 1,
        spe_program: SpeProgram::Builtin,
        histogram: false,
        ..request.settings.clone()
    };
    Ok(Request { experiment, settings, given: request.given.clone() })
}

/// The components of the measured DMA, or `None` if the trace window ended before the DMA.
fn components(trace: &Trace, ratio: u64) -> Option<Vec<Component>> {
    let command = trace.commands.iter().find(|row| row.tag == MEASURED_TAG)?;
    let own = || trace.requests.iter().filter(|row| row.command == Some(command.id));
    let lines: Vec<_> = own().filter(|row| row.onward_of.is_none()).collect();
    let onward = own().find(|row| row.onward_of == lines.first().map(|first| first.id));
    let mut from = (command.enqueued_at * ratio).checked_sub(command.issue_spu_cycles?)?;
    let ends = ends(command, &lines, onward, ratio)?.into_iter().flatten();
    let components = ends.map(|(component, to)| {
        let spu_cycles = to.checked_sub(from)?;
        from = to;
        Some(Component { component, spu_cycles })
    });
    components.collect()
}

/// The end of each component in SPU cycles; `onward` is the first line's transfer beyond the interface.
fn ends(
    command: &CommandRow,
    lines: &[&RequestRow],
    onward: Option<&RequestRow>,
    ratio: u64,
) -> Option<[Option<(&'static str, SpuCycles)>; 9]> {
    let first = lines.first()?;
    let (issued_at, responded_at) = (first.rounds.first()?.issued_at, first.rounds.last()?.responded_at?);
    let in_place_at = first.done_at?;
    let all_in_place_at = lines.iter().map(|line| line.done_at).max()??;
    let seen_at = command.done_at? * ratio + command.status_spu_cycles?;
    let end = |name, at| Some((name, at * ratio));
    let crossing = match onward {
        Some(onward) => {
            let reached_at = first.arrived_at?.max(responded_at);
            Some((reached_at, onward.ready_at?.max(reached_at)))
        }
        None => None,
    };
    let name_of_last = if crossing.is_some() { "onward_transfer" } else { "data_transfer" };
    Some([
        end("dma_issue", command.enqueued_at),
        end("dma_to_eib", command.list_fetch_at.unwrap_or(issued_at)),
        command.list_fetch_at.and_then(|_| end("list_element_fetch", issued_at)),
        end("coherence_protocol", responded_at),
        crossing.and_then(|(reached_at, _)| end("data_transfer", reached_at)),
        crossing.and_then(|(_, crossed_at)| end("chip_to_chip_interface", crossed_at)),
        end(name_of_last, in_place_at),
        if lines.len() > 1 { end("further_lines", all_in_place_at) } else { None },
        Some(("completion", seen_at)),
    ])
}
