//! Programs that keep the machine busy, run cycle by cycle.

use cell::coroutine::spu_program;
use cell::ea::local_store_ea;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use cell::units::ThreadId;

const BYTES: u32 = 16 * 1024;
const LINE_BYTES: u64 = 128;
/// Transfers of one SPE that are under way together.
const TOGETHER: u64 = 4;

/// SPEs that get and get.
pub struct Load {
    /// What the table calls it.
    pub name: &'static str,
    /// Transfers of each SPE that make a run of a fair length.
    pub transfers: u64,
    machine: Machine,
    spes: u8,
    from_neighbour: bool,
}

impl Load {
    /// Neighbours on the ring get from each other, at the full rate of all ramps.
    pub fn exchange() -> Load {
        let name = "8 SPEs in pairs, 16 KB from each other, eval-board";
        Load { name, transfers: 2000, machine: known("eval-board"), spes: 8, from_neighbour: true }
    }

    /// One SPE gets from memory.
    pub fn one_from_memory() -> Load {
        let name = "1 SPE, 16 KB from memory, ps3";
        Load { name, transfers: 12_000, machine: known("ps3"), spes: 1, from_neighbour: false }
    }

    /// Six SPEs get from memory.
    pub fn six_from_memory() -> Load {
        let name = "6 SPEs, 16 KB from memory, ps3";
        Load { name, transfers: 2000, machine: known("ps3"), spes: 6, from_neighbour: false }
    }

    /// Lines that all SPEs move when each does so many transfers.
    pub fn lines(&self, transfers: u64) -> u64 {
        transfers * u64::from(self.spes) * u64::from(BYTES) / LINE_BYTES
    }

    /// Runs it; its length in bus cycles.
    pub fn run(&self, transfers: u64) -> u64 {
        let placement = Placement::default_of(&self.machine);
        let mut system = System::new(&self.machine, placement.clone());
        for thread in 0..self.spes {
            let ea = match self.from_neighbour {
                true => local_store_ea(placement.spe(ThreadId(thread ^ 1)), 0x2_0000),
                false => 0x10_0000 * (1 + u64::from(thread)),
            };
            let program = move |_| {
                spu_program(move |spu| async move {
                    for nth in 0..transfers {
                        let tag = (nth % TOGETHER) as u32;
                        spu.mfc_write_tag_mask(1 << tag).await;
                        spu.mfc_read_tag_status_all().await;
                        spu.mfc_get(0x8000 + BYTES * tag, ea, BYTES, tag).await;
                    }
                    spu.mfc_write_tag_mask(u32::MAX).await;
                    spu.mfc_read_tag_status_all().await;
                    0
                })
            };
            system.load(ThreadId(thread), Box::new(program));
        }
        system.run(u64::MAX, || true).expect("a load that runs").bus_cycles
    }
}

fn known(name: &str) -> Machine {
    Machine::builtin(name).expect("a machine that comes with the simulator")
}
