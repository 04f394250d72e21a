//! `dmaget` to `dmalistput`: DMA between an SPE's local store and main memory or, with `spe_to_spe`, the local
//! store of thread 0 (abellan2008ps3, 3.2.4 and 3.2.5).
//!
//! ```text
//!   local store   0x04000, or 0x08000 after a list    the buffer, the same bytes every time
//!   main memory   0x100000                            one shared buffer, or private ones a stride apart
//! ```

use crate::addresses::{AFTER_LIST_LSA, FIRST_FREE_LSA};
use crate::choices::TransferOp;
use crate::control_block::{Buffers, ControlBlock, Role};
use crate::family::{Computer, Family, Workload};
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::setup::{Columns, Setup, Task};
use crate::sizes;
use crate::transfers;
use cell::coroutine::Spu;
use cell::ea::local_store_ea;
use cell::machine::Machine;
use cell::units::ThreadId;

/// DMAs of one size, by commands or by lists.
///
/// The loop builds every list anew. The original tool must have built its lists anew too: its 2 KB lists take as long
/// with 32 elements as with one element, and twice as long as single commands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dma {
    put: bool,
    by_list: bool,
    size_bytes: u32,
    list_elements: u32,
    stride: Option<u32>,
    spe_to_spe: bool,
    batch: u32,
    list_is_made: bool,
}

const SIZE_BYTES: u32 = 128;

impl Dma {
    /// The same DMA without any other DMA: it has its own buffer, its list is built beforehand, and the SPE waits for
    /// this DMA only.
    pub fn alone(self) -> Dma {
        Dma { stride: None, batch: 1, list_is_made: true, ..self }
    }

    /// Number of SPEs that one DMA involves: the issuer and, between local stores, the holder of the other buffer.
    pub fn spes_of_one(&self) -> u32 {
        1 + u32::from(self.spe_to_spe)
    }

    fn command_bytes(&self) -> u64 {
        u64::from(self.size_bytes) * u64::from(self.list_elements)
    }

    fn distance_bytes(&self) -> u64 {
        sizes::distance(self.command_bytes(), self.stride)
    }

    /// SPU cycles of the loop's own code for one DMA. The code builds the next list while the DMA is in flight.
    fn iteration_spu_cycles(&self, machine: &Machine) -> u64 {
        let makes_list = self.by_list && !self.list_is_made;
        machine.software.iteration_spu_cycles + if makes_list { machine.software.list_spu_cycles } else { 0 }
    }

    fn buffer_lsa(&self) -> u32 {
        if self.by_list { AFTER_LIST_LSA } else { FIRST_FREE_LSA }
    }

    fn check_local_store(&self, settings: &Settings, machine: &Machine) -> Result<(), Refusal> {
        let room = u64::from(machine.mfc.local_store_bytes.saturating_sub(self.buffer_lsa()));
        // Each list element starts on its own quadword.
        let own = u64::from(self.size_bytes.next_multiple_of(16)) * u64::from(self.list_elements);
        let copies = if settings.private { u64::from(settings.spes) } else { 1 };
        let held =
            if self.spe_to_spe { (copies - 1).saturating_mul(self.distance_bytes()).saturating_add(own) } else { own };
        let needed = own.max(held);
        if needed > room {
            let where_ = if held > own { "SPE 0's local store" } else { "a local store" };
            return Err(Refusal::new(format!(
                "buffers of {needed} bytes do not fit {where_}: {room} bytes are free, give a smaller {{size}}, \
                 {{list_elements}}, {{stride}} or {{private_spes}}"
            )));
        }
        Ok(())
    }
}

