//! The timing of a function without a run: its instructions in the order of their addresses, as the pipelines issue them.
//!
//! The pipelines begin empty, and all registers are ready.

use crate::class::Pipe;
use crate::core::Spu;
use crate::decode::decode;
use crate::elf::Image;
use crate::profile::{Cause, Issuing, Probe, Profile};
use crate::timing::Timing;
use cell::machine::Machine;
use cell::store::LocalStore;
use std::collections::BTreeMap;
use std::ops::Range;

/// The timing of a function.
pub struct StaticTiming {
    /// The issue, the lost cycles and the pairs of each instruction.
    pub profile: Profile,
    /// The register for which each instruction waited, by its address.
    pub waited_for: BTreeMap<u32, u8>,
    /// The first word of the function that is no instruction. What follows it has no timing.
    pub no_instruction: Option<u32>,
}

impl StaticTiming {
    /// Times the code of an executable in a range of addresses.
    pub fn new(machine: &Machine, image: &Image, code: Range<u32>) -> StaticTiming {
        let bytes = machine.mfc.local_store_bytes;
        let mut local_store = LocalStore::new(bytes.into(), bytes.into());
        for (address, content) in &image.segments {
            let room = bytes.saturating_sub(*address) as usize;
            local_store.write((*address).into(), &content[..content.len().min(room)]);
        }
        let (mut profile, mut registers) = (Profile::new(bytes), Registers::default());
        let mut spu = Spu::new(machine, code.start);
        let no_instruction = spu.walk(&mut local_store, code.end, &mut (&mut profile, &mut registers));
        StaticTiming { profile, waited_for: registers.0, no_instruction }
    }
}

/// The pipeline of an instruction word, and the number of SPU cycles from its issue until its result is ready.
pub fn pipe_and_latency(word: u32, machine: &Machine) -> Option<(Pipe, u8)> {
    let instruction = decode(word)?;
    let timing = Timing::new(&instruction, None, &machine.spu_pipeline);
    Some((instruction.opcode.class().pipe(), timing.latency_spu_cycles))
}

/// The registers for which instructions waited.
#[derive(Default)]
struct Registers(BTreeMap<u32, u8>);

impl Probe for Registers {
    const ON: bool = true;

    fn issued(&mut self, address: u32, _: u64, _: u64, waited_for: Option<u8>, _: Issuing) {
        if let Some(register) = waited_for {
            self.0.insert(address, register);
        }
    }

    fn lost(&mut self, _: u32, _: Cause, _: u64, _: u64) {}
}
