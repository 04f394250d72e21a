//! The sections of a machine file: every field with its unit and hard limits.
//!
//! A bus cycle lasts `chip.processor_cycles_per_bus_cycle` SPU cycles. The EIB, the MFC and the chip's side of the
//! memory controller count time in bus cycles.

pub use super::linux::Linux;
pub use super::ppe_core::PpeCore;
use super::schema::{Field, Kind, Section, Values, between, element_names, power_of_two, section};
pub use super::translation::Translation;
use crate::units::CHIPS_MAX;

/// All sections, in the order in which a machine is listed.
pub(super) const SECTIONS: [Section; 15] = [
    Chip::SECTION,
    Eib::SECTION,
    Mfc::SECTION,
    Atomic::SECTION,
    Spu::SECTION,
    SpuPipeline::SECTION,
    Mic::SECTION,
    Bif::SECTION,
    Ppe::SECTION,
    PpeCore::SECTION,
    PpeMemory::SECTION,
    Translation::SECTION,
    Os::SECTION,
    Linux::SECTION,
    Software::SECTION,
];

/// All fields of all sections.
pub(super) fn fields() -> impl Iterator<Item = &'static Field> {
    SECTIONS.iter().flat_map(|section| section.fields)
}

section! {
    /// The chip as a whole: its clocks, its memory and the SPEs that programs may use.
    chip: Chip {
        /// Clock of the PPE and of the SPUs.
        processor_clock_hz: u64, "Hz", between(1_000_000, 100_000_000_000);
        /// Processor cycles in one bus cycle; EIB, MFC and memory controller run at the bus clock.
        processor_cycles_per_bus_cycle: u64, "SPU cycles", between(1, 16);
        /// Rate at which the time base and the SPU decrementers count.
        timebase_hz: u64, "Hz", between(1_000, 1_000_000_000);
        /// Main memory.
        main_memory_bytes: u64, "bytes", between(16_777_216, 4_294_967_296);
        /// Physical SPE of each logical SPE: logical SPE i is the i-th element of the array.
        spes: Vec<u32>, "SPEs", between(0, 31);
    }
}

section! {
    /// The element interconnect bus: command phase, data arbiter, rings.
    eib: Eib {
        /// The elements on the rings, in clockwise order.
        ring: Vec<String>, "elements", element_names();
        /// Number of data rings that run clockwise.
        clockwise_rings: u32, "rings", between(0, 8);
        /// Number of data rings that run counter-clockwise.
        counterclockwise_rings: u32, "rings", between(0, 8);
        /// Number of bytes that a ring, an on-ramp or an off-ramp moves in one bus cycle.
        beat_bytes: u32, "bytes", power_of_two(1, 128);
        /// Time from one element to the next on a ring.
        hop_bus_cycles: u64, "bus cycles", between(1, 16);
        /// Minimum time between the starts of two transfers on one ring.
        ring_start_gap_bus_cycles: u64, "bus cycles", between(0, 64);
        /// Maximum number of transfers that the data arbiter can start in one bus cycle, on all rings together.
        grants_per_bus_cycle: u32, "grants", between(1, 16);
        /// Time for which a ready line waits for its ramp's home ring before it takes another ring.
        home_ring_wait_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Time for which the data of a read wait for their ramp's home ring if only the start gap blocks that ring.
        start_gap_wait_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Minimum time between the starts of two transfers in one direction, on any rings.
        direction_start_gap_bus_cycles: u64, "bus cycles", between(0, 64);
        /// Direction of a transfer exactly halfway around the rings: 1 for clockwise only, 0 for both directions in turn.
        halfway_clockwise_only: u32, "flag", between(0, 1);
        /// Time from a data request to its earliest grant.
        data_request_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Time for a command to travel from its unit to the address concentrator.
        command_issue_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Time from the address concentrator to the combined response at the unit.
        command_response_bus_cycles: u64, "bus cycles", between(1, 1_000);
        /// Maximum number of commands that are snooped in one bus cycle, chip-wide.
        commands_per_bus_cycle: u32, "commands", between(1, 16);
        /// Maximum number of commands of one unit that wait for their combined response (or, if both chips must see a
        /// command, for its end).
        command_credits: u32, "commands", between(1, 256);
        /// Time after the ordering of a memory read during which other units' commands to the same line wait.
        line_read_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Time for which other units' commands to a line wait after a memory write to that line has been ordered.
        line_write_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Time for which a line stays in use after a command that a cache answers, or that only claims the line.
        /// During this time, another unit's command to the line waits if memory will serve it or if atomic units keep
        /// lines, and otherwise receives Retry.
        cached_match_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Time from a Retry response until the unit issues the command again.
        retry_bus_cycles: u64, "bus cycles", between(1, 1_000);
        /// The number of times that a command receives Retry because its line is in use. After that, it waits for the
        /// line.
        most_retries: u32, "retries", between(1, 255);
    }
}

