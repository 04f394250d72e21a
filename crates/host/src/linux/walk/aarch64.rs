//! Walks of AArch64: elements of up to 16 bytes by one instruction, 32 bytes by a pair of registers, 64 bytes by two
//! pairs.

use super::kind::{Kind, STORED, Walk};
use std::arch::asm;

/// Waits until all loads are done and all stores are visible to other CPUs.
pub fn fence() {
    // SAFETY: a barrier accesses no memory.
    unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
}

/// Writes a line back and drops it from all caches.
///
/// # Safety
/// The address must be that of mapped memory.
pub unsafe fn flush(line: *const u8) {
    // SAFETY: Linux lets programs clean caches by address, which changes no value.
    unsafe { asm!("dc civac, {}", in(reg) line, options(nostack, preserves_flags)) };
}

const VALUE: u64 = u64::from_ne_bytes([STORED; 8]);

/// Defines a loop over steps of `$count` elements; `$each` processes element `\i`, and reads `$reads` elements for each
/// element that it writes. Before the loop, x9, q0 and q1 hold the value to store.
macro_rules! walk {
    ($name:ident, $element:literal, [$indices:literal; $count:literal], $each:literal) => {
        walk!($name, $element, 1, [$indices; $count], $each);
    };
    ($name:ident, $element:literal, $reads:literal, [$indices:literal; $count:literal], $each:literal) => {
        pub unsafe fn $name(from: *const u8, to: *mut u8, bytes: usize, laps: usize) {
            // SAFETY: the caller guarantees valid memory. The assembly code declares all registers that a function may
            // change under the C calling convention.
            unsafe {
                asm!(
                    "dup v0.2d, x9",
                    "dup v1.2d, x9",
                    "3:",
                    "mov x0, x3",
                    "mov x1, x4",
                    "mov x2, x5",
                    ".p2align 5",
                    "2:",
                    concat!(".irp i,", $indices),
                    $each,
                    ".endr",
                    concat!("add x0, x0, #", $element, "*", $count, "*", $reads),
                    concat!("add x1, x1, #", $element, "*", $count),
                    concat!("subs x2, x2, #", $element, "*", $count),
                    "b.ne 2b",
                    "subs x6, x6, #1",
                    "b.ne 3b",
                    inout("x3") from => _,
                    inout("x4") to => _,
                    inout("x5") bytes => _,
                    inout("x6") laps => _,
                    inout("x9") VALUE => _,
                    clobber_abi("C"),
                    options(nostack),
                )
            }
        }
    };
}

macro_rules! eights {
    ($($name:ident, $element:literal, $each:literal;)*) => {
        $(walk!($name, $element, ["0,1,2,3,4,5,6,7"; 8], $each);)*
    };
}

eights! {
    load_1, 1, "ldrb w9, [x0, #1*\\i]";
    load_2, 2, "ldrh w9, [x0, #2*\\i]";
    load_4, 4, "ldr w9, [x0, #4*\\i]";
    load_8, 8, "ldr x9, [x0, #8*\\i]";
    load_16, 16, "ldr q0, [x0, #16*\\i]";
    load_32, 32, "ldp q0, q1, [x0, #32*\\i]";
    load_64, 64, "ldp q0, q1, [x0, #64*\\i]\nldp q0, q1, [x0, #64*\\i+32]";
    store_1, 1, "strb w9, [x1, #1*\\i]";
    store_2, 2, "strh w9, [x1, #2*\\i]";
    store_4, 4, "str w9, [x1, #4*\\i]";
    store_8, 8, "str x9, [x1, #8*\\i]";
    store_16, 16, "str q0, [x1, #16*\\i]";
    store_32, 32, "stp q0, q1, [x1, #32*\\i]";
    store_64, 64, "stp q0, q1, [x1, #64*\\i]\nstp q0, q1, [x1, #64*\\i+32]";
    copy_1, 1, "ldrb w9, [x0, #1*\\i]\nstrb w9, [x1, #1*\\i]";
    copy_2, 2, "ldrh w9, [x0, #2*\\i]\nstrh w9, [x1, #2*\\i]";
    copy_4, 4, "ldr w9, [x0, #4*\\i]\nstr w9, [x1, #4*\\i]";
    copy_8, 8, "ldr x9, [x0, #8*\\i]\nstr x9, [x1, #8*\\i]";
    copy_16, 16, "ldr q0, [x0, #16*\\i]\nstr q0, [x1, #16*\\i]";
    copy_32, 32, "ldp q0, q1, [x0, #32*\\i]\nstp q0, q1, [x1, #32*\\i]";
    copy_64, 64, "ldp q0, q1, [x0, #64*\\i]\nstp q0, q1, [x1, #64*\\i]\nldp q0, q1, [x0, #64*\\i+32]\nstp q0, q1, [x1, #64*\\i+32]";
    stream_16, 16, "stnp x9, x9, [x1, #16*\\i]";
    stream_32, 32, "stnp q0, q1, [x1, #32*\\i]";
    stream_64, 64, "stnp q0, q1, [x1, #64*\\i]\nstnp q0, q1, [x1, #64*\\i+32]";
    copy_stream_16, 16, "ldp x9, x10, [x0, #16*\\i]\nstnp x9, x10, [x1, #16*\\i]";
    copy_stream_32, 32, "ldp q0, q1, [x0, #32*\\i]\nstnp q0, q1, [x1, #32*\\i]";
    copy_stream_64, 64, "ldp q0, q1, [x0, #64*\\i]\nstnp q0, q1, [x1, #64*\\i]\nldp q0, q1, [x0, #64*\\i+32]\nstnp q0, q1, [x1, #64*\\i+32]";
}

