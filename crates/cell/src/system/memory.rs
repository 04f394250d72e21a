//! The wires of main memory: which controller has an address, and what its channels do.

use super::{Event, Outcome, System, Unit};
use crate::mic::{Mic, Served};
use crate::request::{Issuer, RequestId, RequestKind};
use crate::units::NEVER;

impl System<'_> {
    /// A read of memory is ordered; no outcome yet if it has to wait for room in its queue.
    pub(super) fn order_memory_read(&mut self, id: RequestId, address: u64) -> Option<Outcome> {
        let request = *self.requests.get(id);
        let response_at = self.now() + self.response_bus_cycles(&request);
        let data_wait_for = self.data_wait_for(&request, response_at);
        if data_wait_for.is_none() {
            self.bif.join(id);
        }
        let taken = self.mic_of(address).read(address, request.bytes, id, data_wait_for);
        if taken {
            let channel = self.memory_channel(address);
            self.enter_memory_queue(channel, false);
            self.wake_mic(channel);
        }
        taken.then_some(Outcome::Memory)
    }

    /// A write to memory is ordered; whether there is a place for its data.
    pub(super) fn reserve_write(&mut self, id: RequestId, address: u64) -> bool {
        let taken = self.mic_of(address).reserve_write(address, id);
        if taken {
            self.enter_memory_queue(self.memory_channel(address), true);
        }
        taken
    }

    fn enter_memory_queue(&mut self, channel: u8, is_write: bool) {
        let now = self.now();
        let queues = &mut self.occupancy.mic_channels[usize::from(channel)];
        let queue = if is_write { &mut queues.writes } else { &mut queues.reads };
        queue.enter(now);
    }

    /// Memory takes what was written to it, or the interface does on the way there.
    pub(super) fn write_memory(&mut self, address: u64, id: RequestId) {
        let request = self.requests.get(id);
        if request.issuer != Issuer::Bif && self.crosses(request) {
            return self.carry_on(id);
        }
        let bytes = request.bytes;
        self.mic_of(address).write(address, bytes);
        self.wake_mic(self.memory_channel(address));
    }

    /// The memory controller that has an address.
    pub(super) fn mic_of(&mut self, address: u64) -> &mut Mic {
        &mut self.chips[usize::from(self.machine.home_of(address))].mic
    }

    /// The memory channel of an address, counted through all chips.
    pub(super) fn memory_channel(&self, address: u64) -> u8 {
        let chip = self.machine.home_of(address);
        chip * self.machine.mic.channels as u8 + self.chips[usize::from(chip)].mic.channel_of(address) as u8
    }

    /// The chip of a memory channel, and its number there.
    pub(super) fn place_of_channel(&self, channel: u8) -> (usize, usize) {
        let channels = self.machine.mic.channels as u8;
        (usize::from(channel / channels), usize::from(channel % channels))
    }

    pub(super) fn wake_mic(&mut self, channel: u8) {
        let (chip, index) = self.place_of_channel(channel);
        let at = self.chips[chip].mic.next_advance(index);
        if at != NEVER {
            let at = at.max(self.now());
            self.wake(Unit::Mic(channel), at);
        }
    }

    /// A memory channel's turn.
    pub(super) fn run_mic(&mut self, channel: u8) {
        let now = self.now();
        let (chip, index) = self.place_of_channel(channel);
        let served = self.chips[chip].mic.advance(index, now, self.skipped);
        self.trace_access(channel, served);
        match served {
            Some(Served::Write) => {
                self.counters.mics[chip].writes += 1;
                self.occupancy.mic_channels[usize::from(channel)].writes.leave(now);
            }
            Some(Served::Read(id, data_at)) => {
                self.counters.mics[chip].reads += 1;
                self.occupancy.mic_channels[usize::from(channel)].reads.leave(now);
                self.queue_data(self.chips[chip].mic_ramp, self.requests.get(id).ramp, data_at, id);
            }
            None => (),
        }
        let response_at = now + self.machine.eib.command_response_bus_cycles + self.reflection_bus_cycles();
        while let Some(id) = self.chips[chip].mic.admit(index, response_at) {
            let request = self.requests.get(id);
            let is_write = request.kind == RequestKind::Write;
            let outcome = if is_write { Outcome::DataFrom(request.ramp) } else { Outcome::Memory };
            self.calendar.push(response_at, Event::Response(id, outcome));
            self.enter_memory_queue(channel, is_write);
        }
        self.wake_mic(channel);
    }
}
