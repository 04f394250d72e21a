//! All that needs Linux: threads, memory, and what they do.

mod abort;
mod barrier;
mod buffers;
mod mailbox;
mod mkthread;
mod os;
mod primitive;
mod pthread;
mod sampler;
mod team;

use crate::error::{Error, usage};
use crate::request::{Function, Request};
use primitive::Primitive;
use sampler::Plan;

/// Measures what the JSON asks for, as long as `quiet` says yes.
pub fn measure(request: &str, quiet: &mut dyn FnMut() -> bool) -> Result<String, Error> {
    let request = Request::parse(request)?;
    request.check(&os::allowed_cpus()?)?;
    buffers::check_node(request.memory_node)?;
    let plan = Plan {
        iterations: request.iterations,
        granule: 1,
        samples: request.samples,
        warm_up_ns: request.warm_up_ns,
        budget_ns: request.budget_ns,
    };
    let answer = team::measure(&*primitive(&request)?, &request.cpus, plan, quiet)?;
    serde_json::to_string(&answer).or_else(|error| usage(format!("the answer cannot be written: {error}")))
}

fn primitive(request: &Request) -> Result<Box<dyn Primitive>, Error> {
    Ok(match request.function {
        Function::Mkthread => Box::new(mkthread::Mkthread::new(&request.cpus)),
        Function::Mailbox => Box::new(mailbox::Mailbox::new(request)?),
    })
}