walk!(mix_2, 16, 2, ["0,1,2,3,4,5,6,7"; 8], "ldp q0, q1, [x0, #32*\\i]\nstr q0, [x1, #16*\\i]");
walk!(
    mix_3,
    16,
    3,
    ["0,1,2,3,4,5,6,7"; 8],
    "ldp q0, q1, [x0, #48*\\i]\nldr q2, [x0, #48*\\i+32]\nstr q0, [x1, #16*\\i]"
);
walk!(
    mix_stream_2,
    16,
    2,
    ["0,1,2,3,4,5,6,7"; 8],
    "ldp x9, x10, [x0, #32*\\i]\nldr q1, [x0, #32*\\i+16]\nstnp x9, x10, [x1, #16*\\i]"
);
walk!(
    mix_stream_3,
    16,
    3,
    ["0,1,2,3,4,5,6,7"; 8],
    "ldp x9, x10, [x0, #48*\\i]\nldp q1, q2, [x0, #48*\\i+16]\nstnp x9, x10, [x1, #16*\\i]"
);

walk!(copy_1_single, 1, ["0"; 1], "ldrb w9, [x0]\nstrb w9, [x1]");
walk!(copy_16_single, 16, ["0"; 1], "ldr q0, [x0]\nstr q0, [x1]");
walk!(line_by_32, 64, ["0,32"; 1], "ldp q0, q1, [x0, #\\i]\nstnp q0, q1, [x1, #\\i]");

fn how(element_bytes: u64) -> &'static str {
    match element_bytes {
        32 => "by a pair of registers each",
        64 => "by two pairs of registers each",
        _ => "by one instruction each",
    }
}

/// A walk of this kind with ordinary stores, and a description of its instructions.
pub fn ordinary(kind: Kind, element_bytes: u64) -> Option<(Walk, &'static str)> {
    let walks: [Walk; 7] = match kind {
        Kind::Load => [load_1, load_2, load_4, load_8, load_16, load_32, load_64],
        Kind::Store => [store_1, store_2, store_4, store_8, store_16, store_32, store_64],
        Kind::Copy => [copy_1, copy_2, copy_4, copy_8, copy_16, copy_32, copy_64],
    };
    Some((walks[element_bytes.ilog2() as usize], how(element_bytes)))
}

/// A walk whose stores are `stnp`, which hints that the line will not be needed soon.
pub fn non_temporal(kind: Kind, element_bytes: u64) -> Option<(Walk, &'static str)> {
    let walks: [Walk; 3] = match kind {
        Kind::Load => return None,
        Kind::Store => [stream_16, stream_32, stream_64],
        Kind::Copy => [copy_stream_16, copy_stream_32, copy_stream_64],
    };
    let walk = *walks.get((element_bytes.ilog2() as usize).checked_sub(4)?)?;
    Some((walk, "by pairs of registers, with the hint that they are not needed soon"))
}

/// Copies lines by non-temporal stores of this size, if the processor has such stores.
pub fn line_copy(element_bytes: u64) -> Option<Walk> {
    (element_bytes == 32).then_some(line_by_32 as Walk)
}

/// Makes `16 * rounds` loads, each from the address that the previous one loaded. Returns the last loaded address.
///
/// # Safety
///
/// The first address must be readable, and each loaded value must be a readable address of another.
pub unsafe fn chase(mut from: *const u8, rounds: u64) -> *const u8 {
    // SAFETY: the caller guarantees valid addresses. The code changes only the declared registers and the flags.
    unsafe {
        asm!(
            ".p2align 5",
            "2:",
            ".rept 16",
            "ldr {from}, [{from}]",
            ".endr",
            "subs {rounds}, {rounds}, #1",
            "b.ne 2b",
            from = inout(reg) from,
            rounds = inout(reg) rounds => _,
            options(nostack, readonly),
        )
    };
    from
}
