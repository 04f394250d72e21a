//! The block diagram: the step for each event and each unit's turn, in the order of a line's journey.

use super::event::{Event, Outcome};
use super::fast_forward::capture::Whole;
use super::fast_forward::progress::Runner;
use super::fast_forward::search::marked;
use super::fast_forward::settling;
use super::journey::{complete, deliver, issue, link, memory, order, response, ring};
use super::parts::System;
use super::ppe::supervisor::supervise;
use super::ppe::{arrivals, kernel, threads, walks};
use super::processors::Pause;
use super::spe::{commands, decrementer, lock_lines, ms_sync, spu};
use super::stage::{Due, Unit};
use crate::error::RunError;
use crate::processor::State;
use crate::request::RequestId;
use crate::units::{SpeId, THREADS_PER_PPE};

impl System<'_> {
    /// An event happens, or a unit has its turn.
    #[inline(always)]
    pub(super) fn dispatch(&mut self, due: Due) -> Result<(), RunError> {
        let System { wires, memory, processors, .. } = self;
        match due {
            // An SPU program issues operations, and its channels answer.
            Due::Wake(Unit::Spu(id)) if processors.spe(id).lookahead => {
                wires.bus.requests.track_visits(|| wires.time.arrivals());
                wires.time.defer(id);
            }
            Due::Wake(Unit::Spu(id)) => return self.run_spu(id),
            Due::Wake(Unit::LookaheadSpus) => {
                return wires.time.take_lookahead().try_for_each(|id| self.run_spu(id));
            }

            // A DMAC splits a command into requests, whose bus commands go to the address concentrator.
            Due::Wake(Unit::Dmac(id)) => issue::run_dmac(processors.spe(id), wires)?,
            Due::Event(Event::Send(id)) => wires.send_again(id),

            // Commands are ordered and snooped, and receive their combined response.
            Due::Wake(Unit::Commands(level)) => order::run_concentrator(level, memory, processors, wires),
            Due::Event(Event::Response(id, outcome)) => self.respond(id, outcome),

            // Data come from memory, are granted a ring, and cross to the other chip if necessary.
            Due::Wake(Unit::Mic(channel)) => memory::run_channel(channel, memory, wires),
            Due::Wake(Unit::Arbiter(chip)) => ring::run_arbiter(chip, wires),
            Due::Event(Event::AtLink(id)) if link::is_posted(wires.bus.requests.get(id)) => return self.deliver(id),
            Due::Event(Event::AtLink(id)) => link::leave_chip(id, wires),
            Due::Event(Event::Crossed(id)) => link::join(id, wires),

            // Data arrive. The request is complete. A command is complete when its last request is complete.
            Due::Event(Event::Deliver(id)) => return self.deliver(id),
            Due::Event(Event::CommandDone(id, entry)) => commands::end(processors.spe(id), entry, wires),

            // Outside the journey: lock lines, waits of a single SPU, and the PPE.
            Due::Event(Event::AtomicLookup(id)) => lock_lines::look_up(processors.spe(id), &mut memory.store, wires),
            Due::Event(Event::AtomicDone(id, status)) => lock_lines::end(processors.spe(id), status, wires),
            Due::Event(Event::MsSyncDone(id)) => ms_sync::end(processors.spe(id), wires),
            Due::Event(Event::Acknowledged(chip)) => {
                arrivals::acknowledged(processors.ppe(chip), &mut wires.time);
            }
            Due::Event(Event::Decrementer(id)) => decrementer::alarm(processors.spe(id), wires),
            Due::Wake(Unit::Ppe(chip)) => return self.run_ppe(chip),
        }
        Ok(())
    }

    /// The combined response reaches the unit that sent the command.
    #[inline(never)]
    fn respond(&mut self, id: RequestId, outcome: Outcome) {
        let System { wires, memory, processors, .. } = self;
        response::respond(id, outcome, processors, wires);
        match outcome {
            Outcome::Retry => (),
            Outcome::DataFrom(ramp) => ring::fetch_data(ramp, id, wires),
            Outcome::Memory => link::join_response(id, wires),
            Outcome::Done => complete::complete(id, memory, processors, wires),
        }
    }

    /// The data of a request have arrived, and the request is complete.
    #[inline(never)]
    fn deliver(&mut self, id: RequestId) -> Result<(), RunError> {
        let System { wires, memory, processors, .. } = self;
        deliver::deliver(id, memory, processors, wires)?;
        complete::complete(id, memory, processors, wires);
        Ok(())
    }

    /// Runs an SPU's program until it must wait.
    #[inline(never)]
    fn run_spu(&mut self, id: SpeId) -> Result<(), RunError> {
        loop {
            let System { wires, processors, .. } = self;
            let pause = match spu::run(id, processors, wires) {
                Ok(pause) => pause,
                Err(error) => return supervise(error, &mut wires.time, processors),
            };
            match pause {
                Pause::Waits => return Ok(()),
                Pause::Stopped => {
                    kernel::thread_stopped(id, &processors.ppes, wires);
                    return Ok(());
                }
                Pause::Marked => {
                    let skip = self.marked(Runner::Spu(id)).min(u64::from(u32::MAX)) as u32;
                    self.processors.spe(id).core.state = State::Ready(skip);
                }
            }
        }
    }

    /// Runs the programs of a chip's PPE until all of them must wait.
    #[inline(never)]
    fn run_ppe(&mut self, chip: u8) -> Result<(), RunError> {
        loop {
            for thread in 0..THREADS_PER_PPE {
                self.run_ppe_thread(chip, thread)?;
            }
            let System { wires, memory, processors, .. } = self;
            let walk_ended = walks::run(chip, &mut memory.store, processors, wires);
            if !walk_ended && !(0..THREADS_PER_PPE).any(|thread| processors.ppe(chip).sync_is_due(thread)) {
                return Ok(());
            }
        }
    }

    fn run_ppe_thread(&mut self, chip: u8, thread: usize) -> Result<(), RunError> {
        loop {
            let System { wires, memory, processors, .. } = self;
            if threads::run((chip, thread), memory, processors, wires)? != Pause::Marked {
                return Ok(());
            }
            let skip = self.marked(Runner::Ppe(chip, thread));
            self.processors.ppe(chip).threads[thread].core.state = State::Ready(skip);
        }
    }

    /// A program has made a mark. Returns the number of iterations that the program must skip.
    fn marked(&mut self, runner: Runner) -> u64 {
        let System { wires, memory, processors, fast_forward, settling } = self;
        let mut whole = Whole { wires, memory, processors };
        marked(runner, fast_forward, &mut whole);
        settling::marked(runner, settling, fast_forward, &mut whole);
        std::mem::take(whole.skip_of(runner))
    }
}
