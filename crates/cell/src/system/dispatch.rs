//! The block diagram: which wires are for what is due, in the order of a line's journey.

use super::event::{Event, Outcome};
use super::fast_forward::progress::Runner;
use super::fast_forward::search::marked;
use super::journey::{command, complete, deliver, issue, link, memory, order, ring};
use super::parts::System;
use super::ppe::supervisor::supervise;
use super::ppe::{arrivals, kernel, threads, walks};
use super::processors::Pause;
use super::spe::{commands, decrementer, lock_lines, ms_sync, spu};
use super::stage::{Due, Unit};
use crate::error::RunError;
use crate::ppe::THREADS;
use crate::processor::State;
use crate::request::RequestId;
use crate::units::SpeId;

impl System<'_> {
    /// An event, or a unit's turn.
    #[inline(always)]
    pub(super) fn dispatch(&mut self, due: Due) -> Result<(), RunError> {
        let System { board, time, bus, memory, processors, probes, fast_forward: _ } = self;
        match due {
            // A program asks, and its channels answer.
            Due::Wake(Unit::Spu(id)) if processors.spe(id).lookahead => {
                bus.requests.tell_visits(|| time.arrivals());
                time.defer(id);
            }
            Due::Wake(Unit::Spu(id)) => return self.run_spu(id),
            Due::Wake(Unit::LookaheadSpus) => return time.take_lookahead().try_for_each(|id| self.run_spu(id)),

            // A command is cut into requests, and their commands go to the address concentrator.
            Due::Wake(Unit::Dmac(id)) => issue::run_dmac(processors.spe(id), board, time, bus, probes)?,
            Due::Event(Event::Send(id)) => command::send_again(id, board, time, bus, probes),

            // Commands are ordered and snooped, and get their combined response.
            Due::Wake(Unit::Commands(level)) => {
                order::run_concentrator(level, board, time, bus, memory, processors, probes);
            }
            Due::Event(Event::Response(id, outcome)) => self.respond(id, outcome),

            // Data come from memory, get a ring, and perhaps cross to the other chip.
            Due::Wake(Unit::Mic(channel)) => memory::run_channel(channel, board, time, bus, memory, probes),
            Due::Wake(Unit::Arbiter(chip)) => ring::run_arbiter(chip, board, time, bus, probes),
            Due::Event(Event::AtLink(id)) if link::is_posted(bus.requests.get(id)) => return self.deliver(id),
            Due::Event(Event::AtLink(id)) => link::leave_chip(id, board, time, bus, probes),
            Due::Event(Event::Crossed(id)) => link::join(id, board, time, bus, probes),

            // Data arrive; a request is complete, and with the last one its command.
            Due::Event(Event::Deliver(id)) => return self.deliver(id),
            Due::Event(Event::CommandDone(id, entry)) => {
                commands::end(processors.spe(id), entry, board, time, bus, probes)
            }

            // Beside the journey: lock lines, what SPUs wait for alone, and the PPE.
            Due::Event(Event::AtomicLookup(id)) => {
                lock_lines::look_up(processors.spe(id), board, time, bus, &mut memory.store, probes);
            }
            Due::Event(Event::AtomicDone(id, status)) => {
                lock_lines::end(processors.spe(id), status, board, time, bus, probes);
            }
            Due::Event(Event::MsSyncDone(id)) => ms_sync::end(processors.spe(id), time, probes),
            Due::Event(Event::Acknowledged) => arrivals::acknowledged(time, &mut processors.ppe),
            Due::Event(Event::Decrementer(id)) => decrementer::alarm(processors.spe(id), time, probes),
            Due::Wake(Unit::Ppe) => return self.run_ppe(),
        }
        Ok(())
    }

    /// The combined response reaches the unit that issued the command.
    #[inline(never)]
    fn respond(&mut self, id: RequestId, outcome: Outcome) {
        let System { board, time, bus, memory, processors, probes, fast_forward: _ } = self;
        command::respond(id, outcome, board, time, bus, processors, probes);
        match outcome {
            Outcome::Retry => (),
            Outcome::DataFrom(ramp) => ring::fetch_data(ramp, id, board, time, bus, probes),
            Outcome::Memory => link::join_response(id, board, time, bus, probes),
            Outcome::Done => complete::complete(id, board, time, bus, memory, processors, probes),
        }
    }

    /// Data have arrived, and with them all that the request was for.
    #[inline(never)]
    fn deliver(&mut self, id: RequestId) -> Result<(), RunError> {
        let System { board, time, bus, memory, processors, probes, fast_forward: _ } = self;
        deliver::deliver(id, board, time, bus, memory, processors, probes)?;
        complete::complete(id, board, time, bus, memory, processors, probes);
        Ok(())
    }

    /// Lets an SPU's program run until it has to wait.
    #[inline(never)]
    fn run_spu(&mut self, id: SpeId) -> Result<(), RunError> {
        loop {
            let System { board, time, bus, processors, probes, .. } = self;
            let pause = match spu::run(id, board, time, bus, processors, probes) {
                Ok(pause) => pause,
                Err(error) => return supervise(error, time, processors),
            };
            match pause {
                Pause::Waits => return Ok(()),
                Pause::Stopped => {
                    kernel::thread_stopped(id, board, time, &processors.ppe);
                    return Ok(());
                }
                Pause::Marked => {
                    let skip = marked(Runner::Spu(id), self).min(u64::from(u32::MAX)) as u32;
                    self.processors.spe(id).core.state = State::Ready(skip);
                }
            }
        }
    }

    /// Lets the PPE's programs run until all have to wait.
    #[inline(never)]
    fn run_ppe(&mut self) -> Result<(), RunError> {
        loop {
            for thread in 0..THREADS {
                self.run_ppe_thread(thread)?;
            }
            let System { board, time, bus, memory, processors, probes, .. } = self;
            let walk_ended = walks::run(board, time, &mut bus.requests, &mut memory.store, processors, probes);
            if !walk_ended && !(0..THREADS).any(|thread| processors.ppe.sync_is_due(thread)) {
                return Ok(());
            }
        }
    }

    fn run_ppe_thread(&mut self, thread: usize) -> Result<(), RunError> {
        loop {
            let System { board, time, bus, memory, processors, probes, .. } = self;
            if threads::run(thread, board, time, bus, memory, processors, probes)? != Pause::Marked {
                return Ok(());
            }
            let skip = marked(Runner::Ppe(thread as u8), self);
            self.processors.ppe.threads[thread].core.state = State::Ready(skip);
        }
    }
}
