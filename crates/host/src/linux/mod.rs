//! The parts that need Linux: threads, memory, and the primitives.

mod abort;
mod access;
mod atomics;
mod barrier;
mod blocks;
mod buffers;
mod chase;
mod copy;
pub mod counters;
mod doorbell;
mod exchange;
mod held;
mod lines;
mod mailbox;
mod mkthread;
mod order;
mod os;
mod pair;
mod partner;
mod primitive;
mod pthread;
mod sampler;
mod script;
mod signal;
mod team;
mod traffic;
mod walk;

use crate::error::{Error, usage};
use crate::request::{Background, Function, Path, Request, Target};
use primitive::Primitive;

/// Runs the measurement that the JSON requests, as long as `go_on` returns true.
pub fn measure(request: &str, go_on: &mut dyn FnMut() -> bool) -> Result<String, Error> {
    let request = Request::parse(request)?;
    request.check(&os::allowed_cpus()?)?;
    buffers::check_node(request.memory_node)?;
    measure_request(&request, go_on)
}

fn measure_request(request: &Request, go_on: &mut dyn FnMut() -> bool) -> Result<String, Error> {
    let primitive = primitive(request)?;
    let answer = team::measure(&*primitive, request, go_on)?;
    serde_json::to_string(&answer).or_else(|error| usage(format!("the answer cannot be written: {error}")))
}

/// The primitive that a request's threads run.
fn primitive(request: &Request) -> Result<Box<dyn Primitive>, Error> {
    use Function::*;
    Ok(match request.function {
        Mkthread => Box::new(mkthread::Mkthread::new(&request.cpus)),
        Mailbox if matches!(request.path, Path::Lines | Path::OneWay) => Box::new(lines::Lines::new(request)?),
        Mailbox => Box::new(mailbox::Mailbox::new(request)?),
        Signal => Box::new(signal::Signal::new(request)?),
        FetchAdd | FetchSub | FetchInc | FetchDec | FetchSet => Box::new(atomics::Atomics::new(request)?),
        Load if request.chase.is_some()
            && matches!(request.background, Some(Background::Clean | Background::Dirty)) =>
        {
            Box::new(held::Held::new(request)?)
        }
        Load if request.chase.is_some() => Box::new(chase::Chase::new(request)?),
        Load | Store | Copy => Box::new(access::Access::new(request)?),
        DmaGet | DmaPut | DmaListGet | DmaListPut if request.core_to_core => Box::new(traffic::Traffic::new(request)?),
        DmaGet | DmaPut | DmaListGet | DmaListPut => Box::new(copy::MemoryCopy::new(request)?),
        HotSpot if matches!(request.target, None | Some(Target::Memory)) => Box::new(copy::MemoryCopy::new(request)?),
        HotSpot | Complement | Pairwise | Uniform | Couples | Cycle | Neighbour | Tornado | Permutation => {
            Box::new(traffic::Traffic::new(request)?)
        }
        Exchange => Box::new(exchange::Exchange::new(request)?),
    })
}
