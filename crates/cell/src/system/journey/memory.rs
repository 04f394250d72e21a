//! Main memory at work: reads and writes enter the queues of a controller, whose channels serve them.

use super::ring::{self, Line};
use crate::mic::Served;
use crate::request::{RequestId, RequestKind};
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::event::{Event, Outcome};
use crate::system::memory::Memory;
use crate::system::probes::set::Probes;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::NEVER;

/// A read of memory is ordered; no outcome yet if it has to wait for room in its queue.
pub(crate) fn order_read(
    id: RequestId,
    address: u64,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    probes: &mut Probes,
) -> Option<Outcome> {
    let request = bus.requests.get(id);
    // Data for this chip do not leave before the combined response; what crosses waits behind the interface.
    let response_at = time.now() + board.response_bus_cycles(request);
    let leaves_after = (!board.crosses(request)).then_some(response_at);
    if leaves_after.is_none() {
        bus.bif.join(id);
    }
    let taken = memory.mic_of(address, board).read(address, request.bytes, id, leaves_after);
    if taken {
        let channel = memory.channel_of(address, board);
        probes.enters_memory_queue(id, channel, false, time.now());
        wake_channel(channel, board, time, memory);
    }
    taken.then_some(Outcome::Memory)
}

/// A write to memory is ordered; whether there is a place for its data.
pub(crate) fn reserve_write(
    id: RequestId,
    address: u64,
    board: &Board,
    time: &Time,
    memory: &mut Memory,
    probes: &mut Probes,
) -> bool {
    let taken = memory.mic_of(address, board).reserve_write(address, id);
    if taken {
        probes.enters_memory_queue(id, memory.channel_of(address, board), true, time.now());
    }
    taken
}

/// Memory takes the data of a write.
pub(crate) fn write(address: u64, bytes: u8, board: &Board, time: &mut Time, memory: &mut Memory) {
    memory.mic_of(address, board).write(address, bytes);
    wake_channel(memory.channel_of(address, board), board, time, memory);
}

fn wake_channel(channel: u8, board: &Board, time: &mut Time, memory: &Memory) {
    let (chip, index) = board.chip_of_channel(channel);
    let at = memory.mics[chip].next_advance(index);
    if at != NEVER {
        time.wake(Unit::Mic(channel), at.max(time.now()));
    }
}

/// A memory channel's turn: it serves an access, and those that waited for room enter its queues.
#[inline(never)]
pub(crate) fn run_channel(
    channel: u8,
    board: &Board,
    time: &mut Time,
    bus: &mut Bus,
    memory: &mut Memory,
    probes: &mut Probes,
) {
    let now = time.now();
    let (chip, index) = board.chip_of_channel(channel);
    let mic = &mut memory.mics[chip];
    if let Some(served) = mic.advance(index, now, time.skipped()) {
        probes.accessed(channel, served, now, mic.busy_until(index));
        let is_write = matches!(served, Served::Write);
        probes.leaves_memory_queue(channel, is_write, now);
        let counters = &mut probes.counters.mics[chip];
        *if is_write { &mut counters.writes } else { &mut counters.reads } += 1;
        if let Served::Read(id, at) = served {
            let line = Line { request: id, from: board.mic_ramp(chip), to: bus.requests.get(id).ramp, at };
            ring::queue(line, board, time, bus, probes);
        }
    }
    let response_at = now + board.machine.eib.command_response_bus_cycles + board.reflection_bus_cycles();
    while let Some(id) = memory.mics[chip].admit(index, response_at) {
        let request = bus.requests.get(id);
        let is_write = request.kind == RequestKind::Write;
        let outcome = if is_write { Outcome::DataFrom(request.ramp) } else { Outcome::Memory };
        time.push(response_at, Event::Response(id, outcome));
        probes.enters_memory_queue(id, channel, is_write, now);
    }
    wake_channel(channel, board, time, memory);
}
