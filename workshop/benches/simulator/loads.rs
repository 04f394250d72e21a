//! Programs that keep the machine busy, simulated cycle by cycle.

use cell::coroutine::{Spu, spu_program};
use cell::ea::{INTERLEAVED_BASE, local_store_ea};
use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use cell::units::ThreadId;

const LINE_BYTES: u32 = 128;
const DMA_BYTES: u32 = 16 * 1024;
/// DMAs of 16 KB that one SPE has in flight.
const TOGETHER: u64 = 4;
/// DMAs of a line between two waits; all but the last 16 have ended by then.
const BATCH: u64 = 1024;

/// A load: work for some SPEs.
pub struct Load {
    /// Name of the load in the tables.
    pub name: &'static str,
    /// The repeated unit of work.
    pub unit: &'static str,
    /// Units of each SPE in a normal run.
    pub units: u64,
    /// Least units of each SPE under callgrind, which is slow.
    pub few_units: u64,
    machine: &'static str,
    /// Number of SPEs.
    pub spes: u8,
    work: Work,
}

/// The work of each SPE.
#[derive(Clone, Copy)]
enum Work {
    /// Gets of 16 KB from a neighbour on the ring; the unit is a line.
    LinesFromNeighbour,
    /// Gets of 16 KB from memory; the unit is a line.
    LinesFromMemory,
    /// Gets of 128 bytes from a neighbour, as fast as the queue accepts them.
    ShortDmas,
    /// Gets of 128 bytes from a neighbour, with a wait after each.
    ShortDmasOneByOne,
    /// Gets of 16 KB from the next SPE, and puts of 16 KB to it; the unit is a line.
    CopiesInCycle,
    /// Gets of 16 KB from memory that is interleaved over two chips, and puts of 16 KB to it; the unit is a line.
    CopiesInMemory,
    /// `getllar` and `putllc` of a line that no other SPE uses.
    LockLines,
}

/// All loads.
pub const LOADS: [Load; 8] = [
    Load {
        name: "8 SPEs in pairs, 16 KB from each other, eval-board",
        unit: "line",
        units: 256_000,
        few_units: 512,
        machine: "eval-board",
        spes: 8,
        work: Work::LinesFromNeighbour,
    },
    Load {
        name: "1 SPE, 16 KB from memory, ps3",
        unit: "line",
        units: 1_536_000,
        few_units: 2048,
        machine: "ps3",
        spes: 1,
        work: Work::LinesFromMemory,
    },
    Load {
        name: "6 SPEs, 16 KB from memory, ps3",
        unit: "line",
        units: 256_000,
        few_units: 512,
        machine: "ps3",
        spes: 6,
        work: Work::LinesFromMemory,
    },
    Load {
        name: "8 SPEs in a cycle, gets and puts of 16 KB, blade-2100",
        unit: "line",
        units: 128_000,
        few_units: 512,
        machine: "blade-2100",
        spes: 8,
        work: Work::CopiesInCycle,
    },
    Load {
        name: "8 SPEs, copies in interleaved memory, blade-2100",
        unit: "line",
        units: 64_000,
        few_units: 512,
        machine: "blade-2100",
        spes: 8,
        work: Work::CopiesInMemory,
    },
    Load {
        name: "1 SPE, 128 bytes from another, eval-board",
        unit: "DMA",
        units: 200 * BATCH,
        few_units: 2 * BATCH,
        machine: "eval-board",
        spes: 1,
        work: Work::ShortDmas,
    },
    Load {
        name: "the same, one by one",
        unit: "DMA",
        units: 200_000,
        few_units: 2000,
        machine: "eval-board",
        spes: 1,
        work: Work::ShortDmasOneByOne,
    },
    Load {
        name: "1 SPE, getllar and putllc, ps3",
        unit: "pair",
        units: 200_000,
        few_units: 2000,
        machine: "ps3",
        spes: 1,
        work: Work::LockLines,
    },
];

impl Load {
    /// Runs the load with `units` for each SPE; returns its length in bus cycles.
    pub fn run(&self, units: u64) -> u64 {
        let machine = Machine::builtin(self.machine).expect("a machine that comes with the simulator");
        let placement = match self.work {
            // Far neighbours, so that routes overlap.
            Work::CopiesInCycle => Placement::new(&[0, 5, 2, 7, 4, 1, 6, 3], &machine).expect("SPEs of the machine"),
            _ => Placement::default_of(&machine),
        };
        let mut system = System::new(&machine, placement.clone());
        for thread in 0..self.spes {
            let neighbour = local_store_ea(placement.spe(ThreadId(thread ^ 1)), 0x2_0000);
            let next = local_store_ea(placement.spe(ThreadId((thread + 1) % self.spes)), 0x2_0000);
            let memory = 0x10_0000 * (1 + u64::from(thread));
            let interleaved = INTERLEAVED_BASE + memory;
            let work = self.work;
            let program = move |_| {
                spu_program(move |spu| async move {
                    match work {
                        Work::LinesFromNeighbour => long_dmas(&spu, neighbour, units, false).await,
                        Work::LinesFromMemory => long_dmas(&spu, memory, units, false).await,
                        Work::CopiesInCycle => long_dmas(&spu, next, units, true).await,
                        Work::CopiesInMemory => long_dmas(&spu, interleaved, units, true).await,
                        Work::ShortDmas => short_dmas(&spu, neighbour, units, BATCH).await,
                        Work::ShortDmasOneByOne => short_dmas(&spu, neighbour, units, 1).await,
                        Work::LockLines => lock_lines(&spu, memory, units).await,
                    }
                    0
                })
            };
            system.load(ThreadId(thread), Box::new(program));
        }
        system.run(u64::MAX, || true).expect("a load that runs").bus_cycles
    }
}

/// Gets of 16 KB or, for copies, gets and puts in turn.
async fn long_dmas(spu: &Spu, ea: u64, lines: u64, copies: bool) {
    for nth in 0..lines * u64::from(LINE_BYTES) / u64::from(DMA_BYTES) {
        let tag = (nth % TOGETHER) as u32;
        spu.mfc_write_tag_mask(1 << tag).await;
        spu.mfc_read_tag_status_all().await;
        let lsa = 0x8000 + DMA_BYTES * tag;
        if copies && nth % 2 == 1 {
            spu.mfc_put(lsa, ea + u64::from(DMA_BYTES), DMA_BYTES, tag).await;
        } else {
            spu.mfc_get(lsa, ea, DMA_BYTES, tag).await;
        }
    }
    spu.mfc_write_tag_mask(u32::MAX).await;
    spu.mfc_read_tag_status_all().await;
}

async fn short_dmas(spu: &Spu, ea: u64, dmas: u64, batch: u64) {
    spu.mfc_write_tag_mask(1).await;
    for _ in 0..dmas / batch {
        for nth in 0..batch {
            let offset = LINE_BYTES * (nth % 16) as u32;
            spu.mfc_get(0x8000 + offset, ea + u64::from(offset), LINE_BYTES, 0).await;
        }
        spu.mfc_read_tag_status_all().await;
    }
}

async fn lock_lines(spu: &Spu, ea: u64, pairs: u64) {
    for _ in 0..pairs {
        spu.mfc_getllar(0x8000, ea).await;
        spu.mfc_read_atomic_status().await;
        spu.mfc_putllc(0x8000, ea).await;
        spu.mfc_read_atomic_status().await;
    }
}