section! {
    /// The memory flow controller of each SPE: queues, DMA controller, bus interface, mailboxes.
    mfc: Mfc {
        /// Entries of the queue for the SPU's own commands.
        spu_queue_entries: u32, "entries", between(1, 32);
        /// Number of entries in the queue for commands written by the PPE or other SPEs.
        proxy_queue_entries: u32, "entries", between(1, 32);
        /// Maximum number of reads that one MFC may have in flight, excluding atomic commands.
        outstanding_reads: u32, "lines", between(1, 64);
        /// Maximum number of writes and requests without data that one MFC may have in flight, excluding atomic
        /// commands.
        outstanding_writes: u32, "lines", between(1, 64);
        /// Time from when a command enters the queue until its first bus request.
        issue_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Minimum time between two bus requests of the DMA controller.
        unroll_bus_cycles: u64, "bus cycles", between(1, 1_000);
        /// Minimum time between the first bus requests of two commands.
        command_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Time to fetch one list element from the local store.
        list_element_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Time from the arrival of a command's last data until the SPU sees that the command has ended.
        completion_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Size of each SPE's local store.
        local_store_bytes: u32, "bytes", power_of_two(16_384, 1_048_576);
        /// Time to read a line from the local store for the bus.
        local_store_read_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Time to write a line from the bus into the local store.
        local_store_write_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Maximum transfer size of one command or of one list element.
        max_transfer_bytes: u32, "bytes", power_of_two(128, 16_384);
        /// Maximum number of elements of one list command.
        max_list_elements: u32, "elements", between(1, 2_048);
        /// Time from a mailbox or signal write at the MFC until the SPU's channel count changes.
        register_access_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Number of entries in the mailbox that the SPU reads.
        inbound_mailbox_entries: u32, "entries", between(1, 16);
        /// Number of entries in the mailbox that the SPU writes.
        outbound_mailbox_entries: u32, "entries", between(1, 16);
        /// Number of entries in the mailbox that the SPU writes and that interrupts the PPE.
        outbound_interrupt_mailbox_entries: u32, "entries", between(1, 16);
    }
}

section! {
    /// The atomic unit of each SPE and its small cache.
    atomic: Atomic {
        /// Number of lines in the atomic cache.
        cache_lines: u32, "lines", between(1, 64);
        /// Duration of a getllar command whose line is in the atomic cache.
        getllar_hit_bus_cycles: u64, "bus cycles", between(1, 10_000);
        /// Duration of a putllc command whose line is exclusive in the atomic cache.
        putllc_hit_bus_cycles: u64, "bus cycles", between(1, 10_000);
        /// Time for another atomic unit to supply a line that is Modified in its cache.
        intervention_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Time for which an atomic unit keeps a line after a getllar command has received it, unless its own putllc
        /// command is ordered before. Commands of other units to the line wait. If the value is 0, these commands are
        /// not held, but receive Retry while the line is in use.
        keep_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Maximum number of Retry responses to a claim by the PPE's L2 for a line that an SPE has reserved.
        l2_claim_retries: u32, "responses", between(0, 1_000);
    }
}

