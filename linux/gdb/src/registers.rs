//! The registers of the PPE, as GDB numbers them.
//!
//! | number | register |
//! |---|---|
//! | 0-31 | general registers |
//! | 32-63 | floating-point registers |
//! | 64-69 | `pc`, `msr`, `cr`, `lr`, `ctr`, `xer` |
//! | 70 | `fpscr` |
//! | 71-102 | vector registers |
//! | 103, 104 | `vscr`, `vrsave` |
//!
//! Source: GDB, features of target descriptions for PowerPC (`org.gnu.gdb.power.core`, `.fpu`, `.altivec`).

use gdbstub::arch::{self, Arch};
use linux::width::Width;
use ppu::Cpu;
use spu::Quadword;
use std::num::NonZeroUsize;

/// Number of registers.
pub const COUNT: usize = 105;

/// The machine-state register of a program in user mode, in 32-bit mode.
const MSR: u64 = 0xd032;
/// Bit of the machine-state register: 64-bit mode.
const MSR_WIDE: u64 = 1 << 63;

/// The PPE as a debugger sees it. The width of the process is in the registers and in the target description.
pub struct Ppe;

impl Arch for Ppe {
    type Usize = u64;
    type Registers = Registers;
    type BreakpointKind = usize;
    type RegId = Number;
}

/// The number of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number(pub usize);

impl arch::RegId for Number {
    fn from_raw_id(id: usize) -> Option<(Number, Option<NonZeroUsize>)> {
        (id < COUNT).then_some((Number(id), None))
    }

    fn to_raw_id(&self) -> Option<usize> {
        Some(self.0)
    }
}

/// The registers of a thread.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Registers {
    pub cpu: Cpu,
    /// Width of the process.
    pub width: Width,
}

impl arch::Registers for Registers {
    type ProgramCounter = u64;

    fn pc(&self) -> u64 {
        self.cpu.pc
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        for number in 0..COUNT {
            get(&self.cpu, number, self.width).into_iter().for_each(|byte| write_byte(Some(byte)));
        }
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        let sizes = |width: Width| (0..COUNT).map(|number| size(number, width)).sum::<usize>();
        let widths = [Width::Narrow, Width::Wide];
        self.width = widths.into_iter().find(|width| sizes(*width) == bytes.len()).ok_or(())?;
        let mut rest = bytes;
        for number in 0..COUNT {
            let (value, behind) = rest.split_at_checked(size(number, self.width)).ok_or(())?;
            set(&mut self.cpu, number, value);
            rest = behind;
        }
        Ok(())
    }
}

/// Bytes of a register.
pub fn size(number: usize, width: Width) -> usize {
    match number {
        32..=63 | 70 => 8,
        66 | 69 | 103 | 104 => 4,
        71..=102 => 16,
        _ => width.bytes() as usize,
    }
}

/// The bytes of a register.
pub fn get(cpu: &Cpu, number: usize, width: Width) -> Vec<u8> {
    let value = match number {
        0..=31 => cpu.gpr[number],
        32..=63 => cpu.fpr[number - 32],
        64 => cpu.pc,
        65 => width.pick(MSR, MSR | MSR_WIDE),
        66 => cpu.cr.into(),
        67 => cpu.lr,
        68 => cpu.ctr,
        69 => cpu.xer.into(),
        70 => cpu.fpscr.read().into(),
        71..=102 => return cpu.vr[number - 71].bytes().to_vec(),
        103 => cpu.vscr.into(),
        _ => cpu.vrsave.into(),
    };
    value.to_be_bytes()[8 - size(number, width)..].to_vec()
}

/// Writes a register. A register that keeps the half that the debugger sees also keeps the other half. Only whole
/// registers can be written, and `msr` not at all.
pub fn set(cpu: &mut Cpu, number: usize, bytes: &[u8]) {
    let value = bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
    let keep = |old: u64| if bytes.len() == 4 && old as u32 == value as u32 { old } else { value };
    match number {
        0..=31 => cpu.gpr[number] = keep(cpu.gpr[number]),
        32..=63 => cpu.fpr[number - 32] = value,
        64 => cpu.pc = value & !3,
        66 => cpu.cr = value as u32,
        67 => cpu.lr = value,
        68 => cpu.ctr = value,
        69 => cpu.xer = value as u32 & ppu::registers::XER_BITS,
        70 if cpu.fpscr.read() != value as u32 => cpu.fpscr = ppu::float::Fpscr::new(value as u32),
        71..=102 => {
            if let Ok(bytes) = bytes.try_into() {
                cpu.vr[number - 71] = Quadword::from_bytes(bytes);
            }
        }
        103 => cpu.vscr = value as u32,
        104 => cpu.vrsave = value as u32,
        _ => (),
    }
}