impl Family for Dma {
    const FUNCTIONS: &'static [&'static str] = &["dmaget", "dmaput", "dmalistget", "dmalistput"];
    const TITLE: &'static str = "DMA";
    const HELP: &'static [(&'static str, &'static str)] = &[
        ("dmaget, dmaput", "main memory (with -s, SPE 0's local store) by DMA"),
        ("dmalistget, dmalistput", "as dmaget and dmaput, by DMA lists"),
    ];
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::Private,
        Parameter::Size,
        Parameter::ListElements,
        Parameter::Stride,
        Parameter::SpeToSpe,
        Parameter::SpeProgram,
        Parameter::Batch,
        Parameter::Histogram,
        Parameter::NonTemporal,
    ];

    fn lacks(nth: usize, parameter: Parameter, _: Computer) -> Option<&'static str> {
        (parameter == Parameter::ListElements && nth < 2).then(|| parameter.why_not())
    }

    fn read(nth: usize, given: &Parameters) -> Result<Dma, Refusal> {
        let dma = Dma {
            put: nth % 2 == 1,
            by_list: nth >= 2,
            size_bytes: given.size.unwrap_or(SIZE_BYTES),
            list_elements: given.list_elements.unwrap_or(1),
            stride: given.stride,
            spe_to_spe: given.spe_to_spe,
            batch: given.batch.unwrap_or(1),
            list_is_made: false,
        };
        sizes::check_stride(given.stride, given.private, 16, "DMA buffers", Dma::FUNCTIONS[nth])?;
        Ok(dma)
    }

    async fn prepare(spu: &Spu, block: &ControlBlock) {
        transfers::build_lists(spu, block);
    }

    async fn run(spu: &Spu, block: &ControlBlock, _: usize, iterations: u64, tag: u32) {
        transfers::transfer(spu, block, iterations, tag).await;
    }
}

impl Workload for Dma {
    fn name(&self) -> &'static str {
        Dma::FUNCTIONS[2 * usize::from(self.by_list) + usize::from(self.put)]
    }

    fn columns(&self, settings: &Settings) -> Columns {
        Columns {
            private: settings.private,
            spe_to_spe: self.spe_to_spe,
            size_bytes: Some(self.size_bytes),
            list_elements: self.by_list.then_some(self.list_elements),
            stride_bytes: settings.private.then(|| self.distance_bytes()),
            batch: Some(self.batch),
            ..Columns::default()
        }
    }

    fn default_spes(&self, _: u32, listed: Option<u32>) -> u32 {
        listed.unwrap_or(self.spes_of_one())
    }

    fn iteration_bytes(&self) -> Option<u64> {
        Some(self.command_bytes())
    }

    fn uses_memory(&self) -> bool {
        !self.spe_to_spe
    }

    fn between_spes(&self) -> bool {
        self.spe_to_spe
    }

    fn check(&self, settings: &Settings, machine: &Machine) -> Result<(), Refusal> {
        sizes::check_dma(machine, self.size_bytes, self.list_elements)?;
        self.check_local_store(settings, machine)
    }

    fn tasks(&self, setup: &Setup) -> Result<Vec<Task>, Refusal> {
        let (settings, lsa) = (setup.settings, self.buffer_lsa());
        if settings.private {
            sizes::check_memory(settings.spes, self.distance_bytes(), setup.data_bytes(), setup.memory_name())?;
        }
        let shared_ea = if self.spe_to_spe { local_store_ea(setup.spe(ThreadId(0)), lsa) } else { setup.data_ea() };
        let apart = if settings.private { self.distance_bytes() } else { 0 };
        let task = |thread: ThreadId| {
            let ea = shared_ea + u64::from(thread.0) * apart;
            // If thread 0 is the only thread, it transfers within its own local store.
            let holds = self.spe_to_spe && thread.0 == 0 && settings.spes > 1;
            let block = ControlBlock {
                role: if holds { Role::Holder } else { Role::Active },
                size_bytes: self.size_bytes,
                list_elements: if self.by_list { self.list_elements } else { 0 },
                batch: self.batch,
                op: if self.put { TransferOp::Put } else { TransferOp::Get },
                buffers: Buffers::one(lsa, ea),
                ea,
                iteration_cycles: self.iteration_spu_cycles(setup.machine),
                ..setup.block()
            };
            Task::new(thread, block)
        };
        Ok(setup.threads().map(task).collect())
    }

    fn same_work(&self, block: ControlBlock, machine: &Machine) -> Option<ControlBlock> {
        Some(transfers::with_longest_elements(block, machine))
    }
}
