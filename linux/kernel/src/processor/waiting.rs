//! What all threads and all SPE contexts of a process wait for, as text for people.

use super::backtrace::{Names, with_offset};
use super::machine::Machine;
use super::process::Process;
use crate::names;
use crate::spufs::context::{Context, Residency};
use crate::spufs::faults::status;
use crate::spufs::state::Spufs;
use crate::spufs::stop::origin;
use crate::threads::thread::{State, Thread};
use crate::wait::Wait;
use cell::door::{Op, Supervisor};
use cell::units::SpeId;

/// Calls whose first argument is a descriptor on which they may wait.
const ON_DESCRIPTORS: [&str; 10] =
    ["read", "write", "readv", "writev", "pread64", "pwrite64", "splice", "sendfile", "epoll_wait", "fsync"];

/// A thread or a context, and what it does.
struct Line {
    number: usize,
    spe: Option<SpeId>,
    /// Begins with a verb in the singular.
    what: String,
    /// Numbers of the contexts for which a thread waits; they stand behind `what`.
    contexts: Vec<usize>,
    place: String,
}

impl Line {
    /// Whether others do the same at the same place, for whichever context.
    fn is_like(&self, other: &Line) -> bool {
        let of_context = |line: &Line| line.contexts.is_empty();
        self.what == other.what && self.place == other.place && of_context(self) == of_context(other)
    }
}

impl Process {
    /// A line of text for each group of threads and of contexts that wait for the same at the same place.
    pub fn waiting(&mut self, machine: &mut dyn Supervisor) -> Vec<String> {
        let kernel = &self.kernel;
        let hardware = &mut Machine { supervisor: machine, code: &mut self.code, width: self.width };
        let spufs = kernel.spufs.borrow();
        let mut names = Names::new(kernel);
        let threads = kernel.scheduler.threads.values().map(|thread| {
            let (what, contexts) = thread_waits(thread, &spufs);
            let place = format!(" at {}", names.place(&thread.cpu, hardware));
            Line { number: thread.tid.0 as usize, spe: None, what, contexts, place }
        });
        let mut lines = grouped("thread", threads.collect());
        let contexts = spufs.contexts.iter().filter_map(|(number, context)| {
            let what = context_waits(context, &spufs, hardware.supervisor)?;
            let (number, spe) = (spufs.ordinal(*number), context.residency.spe());
            Some(Line { number, spe, what, contexts: Vec::new(), place: String::new() })
        });
        lines.extend(grouped("context", contexts.collect()));
        lines
    }
}

/// What a thread waits for, and the contexts that are part of it.
fn thread_waits(thread: &Thread, spufs: &Spufs) -> (String, Vec<usize>) {
    let State::Waiting(wait) = &thread.state else { return ("runs".to_string(), Vec::new()) };
    let (parts, contexts) = awaited_contexts(wait, spufs);
    let Some(request) = &thread.request else {
        // An instruction of the thread accesses a context.
        return ("waits for the SPE of ".to_string(), contexts);
    };
    let name = names::name(request.number).map_or_else(|| request.number.to_string(), str::to_string);
    let what = match name.as_str() {
        _ if !contexts.is_empty() => format!(" for {parts}"),
        "futex" => format!(" on the word at {:#x}", request.longs[0]),
        name if ON_DESCRIPTORS.contains(&name) => format!(" on descriptor {}", request.arguments[0]),
        _ => String::new(),
    };
    (format!("waits in {name}{what}"), contexts)
}

/// The contexts whose queues wake a thread, and the parts of contexts to which these queues belong.
fn awaited_contexts(wait: &Wait, spufs: &Spufs) -> (String, Vec<usize>) {
    let (mut parts, mut contexts) = (Vec::new(), Vec::new());
    for (number, context) in &spufs.contexts {
        let queues = &context.queues;
        let named = [
            (queues.moved, ""),
            (queues.ibox, "the outbound interrupt mailbox of "),
            (queues.wbox, "the inbound mailbox of "),
            (queues.mfc, "proxy commands of "),
        ];
        for (_, part) in named.into_iter().filter(|(queue, _)| wait.on.contains(queue)) {
            contexts.push(spufs.ordinal(*number));
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    contexts.dedup();
    (parts.join("and "), contexts)
}

/// What a context waits for; `None` if nobody runs the context, or its program has stopped.
fn context_waits(context: &Context, spufs: &Spufs, spes: &mut dyn Supervisor) -> Option<String> {
    if context.run_by.is_none() || context.end.borrow().is_some() {
        return None;
    }
    let on_spe = context.residency.spe();
    let has_begun = context.status == status::RUNNING;
    let without_spe = matches!(context.residency, Residency::Saved(_));
    if without_spe && !has_begun {
        return Some("waits for an SPE".to_string());
    }
    let runner = context.runner.borrow();
    let what = match runner.awaits() {
        Some(Op::Read(channel)) => format!("waits to read {channel}"),
        Some(Op::Write(channel, _)) => format!("waits to write {channel}"),
        _ => "runs".to_string(),
    };
    let function = context.local_store(spes).and_then(|store| origin(&spufs.programs, store, runner.at()).function);
    let function = function.map_or(String::new(), |(name, offset)| format!(", {}", with_offset(&name, offset)));
    let dma = on_spe.is_some_and(|spe| spes.waits_for_page(spe));
    let dma = if dma { ", and its DMA for a context that is on no SPE" } else { "" };
    let spe = if without_spe { ", and for an SPE" } else { "" };
    Some(format!("{what} at {}{function}{dma}{spe}", runner.place()))
}

/// Joins the lines of those that do the same at the same place.
fn grouped(subject: &str, lines: Vec<Line>) -> Vec<String> {
    let mut groups: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match groups.iter_mut().find(|group| group[0].is_like(&line)) {
            Some(group) => group.push(line),
            None => groups.push(vec![line]),
        }
    }
    groups.iter().map(|group| text(subject, group)).collect()
}

fn text(subject: &str, group: &[Line]) -> String {
    let Line { spe, what, place, .. } = &group[0];
    let mut contexts: Vec<usize> = group.iter().flat_map(|line| line.contexts.iter().copied()).collect();
    contexts.sort_unstable();
    contexts.dedup();
    let contexts = if contexts.is_empty() { String::new() } else { named("context", &contexts) };
    let who = named(subject, &group.iter().map(|line| line.number).collect::<Vec<_>>());
    let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
    let (verb, on) = match (group.len(), spe) {
        (1, Some(spe)) => (verb, format!(" on SPE {}", spe.0)),
        (1, None) => (verb, String::new()),
        _ => (verb.trim_end_matches('s'), String::new()),
    };
    let rest = if rest.is_empty() { String::new() } else { format!(" {rest}") };
    format!("{who}{on} {verb}{rest}{contexts}{place}")
}

/// Ascending numbers with what they count, as ranges: `contexts 1-3, 7`.
fn named(subject: &str, numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|one, next| *next == one + 1).map(|run| match run {
        [only] => only.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    let plural = if numbers.len() == 1 { "" } else { "s" };
    format!("{subject}{plural} {}", runs.collect::<Vec<_>>().join(", "))
}