/// The types of vector registers, as GDB names their parts.
const VECTOR: &str = r#"<vector id="v4f" type="ieee_single" count="4"/><vector id="v4i32" type="int32" count="4"/>
<vector id="v8i16" type="int16" count="8"/><vector id="v16i8" type="int8" count="16"/>
<union id="vec128"><field name="uint128" type="uint128"/><field name="v4_float" type="v4f"/>
<field name="v4_int32" type="v4i32"/><field name="v8_int16" type="v8i16"/><field name="v16_int8" type="v16i8"/></union>
"#;

/// The target description: which registers there are.
pub fn description(width: Width) -> String {
    let (bits, architecture) = width.pick((32, "powerpc:common"), (64, "powerpc:common64"));
    let whole = format!("type=\"uint{bits}\"");
    let code = "type=\"code_ptr\"";
    let group = |prefix: &str, first: usize, kind: &str| -> String {
        (0..32).map(|n| register(&format!("{prefix}{n}"), first + n, width, kind)).collect()
    };
    let core = [("pc", code), ("msr", &whole), ("cr", "type=\"uint32\""), ("lr", code), ("ctr", &whole)];
    let core = core.into_iter().chain([("xer", "type=\"uint32\"")]).enumerate();
    let core: String = core.map(|(n, (name, kind))| register(name, 64 + n, width, kind)).collect();
    let vector = "group=\"vector\" type=\"int\"";
    let features = [
        feature("core", &(group("r", 0, &whole) + &core)),
        feature(
            "fpu",
            &(group("f", 32, "type=\"ieee_double\"") + &register("fpscr", 70, width, "group=\"float\" type=\"int\"")),
        ),
        feature(
            "altivec",
            &(VECTOR.to_string()
                + &group("vr", 71, "type=\"vec128\"")
                + &register("vscr", 103, width, vector)
                + &register("vrsave", 104, width, vector)),
        ),
    ];
    format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n\
         <architecture>{architecture}</architecture>\n<osabi>GNU/Linux</osabi>\n{}</target>\n",
        features.concat()
    )
}

fn feature(name: &str, content: &str) -> String {
    format!("<feature name=\"org.gnu.gdb.power.{name}\">\n{content}</feature>\n")
}

fn register(name: &str, number: usize, width: Width, rest: &str) -> String {
    format!("<reg name=\"{name}\" bitsize=\"{}\" regnum=\"{number}\" {rest}/>\n", 8 * size(number, width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdbstub::arch::Registers as _;

    #[test]
    fn registers_come_back_as_they_were_sent() {
        for width in [Width::Narrow, Width::Wide] {
            let mut cpu = Cpu { pc: 0x1000_0004, lr: 8, ctr: 9, cr: 0x2400_0042, vrsave: 7, ..Cpu::default() };
            (cpu.gpr[3], cpu.fpr[1], cpu.vr[31]) = (0x1234_5678, 2.5_f64.to_bits(), Quadword::from_bits(5 << 64 | 6));
            let sent = Registers { cpu, width };
            let mut bytes = Vec::new();
            sent.gdb_serialize(|byte| bytes.extend(byte));
            let mut received = Registers::default();
            assert_eq!((received.gdb_deserialize(&bytes), &received), (Ok(()), &sent));
            assert_eq!(received.gdb_deserialize(&bytes[1..]), Err(()));
        }
    }

    #[test]
    fn a_half_that_is_written_back_keeps_the_other_half() {
        let mut cpu = Cpu::default();
        cpu.gpr[5] = 0xdead_beef_0000_0001;
        set(&mut cpu, 5, &[0, 0, 0, 1]);
        assert_eq!(cpu.gpr[5], 0xdead_beef_0000_0001);
        set(&mut cpu, 5, &[0, 0, 0, 2]);
        assert_eq!(cpu.gpr[5], 2);
    }

    #[test]
    fn the_description_has_every_register_once() {
        for width in [Width::Narrow, Width::Wide] {
            let text = description(width);
            for number in 0..COUNT {
                let line = format!("bitsize=\"{}\" regnum=\"{number}\" ", 8 * size(number, width));
                assert_eq!(text.matches(&line).count(), 1, "{number}");
            }
        }
    }
}
