//! `Machine`: a machine for Python.

use crate::errors::{refused, usage};
use crate::number::number;
use cell::eib::{Direction, Topology, Way};
use cell::machine::{Basis, Machine as CellMachine, Value};
use cell::placement::Placement;
use cell::units::{Element, SpeId};
use cellstats::{Cells, MemoryChoice, groups_of_spes};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// A machine: the hardware as data.
#[pyclass(frozen, module = "cellstats._native")]
pub struct Machine {
    pub inner: CellMachine,
}

/// Names of the built-in machines, such as `ps3`.
#[pyfunction]
pub fn machine_names() -> Vec<&'static str> {
    CellMachine::builtin_names().to_vec()
}

/// Names of machines that only serve as the `base` of a machine file.
#[pyfunction]
pub fn machine_bases() -> Vec<&'static str> {
    CellMachine::base_names().collect()
}

/// The names of the bases of values, from the most to the least certain.
#[pyfunction]
pub fn value_bases() -> Vec<&'static str> {
    Basis::ALL.map(Basis::as_str).to_vec()
}

/// The sections of a machine file in order: name and description.
#[pyfunction]
pub fn machine_sections() -> Vec<(&'static str, &'static str)> {
    CellMachine::sections().collect()
}

/// Names of all affinities.
#[pyfunction]
pub fn affinity_names() -> Vec<&'static str> {
    cellstats::affinities().collect()
}

/// The memory with this name, as in `--memory`, if the machine has it.
pub fn memory_named(name: &str, machine: &CellMachine) -> PyResult<MemoryChoice> {
    let choice = MemoryChoice::from_name(name).and_then(|choice| choice.check(machine).map(|()| choice));
    choice.map_err(|refusal| refused(&refusal))
}

#[pymethods]
impl Machine {
    /// A machine that comes with the simulator.
    #[staticmethod]
    #[pyo3(signature = (name, settings=Vec::new()))]
    fn builtin(name: &str, settings: Vec<String>) -> PyResult<Machine> {
        let inner = CellMachine::builtin_with(name, &settings).map_err(|error| usage(error.to_string()))?;
        Ok(Machine { inner })
    }