section! {
    /// Costs on the SPU of channel operations and local-store accesses.
    spu: Spu {
        /// Duration of a channel write that does not stall.
        channel_write_spu_cycles: u64, "SPU cycles", between(1, 1_000);
        /// Duration of a channel read or channel-count read that does not stall.
        channel_read_spu_cycles: u64, "SPU cycles", between(1, 1_000);
        /// Duration of each load or store in a stream of 16-byte accesses.
        local_store_access_spu_cycles: u64, "SPU cycles", between(1, 1_000);
        /// Additional time of a load of fewer than 16 bytes: the bytes are rotated into place.
        extract_spu_cycles: u64, "SPU cycles", between(0, 1_000);
        /// Additional time of a store of fewer than 16 bytes: the surrounding 16 bytes are loaded, and the new bytes
        /// are merged into them.
        merge_spu_cycles: u64, "SPU cycles", between(0, 1_000);
    }
}

section! {
    /// The SPU's two pipelines, for programs that consist of SPU instructions.
    spu_pipeline: SpuPipeline {
        /// Time from issue to result of simple integer and logical instructions.
        simple_fixed_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time from issue to result of shifts and rotates of words and halfwords.
        word_shift_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time from issue to result of byte operations: sums, differences, averages, counts of ones.
        byte_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time from issue to result of single-precision arithmetic.
        single_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time from issue to result of integer multiplication, conversion and interpolation.
        integer_multiply_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time from issue to result of double-precision arithmetic.
        double_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time without any issue after the issue cycle of a double-precision instruction.
        double_stall_spu_cycles: u64, "SPU cycles", between(0, 254);
        /// Time from issue to result of shuffles, and of shifts and rotates of quadwords.
        shuffle_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time from issue to result of loads.
        load_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time from issue to result (the link address) of a branch that sets the link.
        branch_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time from issue to result of moves from and to special-purpose registers.
        special_register_spu_cycles: u64, "SPU cycles", between(1, 255);
        /// Time lost by a mispredicted branch.
        branch_miss_spu_cycles: u64, "SPU cycles", between(0, 255);
        /// Minimum number of cycles between the issue of a branch hint and the issue of its branch, excluding these two
        /// cycles, so that the branch does not wait.
        hint_spu_cycles: u64, "SPU cycles", between(0, 255);
        /// Minimum number of instructions between a branch hint and its branch for the hint to be used.
        hint_distance_instructions: u32, "instructions", between(0, 255);
        /// Size of one instruction fetch from the local store.
        fetch_line_bytes: u32, "bytes", power_of_two(16, 128);
        /// Time from an instruction fetch's local-store access until the first fetched instruction may issue.
        fetch_spu_cycles: u64, "SPU cycles", between(0, 255);
    }
}

section! {
    /// The memory interface controller and the memory behind it.
    mic: Mic {
        /// Number of memory channels; lines are interleaved over channels and banks.
        channels: u32, "channels", power_of_two(1, 4);
        /// Number of banks of one channel.
        banks_per_channel: u32, "banks", power_of_two(1, 64);
        /// Number of bytes that one channel moves in one bus cycle, for reads and writes together.
        channel_bytes_per_bus_cycle: u32, "bytes", power_of_two(1, 128);
        /// Time from the start of a read at an idle bank until the first data are at the ring.
        read_latency_bus_cycles: u64, "bus cycles", between(1, 10_000);
        /// Minimum time between two accesses to one bank.
        bank_busy_bus_cycles: u64, "bus cycles", between(1, 10_000);
        /// Idle time of a channel between a read and a write.
        turnaround_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Idle time of a channel for a write to a bank to which another unit wrote last.
        write_gap_bus_cycles: u64, "bus cycles", between(0, 1_000);
        /// Time from the arrival of a `put`'s last data at the memory controller until its unit learns of it.
        write_complete_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Maximum number of reads in one channel's queue; further reads receive Retry.
        read_queue_entries: u32, "entries", between(1, 1_024);
        /// Maximum number of writes in one channel's queue; further writes receive Retry.
        write_queue_entries: u32, "entries", between(1, 1_024);
        /// Number of waiting writes at which a channel starts writing even if reads are waiting.
        write_high_water_entries: u32, "entries", between(1, 1_024);
        /// Smallest piece of a line that a channel moves.
        minimum_burst_bytes: u32, "bytes", power_of_two(1, 128);
        /// Minimum size of a masked write; a smaller write becomes a read and a write.
        masked_write_minimum_bytes: u32, "bytes", between(0, 128);
        /// Time from one refresh of a channel to the next; all its banks are refreshed together.
        refresh_interval_bus_cycles: u64, "bus cycles", between(2, 10_000_000);
        /// Time during which a refresh prevents accesses from starting.
        refresh_bus_cycles: u64, "bus cycles", between(0, 1_000_000);
    }
}

