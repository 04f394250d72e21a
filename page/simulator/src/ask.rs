//! The requests of a page, and their answers.

use crate::about;
use crate::machine::{self, MachineChoice};
use cell::machine::Machine;
use cell::trace::Trace;
use cellstats::{Parameter, Request, Session, TraceSpan};
use serde::Deserialize;
use serde_json::{Value, json};

/// One request; `machine` and `request` have the same JSON form as in a page's scene.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
enum Ask {
    /// Lists machines, FUNCTIONs and affinities.
    About {},
    /// Describes a machine and its values.
    Machine { machine: MachineChoice },
    /// Opens a session.
    Open { machine: MachineChoice, request: Value },
    /// Traces the `bus_cycles` that begin `skip` bus cycles after the session's trigger.
    Window { skip: u64, bus_cycles: u64 },
    /// Measures and returns the result.
    Measure { machine: MachineChoice, request: Value },
    /// Breaks down the latency of one DMA.
    Breakdown { machine: MachineChoice, request: Value },
    /// Finds the end of a measurement's start-up, given the bandwidth of the whole measurement.
    #[serde(rename = "start_up")]
    StartUp { machine: MachineChoice, request: Value, whole_gb_s: Option<f64> },
    /// Lists the SPEs of an affinity for a number of threads.
    Affinity { machine: MachineChoice, name: String, threads: usize },
    /// Finds the placement that the communication model judges best for the last window's traffic.
    Place {},
}

/// The open session and its last window.
#[derive(Default)]
pub struct Sessions {
    open: Option<Open>,
}

struct Open {
    machine: Machine,
    request: Request,
    session: Session,
    seen: Option<Trace>,
}

/// Answers a request; the answer to an invalid request is `{"error": "one line"}`.
pub fn respond(request: &[u8], sessions: &mut Sessions) -> String {
    let asked = serde_json::from_slice(request).map_err(|error| format!("no request: {error}"));
    asked.and_then(|ask| sessions.answer(ask)).unwrap_or_else(|error| json!({ "error": error }).to_string())
}

fn line(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Sessions {
    fn answer(&mut self, ask: Ask) -> Result<String, String> {
        match ask {
            Ask::About {} => about::about(),
            Ask::Machine { machine } => Ok(machine::values(&machine.read()?)),
            Ask::Open { machine, request } => self.open(machine.read()?, &request),
            Ask::Window { skip, bus_cycles } => self.window(skip, bus_cycles),
            Ask::Measure { machine, request } => {
                let (machine, request) = asked(machine, &request)?;
                cellstats::measure(&machine, &request, || true).map(|result| result.to_json()).map_err(line)
            }
            Ask::Breakdown { machine, request } => {
                let (machine, request) = asked(machine, &request)?;
                cellstats::breakdown(&machine, &request, || true).map(|found| found.to_json()).map_err(line)
            }
            Ask::StartUp { machine, request, whole_gb_s } => {
                let (machine, request) = asked(machine, &request)?;
                let found = cellstats::start_up(&machine, &request, whole_gb_s, || true).map_err(line)?;
                Ok(json!(found).to_string())
            }
            Ask::Affinity { machine, name, threads } => {
                let spes = cellstats::first_of_affinity(&machine.read()?, &name, threads)?;
                Ok(json!({ "placement": spes.iter().map(|spe| spe.0).collect::<Vec<_>>() }).to_string())
            }
            Ask::Place {} => {
                let Open { machine, request, session, seen } = self.opened()?;
                let seen = seen.as_ref().ok_or("the picture is not drawn yet; wait until it is")?;
                let better = cellstats::better_placement(machine, request, &session.placement(), seen)?;
                Ok(json!(better).to_string())
            }
        }
    }

    fn opened(&mut self) -> Result<&mut Open, String> {
        self.open.as_mut().ok_or_else(|| "no run is open yet; wait until the picture is drawn".to_string())
    }

    fn open(&mut self, machine: Machine, request: &Value) -> Result<String, String> {
        let request = Request::parse(&request.to_string(), &machine).map_err(line)?;
        let session = Session::new(&machine, &request).map_err(line)?;
        let mut parameters = session.recipe().parameters;
        // A recipe contains the names of columns, but the page needs the names of parameters.
        for (parameter, name, _) in Parameter::ALL {
            if let Some(value) = parameters.remove(parameter.column()) {
                parameters.insert(name.to_string(), value);
            }
        }
        let answer = json!({ "placement": session.placement(), "parameters": parameters });
        self.open = Some(Open { machine, request, session, seen: None });
        Ok(answer.to_string())
    }

    fn window(&mut self, skip_bus_cycles: u64, bus_cycles: u64) -> Result<String, String> {
        let Open { session, seen, .. } = self.opened()?;
        let trace = session.window(TraceSpan { skip_bus_cycles, bus_cycles }, || true).map_err(line)?;
        let text = trace.to_columns_json();
        *seen = Some(trace);
        Ok(text)
    }
}

fn asked(machine: MachineChoice, request: &Value) -> Result<(Machine, Request), String> {
    let machine = machine.read()?;
    let request = Request::parse(&request.to_string(), &machine).map_err(line)?;
    Ok((machine, request))
}