    /// Reads a machine from a TOML text. Messages use `origin` as the name of the file.
    #[staticmethod]
    #[pyo3(signature = (text, origin, settings=Vec::new()))]
    fn parse(text: &str, origin: &str, settings: Vec<String>) -> PyResult<Machine> {
        let inner = CellMachine::parse_with(text, origin, &settings).map_err(|error| usage(error.to_string()))?;
        Ok(Machine { inner })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    #[getter]
    fn description(&self) -> &str {
        &self.inner.description
    }

    #[getter]
    fn hash(&self) -> String {
        self.inner.hash()
    }

    /// The physical SPEs that programs may use, in logical order.
    #[getter]
    fn spes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.inner.chip.spes.iter().copied())
    }

    #[getter]
    fn chips(&self) -> u32 {
        self.inner.bif.chips
    }

    /// The chip of a physical SPE.
    fn chip_of(&self, spe: u8) -> u8 {
        self.inner.chip_of(SpeId(spe))
    }

    /// The names of the elements on the rings, in clockwise order, chip by chip.
    fn rings(&self) -> Vec<Vec<String>> {
        let topology = Topology::new(&self.inner);
        topology.names().chunks(usize::from(topology.ramps_on_chip())).map(<[String]>::to_vec).collect()
    }

    /// The routes between two elements, of which two on the same chip are alternatives: the names of the first and the
    /// last element, whether the route is clockwise, and the number of hops.
    fn routes(&self, source: &str, destination: &str) -> PyResult<Vec<(String, String, bool, u8)>> {
        let topology = Topology::new(&self.inner);
        let names = topology.names();
        let ramp = |name| {
            let ramp = names.iter().position(|known| known == name).map(|ramp| ramp as u8);
            ramp.ok_or_else(|| usage(format!("{} has no element {name} on its rings", self.inner.name)))
        };
        let mut found = Vec::new();
        for (from, to) in topology.legs(ramp(source)?, ramp(destination)?) {
            let [first, last] = [from, to].map(|ramp| names[usize::from(ramp)].clone());
            let ways = cell::eib::ways(&self.inner, &topology, topology.place(from), topology.place(to));
            let route = |way: &Way| (first.clone(), last.clone(), way.direction == Direction::Clockwise, way.hops);
            found.extend(ways.iter().map(route));
        }
        Ok(found)
    }

    /// Number of hops of the shortest path on the rings between two SPEs, where `None` stands for the memory of chip 0.
    fn hops(&self, source: Option<&Bound<'_, PyAny>>, destination: Option<&Bound<'_, PyAny>>) -> PyResult<u8> {
        let topology = Topology::new(&self.inner);
        let ramp = |end: Option<&Bound<'_, PyAny>>| match end {
            None => Ok(topology.ramp(0, Element::Mic)),
            Some(spe) => {
                let most = topology.spe_count() as u64 - 1;
                Ok::<u8, PyErr>(topology.spe_ramp(SpeId(number(spe, "SPE", 0..=most)? as u8)))
            }
        };
        Ok(topology.distance(ramp(source)?, ramp(destination)?))
    }

    /// The SPEs of `cells` (`None` is all), in the order in which threads receive them.
    fn usable_spes(&self, cells: Option<&Bound<'_, PyString>>) -> PyResult<Vec<u8>> {
        let checked = |cells: Cells| cells.check(&self.inner).map(|()| cells);
        let cells = cells.map(|cells| Cells::from_name(&cells.to_string_lossy()).and_then(checked)).transpose();
        let spes = cellstats::usable_spes(&self.inner, cells.map_err(|refusal| refused(&refusal))?);
        Ok(spes.iter().map(|spe| spe.0).collect())
    }

    /// A random placement of `threads` threads; equal seeds give equal placements. With `cells`, each thread stays on
    /// its own chip.
    fn random_placement(
        &self,
        threads: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        cells: Option<&Bound<'_, PyString>>,
    ) -> PyResult<Vec<u32>> {
        let cells = cells
            .map(|cells| Cells::from_name(&cells.to_string_lossy()))
            .transpose()
            .map_err(|refusal| refused(&refusal))?;
        let groups = groups_of_spes(&self.inner, cells);
        let most = groups.iter().map(Vec::len).sum::<usize>() as u64;
        let threads = number(threads, "threads", 1..=most)? as usize;
        let placement = Placement::random(groups, number(seed, "seed", 0..=u64::MAX)?);
        Ok(placement.threads().take(threads).map(|(_, spe)| spe.0.into()).collect())
    }

    /// The SPEs of an affinity, chip by chip in the order of `chips`, or `None` if there is no affinity of this name.
    fn affinity(&self, name: &str, chips: Vec<u8>) -> Option<Vec<u8>> {
        let spes = cellstats::affinity(&self.inner, name, &chips)?;
        Some(spes.iter().map(|spe| spe.0).collect())
    }

    /// First effective address of the memory with this name, as in `--memory`.
    fn memory_ea(&self, memory: &str) -> PyResult<u64> {
        Ok(memory_named(memory, &self.inner)?.region(&self.inner).0)
    }

    #[getter]
    fn bus_hz(&self) -> u64 {
        self.inner.bus_hz()
    }

    #[getter]
    fn timebase_hz(&self) -> u64 {
        self.inner.chip.timebase_hz
    }

    /// Every value with its unit, basis, range, interval, source and meaning, and the base machine from which the value
    /// is inherited.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.inner.values().iter().map(|value| row(py, value)).collect()
    }
}

fn row<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("key", value.key)?;
    row.set_item("value", plain(py, &value.text())?)?;
    row.set_item("unit", value.unit)?;
    row.set_item("basis", value.basis.as_str())?;
    row.set_item("range", value.range)?;
    row.set_item("interval", value.interval)?;
    row.set_item("source", &value.source)?;
    row.set_item("meaning", value.doc)?;
    row.set_item("base", value.base)?;
    Ok(row)
}

/// Parses a value of a machine file as JSON, because JSON and TOML write numbers and lists alike.
fn plain<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(number) = serde_json::from_str::<u64>(text) {
        return Ok(number.into_pyobject(py)?.into_any());
    }
    if let Ok(numbers) = serde_json::from_str::<Vec<u64>>(text) {
        return Ok(PyList::new(py, numbers)?.into_any());
    }
    match serde_json::from_str::<Vec<String>>(text) {
        Ok(names) => Ok(PyList::new(py, names)?.into_any()),
        Err(_) => Ok(PyString::new(py, text).into_any()),
    }
}