section! {
    /// The coherent interface that joins two chips (BIF, on IOIF0).
    bif: Bif {
        /// Number of chips. On a machine with one chip, the other values of this section have no effect.
        chips: u32, "chips", between(1, CHIPS_MAX as u64);
        /// Number of byte lanes for data from chip 0 to chip 1.
        lanes_from_chip_0: u32, "lanes", between(1, 64);
        /// Number of byte lanes for data from chip 1 to chip 0.
        lanes_from_chip_1: u32, "lanes", between(1, 64);
        /// Number of bytes that one lane moves per second.
        lane_bytes_per_second: u64, "bytes/s", between(1_000_000, 1_000_000_000_000);
        /// Latency of data from chip to chip, in addition to their transfer time on the lanes.
        latency_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Maximum number of lines in flight for one chip's requests to the other chip; further requests wait.
        outstanding_lines: u32, "lines", between(1, 1_024);
        /// Additional delay of a command's combined response if both chips must see the command.
        reflection_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Minimum time between two commands that both chips must see.
        global_command_bus_cycles: u64, "bus cycles", between(1, 1_000);
        /// Period of interleaved memory, in pages: the last page of each period is at chip 1, the others at chip 0.
        interleave_pages: u32, "pages", between(2, 64);
        /// Size of a page of interleaved memory; each page is in the memory of a single chip.
        interleave_page_bytes: u32, "bytes", power_of_two(128, 65_536);
    }
}

section! {
    /// The PPE as seen from the bus.
    ppe: Ppe {
        /// Time for a load or store of a problem-state register to travel from the PPE to the bus.
        mmio_issue_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Time from a response's arrival at the PPE's ramp until the program receives the response.
        mmio_return_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Time from a store's arrival in an SPE's window until the PPE is notified, so that a `sync` can complete.
        mmio_acknowledge_bus_cycles: u64, "bus cycles", between(0, 10_000);
        /// Maximum number of stores to SPE windows that the PPE may have in flight.
        mmio_store_entries: u32, "entries", between(1, 64);
    }
}

