//! Recognition of files that are not PPE programs.

use crate::width::Width;

/// Values of `e_type` for fixed addresses and for position-independent code.
pub const FIXED: u16 = 2;
pub const ANYWHERE: u16 = 3;
const MAGIC: &[u8] = b"\x7fELF";
/// `EI_CLASS`, `EI_DATA`
const CLASS_32: u8 = 1;
const CLASS_64: u8 = 2;
const BIG_ENDIAN: u8 = 2;
/// `e_machine`
const POWERPC: u16 = 20;
const POWERPC_64: u16 = 21;
const SPU: u16 = 23;

/// Checks that a file is a PowerPC program, of 32 or 64 bits. Returns its width.
///
/// # Errors
/// The one-line error names the actual kind of the file and a remedy.
pub fn check(file: &[u8]) -> Result<Width, String> {
    if file.starts_with(b"#!") {
        return Err("a script; give the program that it starts".to_string());
    }
    if !file.starts_with(MAGIC) {
        return Err("not an ELF file; give a program for the PPE, as powerpc-linux-gnu-gcc makes them".to_string());
    }
    let [class, order, .., kind_high, kind_low, machine_high, machine_low] =
        *file.get(4..20).and_then(|rest| rest.first_chunk::<16>()).ok_or("damaged: the file ends within its header")?;
    let number = |high, low| if order == BIG_ENDIAN { [high, low] } else { [low, high] };
    let kind = u16::from_be_bytes(number(kind_high, kind_low));
    let machine = u16::from_be_bytes(number(machine_high, machine_low));
    match (machine, class, order) {
        (POWERPC, CLASS_32, BIG_ENDIAN) => is_program(kind).map(|()| Width::Narrow),
        (POWERPC_64, CLASS_64, BIG_ENDIAN) => is_program(kind).map(|()| Width::Wide),
        (SPU, ..) => Err("an SPU program; run it with cellstats spu".to_string()),
        (POWERPC | POWERPC_64, ..) => {
            Err("for little-endian PowerPC; compile it with powerpc-linux-gnu-gcc".to_string())
        }
        _ => Err(format!("for {}, not for PowerPC; compile it with powerpc-linux-gnu-gcc", architecture(machine))),
    }
}

fn is_program(kind: u16) -> Result<(), String> {
    match kind {
        FIXED | ANYWHERE => Ok(()),
        1 => Err("an object file; link it first".to_string()),
        4 => Err("a core dump, not a program".to_string()),
        _ => Err(format!("damaged: an ELF file of type {kind}")),
    }
}

fn architecture(machine: u16) -> String {
    let name = match machine {
        2 | 18 | 43 => "SPARC",
        3 => "x86",
        8 => "MIPS",
        22 => "S/390",
        40 => "32-bit ARM",
        62 => "x86-64",
        183 => "64-bit ARM",
        243 => "RISC-V",
        258 => "LoongArch",
        other => return format!("another processor (ELF machine {other})"),
    };
    name.to_string()
}
