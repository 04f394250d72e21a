//! Runs a program of a PlayStation 3 console's SPE thread on the simulated SPU: `console_spe PROGRAM`, an ELF file,
//! or a PPE program that contains one. What it writes with `spu_printf` goes to standard output. This example is for
//! `workshop/console_instructions.py`.
//!
//! `spu_printf` is a message to the PPE: the outbound mailbox receives the address of the arguments, and the interrupt
//! mailbox the request. Two answers follow in the inbound mailbox: success, and the result.

use cell::channel::Channel;
use cell::machine::Machine;
use cell::store::LocalStore;
use spu::Quadword;
use spu::calls::arguments::{Arguments, string};
use spu::calls::format::format;
use spu::core::{Exit, Spu};
use spu::elf::Image;
use std::io::Write;
use std::process::ExitCode;

const LOCAL_STORE_BYTES: u64 = 0x4_0000;
const PAGE_BYTES: u64 = 4096;
/// The stack pointer at the start of a thread.
const STACK: u32 = 0x3_fff0;
/// The address of a `va_list`, where no program is loaded.
const VA_LIST: u32 = 0;
/// The greatest length of a string.
const STRING_BYTES: usize = 4096;
/// The stop code of `sys_spu_thread_exit`.
const EXIT: u32 = 0x102;

fn main() -> ExitCode {
    let path = std::env::args().nth(1);
    let result = path.ok_or("console_spe PROGRAM".to_string()).and_then(|path| {
        let file = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
        run(&file).map_err(|line| format!("{path}: {line}"))
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(line) => {
            eprintln!("console_spe: {line}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a program to its end.
fn run(file: &[u8]) -> Result<(), String> {
    let start = file.windows(6).position(|bytes| bytes == b"\x7fELF\x01\x02").ok_or("no program for an SPE")?;
    let image = Image::parse(&file[start..])?;
    image.check(LOCAL_STORE_BYTES as u32)?;
    let mut ls = LocalStore::new(LOCAL_STORE_BYTES, PAGE_BYTES);
    for (address, bytes) in &image.segments {
        ls.write(u64::from(*address), bytes);
    }
    let mut spu = Spu::new(&Machine::builtin("ps3").map_err(|error| error.to_string())?, image.entry);
    spu.registers_mut().set(1, Quadword::scalar(STACK));
    let mut output = Vec::new();
    let mut message = 0;
    loop {
        match spu.run(&mut ls, u64::MAX / 4, &mut ()).1 {
            Exit::Write { channel, value } => {
                match Channel(channel) {
                    Channel::WR_OUT_MBOX => message = value,
                    Channel::WR_OUT_INTR_MBOX => output.extend(printed(message, &mut ls)),
                    _ => {}
                }
                spu.answer(0);
            }
            // All answers are success.
            Exit::Read { .. } => spu.answer(0),
            // The outbound mailboxes have room, and the inbound mailbox is empty before a message.
            Exit::Count { channel } => spu.answer(u32::from(Channel(channel) != Channel::RD_IN_MBOX)),
            Exit::Budget | Exit::Enabled => {}
            Exit::Stop { code: EXIT } => return std::io::stdout().write_all(&output).map_err(|e| e.to_string()),
            exit => return Err(format!("{exit:x?} at {:#x}", spu.pc())),
        }
    }
}

/// The text of `spu_printf` with its arguments at `address`, the format first, each in a quadword.
fn printed(address: u32, ls: &mut LocalStore) -> Vec<u8> {
    let template = string(ls, ls.read_u32(address.into()), STRING_BYTES);
    ls.write_u32(VA_LIST.into(), address + 16);
    // No end of the arguments in registers: all are in one place.
    ls.write_u32(u64::from(VA_LIST) + 16, u32::MAX);
    format(&template, &mut Arguments::at(ls, VA_LIST), ls).text
}