section! {
    /// The PPE's path to main memory: the L1, the L2, and the units between them and the bus.
    ppe_memory: PpeMemory {
        /// Size of the first-level instruction cache.
        l1_code_bytes: u32, "bytes", power_of_two(1_024, 1_048_576);
        /// Number of lines in one set of the instruction cache.
        l1_code_ways: u32, "lines", power_of_two(1, 16);
        /// Size of the first-level data cache.
        l1_bytes: u32, "bytes", power_of_two(1_024, 1_048_576);
        /// Number of lines in one set of the L1.
        l1_ways: u32, "lines", power_of_two(1, 16);
        /// Size of the second-level cache.
        l2_bytes: u32, "bytes", power_of_two(4_096, 16_777_216);
        /// Number of lines in one set of the L2.
        l2_ways: u32, "lines", power_of_two(1, 32);
        /// Time for which an access of up to 8 bytes occupies the L1 port, which both threads share.
        access_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Time for which a vector load occupies the L1 port.
        vector_load_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Minimum time between two stores of one thread.
        store_spu_cycles: u64, "SPU cycles", between(1, 1_000);
        /// Time from a load that hits the L1 until an operation that needs the loaded value can start.
        load_use_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Time from a load that misses the L1 until the L2 supplies the line or reports a miss.
        l2_load_spu_cycles: u64, "SPU cycles", between(1, 1_000);
        /// Cycles from a store to a load of the same thread from the same address, which waits until the store has left
        /// for the L2.
        load_hit_store_spu_cycles: u64, "SPU cycles", between(0, 200);
        /// Time between two lines that the L2 supplies to the L1.
        l2_line_spu_cycles: u64, "SPU cycles", between(1, 1_000);
        /// Additional `l2_line_spu_cycles` after a line for a vector load.
        vector_replay_spu_cycles: u64, "SPU cycles", between(0, 1_000);
        /// Time to replay a load whose line has arrived, or a load or store that waited behind such a load.
        replay_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Time between two replays of a thread while accesses of the other thread wait, too.
        replay_beside_spu_cycles: u64, "SPU cycles", between(1, 100);
        /// Number of replays by which a thread may run ahead.
        replay_entries: u32, "entries", between(1, 64);
        /// Number of entries in the queue of stores to the L2.
        store_queue_entries: u32, "entries", between(1, 64);
        /// Size of the block within which stores by one thread share an entry of the store queue.
        store_gather_bytes: u32, "bytes", power_of_two(16, 128);
        /// Time from the last store into an entry of the store queue until the entry closes.
        store_gather_spu_cycles: u64, "SPU cycles", between(1, 10_000);
        /// Time to write one entry of the store queue into the L2.
        l2_store_spu_cycles: u64, "SPU cycles", between(1, 1_000);
        /// Maximum number of lines that the L2 may be fetching or claiming at once, for loads, stores and prefetches
        /// together.
        read_claim_machines: u32, "lines", between(1, 64);
        /// Maximum number of streams that the prefetch engine follows.
        prefetch_streams: u32, "streams", between(0, 64);
        /// Number of lines by which the prefetch engine stays ahead of a thread.
        prefetch_lines: u32, "lines", between(0, 64);
        /// Time for a command to travel from the L2 to the address concentrator.
        command_issue_bus_cycles: u64, "bus cycles", between(0, 1_000);
    }
}

section! {
    /// Costs that the operating system and its SPE file system add to library calls.
    os: Os {
        /// Time to read an SPE file, e.g. a mailbox or its state.
        spufs_read_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time to write an SPE file, e.g. a mailbox or a signal register.
        spufs_write_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time to open an SPE file.
        file_open_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time to close an SPE file.
        file_close_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time from the creation of an SPE thread until its program runs.
        thread_create_ns: u64, "ns", between(0, 1_000_000_000);
        /// Time from the end of an SPE thread until its creator is notified.
        thread_join_ns: u64, "ns", between(0, 1_000_000_000);
    }
}

section! {
    /// Cost of compiled benchmark code around the primitives that the benchmark measures.
    software: Software {
        /// Cost of one iteration of a measuring loop.
        iteration_spu_cycles: u64, "SPU cycles", between(0, 100_000);
        /// Cost of preparing the next DMA list in the loop of dmalistget and dmalistput, while a list is being
        /// transferred.
        list_spu_cycles: u64, "SPU cycles", between(0, 1_000_000);
        /// Cost of an atomic operation's code from the status of getllar to the putllc command.
        atomic_call_spu_cycles: u64, "SPU cycles", between(0, 100_000);
        /// Cost of an atomic operation's code from the status of putllc to the end of the operation.
        atomic_return_spu_cycles: u64, "SPU cycles", between(0, 100_000);
        /// Cost of library and program code around one exchange between the PPE and an SPE by system calls.
        ppe_exchange_spu_cycles: u64, "SPU cycles", between(0, 100_000);
        /// Cost of a library call that an SPU program delegates to the PPE and its operating system, until the program
        /// continues.
        ppe_call_spu_cycles: u64, "SPU cycles", between(0, 1_000_000_000);
    }
}
