//! VMX instructions that compute.

use super::Done;
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::registers::Cpu;
use crate::vector::float::Mode;
use crate::vector::{self, compare, estimate, float, fused, integer, logic, multiply, pack, permute, round};
use spu::Quadword;

/// The value of vector register `n`.
#[inline(always)]
pub(super) fn register(cpu: &Cpu, n: u8) -> Quadword {
    cpu.vr[usize::from(n & 31)]
}

/// Writes a value into vector register `n`.
#[inline(always)]
pub(super) fn set(cpu: &mut Cpu, n: u8, value: Quadword) {
    cpu.vr[usize::from(n & 31)] = value;
}

/// Result of a vector function, which also states whether the function saturated.
trait Outcome {
    fn outcome(self) -> (Quadword, bool);
}

impl Outcome for Quadword {
    #[inline(always)]
    fn outcome(self) -> (Quadword, bool) {
        (self, false)
    }
}

impl Outcome for (Quadword, bool) {
    #[inline(always)]
    fn outcome(self) -> (Quadword, bool) {
        self
    }
}

/// Writes the result of a function into RT, and records saturation in the VSCR.
#[inline(always)]
fn deliver(i: &Instruction, cpu: &mut Cpu, outcome: impl Outcome) -> Done {
    let (result, saturated) = outcome.outcome();
    set(cpu, i.rt, result);
    cpu.vscr |= if saturated { vector::SAT } else { 0 };
    Ok(())
}

/// Defines instructions that call the functions of the same name in `file` with the given operands.
macro_rules! computations {
    ($($file:ident |$i:ident, $cpu:ident| $operands:tt: $($name:ident)*;)*) => {$($(
        pub fn $name<M: Memory>(instruction: &Instruction, processor: &mut Cpu, _: &mut M) -> Done {
            let ($i, $cpu) = (instruction, &*processor);
            let outcome = $file::$name $operands;
            deliver(instruction, processor, outcome)
        }
    )*)*};
}

computations! {
    integer |i, cpu| (register(cpu, i.ra), register(cpu, i.rb)):
        vaddubm vadduhm vadduwm vaddcuw vaddubs vadduhs vadduws vaddsbs vaddshs vaddsws
        vsububm vsubuhm vsubuwm vsubcuw vsububs vsubuhs vsubuws vsubsbs vsubshs vsubsws
        vavgub vavguh vavguw vavgsb vavgsh vavgsw
        vmaxub vmaxuh vmaxuw vmaxsb vmaxsh vmaxsw vminub vminuh vminuw vminsb vminsh vminsw;
    multiply |i, cpu| (register(cpu, i.ra), register(cpu, i.rb)):
        vmuleub vmuloub vmulesb vmulosb vmuleuh vmulouh vmulesh vmulosh
        vsum4ubs vsum4sbs vsum4shs vsum2sws vsumsws;
    multiply |i, cpu| (register(cpu, i.ra), register(cpu, i.rb), register(cpu, i.rc)):
        vmhaddshs vmhraddshs vmladduhm vmsumubm vmsummbm vmsumuhm vmsumuhs vmsumshm vmsumshs;
    logic |i, cpu| (register(cpu, i.ra), register(cpu, i.rb)):
        vand vandc vor vxor vnor vrlb vrlh vrlw vslb vslh vslw vsrb vsrh vsrw vsrab vsrah vsraw vsl vsr vslo vsro;
    logic |i, cpu| (register(cpu, i.ra), register(cpu, i.rb), register(cpu, i.rc)): vsel;
    logic |i, cpu| (register(cpu, i.ra), register(cpu, i.rb), i.immediate): vsldoi;
    permute |i, cpu| (register(cpu, i.ra), register(cpu, i.rb)): vmrghb vmrghh vmrghw vmrglb vmrglh vmrglw;
    permute |i, cpu| (register(cpu, i.ra), register(cpu, i.rb), register(cpu, i.rc)): vperm;
    permute |i, cpu| (register(cpu, i.rb), u32::from(i.ra)): vspltb vsplth vspltw;
    permute |i, _cpu| (i.immediate): vspltisb vspltish vspltisw;
    pack |i, cpu| (register(cpu, i.ra), register(cpu, i.rb)):
        vpkuhum vpkuwum vpkpx vpkuhus vpkuwus vpkshus vpkswus vpkshss vpkswss;
    pack |i, cpu| (register(cpu, i.rb)): vupkhsb vupkhsh vupkhpx vupklsb vupklsh vupklpx;
    float |i, cpu| (register(cpu, i.ra), register(cpu, i.rb), Mode::of(cpu.vscr)): vaddfp vsubfp vmaxfp vminfp;
    fused |i, cpu| (register(cpu, i.ra), register(cpu, i.rb), register(cpu, i.rc), Mode::of(cpu.vscr)): vmaddfp vnmsubfp;
    round |i, cpu| (register(cpu, i.rb), Mode::of(cpu.vscr)): vrfin vrfiz vrfip vrfim;
    round |i, cpu| (register(cpu, i.rb), u32::from(i.ra)): vcfux vcfsx vctuxs vctsxs;
    estimate |i, cpu| (register(cpu, i.rb), Mode::of(cpu.vscr)): vrefp vrsqrtefp vlogefp vexptefp;
}

/// Comparisons. Writes a comparison's mask into RT. A recording comparison also writes a summary of the mask into
/// condition field 6.
macro_rules! comparisons {
    ($($condition:path, |$i:ident, $cpu:ident| $operands:tt: $($name:ident)*;)*) => {$($(
        pub fn $name<M: Memory, const RC: bool>(instruction: &Instruction, processor: &mut Cpu, _: &mut M) -> Done {
            let ($i, $cpu) = (instruction, &*processor);
            let mask = compare::$name $operands;
            set(processor, instruction.rt, mask);
            if RC {
                processor.set_cr_field(6, $condition(mask));
            }
            Ok(())
        }
    )*)*};
}

comparisons! {
    vector::condition, |i, cpu| (register(cpu, i.ra), register(cpu, i.rb)):
        vcmpequb vcmpequh vcmpequw vcmpgtub vcmpgtuh vcmpgtuw vcmpgtsb vcmpgtsh vcmpgtsw;
    vector::condition, |i, cpu| (register(cpu, i.ra), register(cpu, i.rb), Mode::of(cpu.vscr)):
        vcmpeqfp vcmpgefp vcmpgtfp;
    compare::all_within, |i, cpu| (register(cpu, i.ra), register(cpu, i.rb), Mode::of(cpu.vscr)): vcmpbfp;
}

/// Move From Vector Status and Control Register, into the rightmost word. The other words become zero.
pub fn mfvscr<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    set(cpu, i.rt, Quadword::from_bits(cpu.vscr.into()));
    Ok(())
}

/// Move To Vector Status and Control Register.
pub fn mtvscr<M: Memory>(i: &Instruction, cpu: &mut Cpu, _: &mut M) -> Done {
    cpu.vscr = register(cpu, i.rb).words()[3] & (vector::NJ | vector::SAT);
    Ok(())
}
