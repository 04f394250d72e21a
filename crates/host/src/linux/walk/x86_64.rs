//! Walks of x86-64: elements of up to 16 bytes on any processor, 32 bytes with AVX2, 64 bytes with AVX-512.

use super::kind::{Kind, STORED, Walk};
use std::arch::asm;
use std::arch::x86_64::{_mm_clflush, _mm_mfence};

/// Waits until all loads are done and all stores are visible to other CPUs.
pub fn fence() {
    // SAFETY: every x86-64 processor has `mfence`.
    unsafe { _mm_mfence() };
}

/// Writes a line back and drops it from all caches.
///
/// # Safety
/// The address must be that of mapped memory.
pub unsafe fn flush(line: *const u8) {
    // SAFETY: every x86-64 processor has `clflush`, which changes no value.
    unsafe { _mm_clflush(line) };
}

const VALUE: u64 = u64::from_ne_bytes([STORED; 8]);

/// Defines a loop over steps of `$count` elements; `$each` processes element `\i`, and reads `$reads` elements for each
/// element that it writes. Before the loop, `xmm0` holds the value to store, and `$before` may extend the value to a
/// wider register; `$after` cleans up after the loop.
macro_rules! walk {
    ($name:ident, $element:literal, [$indices:literal; $count:literal], $before:literal, $each:literal, $after:literal) => {
        walk!($name, $element, 1, [$indices; $count], $before, $each, $after);
    };
    ($name:ident, $element:literal, $reads:literal, [$indices:literal; $count:literal], $before:literal, $each:literal, $after:literal) => {
        pub unsafe fn $name(from: *const u8, to: *mut u8, bytes: usize, laps: usize) {
            // SAFETY: the caller guarantees valid memory. The assembly code declares all registers that a function may
            // change under the C calling convention.
            unsafe {
                asm!(
                    "movq xmm0, rax",
                    "punpcklqdq xmm0, xmm0",
                    $before,
                    "3:",
                    "mov rsi, r8",
                    "mov rdi, r9",
                    "mov rcx, r10",
                    ".p2align 5",
                    "2:",
                    concat!(".irp i,", $indices),
                    $each,
                    ".endr",
                    concat!("add rsi, ", $element, "*", $count, "*", $reads),
                    concat!("add rdi, ", $element, "*", $count),
                    concat!("sub rcx, ", $element, "*", $count),
                    "jnz 2b",
                    "dec r11",
                    "jnz 3b",
                    $after,
                    inout("rax") VALUE => _,
                    inout("r8") from => _,
                    inout("r9") to => _,
                    inout("r10") bytes => _,
                    inout("r11") laps => _,
                    clobber_abi("sysv64"),
                    options(nostack),
                )
            }
        }
    };
}

macro_rules! eights {
    ($($name:ident, $element:literal, $before:literal, $each:literal, $after:literal;)*) => {
        $(walk!($name, $element, ["0,1,2,3,4,5,6,7"; 8], $before, $each, $after);)*
    };
}

eights! {
    load_1, 1, "", "movzx eax, byte ptr [rsi + 1*\\i]", "";
    load_2, 2, "", "movzx eax, word ptr [rsi + 2*\\i]", "";
    load_4, 4, "", "mov eax, dword ptr [rsi + 4*\\i]", "";
    load_8, 8, "", "mov rax, qword ptr [rsi + 8*\\i]", "";
    load_16, 16, "", "movups xmm0, [rsi + 16*\\i]", "";
    load_32, 32, "", "vmovups ymm0, [rsi + 32*\\i]", "vzeroupper";
    load_64, 64, "", "vmovups zmm0, [rsi + 64*\\i]", "vzeroupper";
    store_1, 1, "", "mov byte ptr [rdi + 1*\\i], al", "";
    store_2, 2, "", "mov word ptr [rdi + 2*\\i], ax", "";
    store_4, 4, "", "mov dword ptr [rdi + 4*\\i], eax", "";
    store_8, 8, "", "mov qword ptr [rdi + 8*\\i], rax", "";
    store_16, 16, "", "movups [rdi + 16*\\i], xmm0", "";
    store_32, 32, "vpbroadcastq ymm0, xmm0", "vmovups [rdi + 32*\\i], ymm0", "vzeroupper";
    store_64, 64, "vpbroadcastq zmm0, xmm0", "vmovups [rdi + 64*\\i], zmm0", "vzeroupper";
    copy_1, 1, "", "movzx eax, byte ptr [rsi + 1*\\i]\nmov byte ptr [rdi + 1*\\i], al", "";
    copy_2, 2, "", "movzx eax, word ptr [rsi + 2*\\i]\nmov word ptr [rdi + 2*\\i], ax", "";
    copy_4, 4, "", "mov eax, dword ptr [rsi + 4*\\i]\nmov dword ptr [rdi + 4*\\i], eax", "";
    copy_8, 8, "", "mov rax, qword ptr [rsi + 8*\\i]\nmov qword ptr [rdi + 8*\\i], rax", "";
    copy_16, 16, "", "movups xmm0, [rsi + 16*\\i]\nmovups [rdi + 16*\\i], xmm0", "";
    copy_32, 32, "", "vmovups ymm0, [rsi + 32*\\i]\nvmovups [rdi + 32*\\i], ymm0", "vzeroupper";
    copy_64, 64, "", "vmovups zmm0, [rsi + 64*\\i]\nvmovups [rdi + 64*\\i], zmm0", "vzeroupper";
    stream_4, 4, "", "movnti dword ptr [rdi + 4*\\i], eax", "sfence";
    stream_8, 8, "", "movnti qword ptr [rdi + 8*\\i], rax", "sfence";
    stream_16, 16, "", "movntps [rdi + 16*\\i], xmm0", "sfence";
    stream_32, 32, "vpbroadcastq ymm0, xmm0", "vmovntps [rdi + 32*\\i], ymm0", "sfence\nvzeroupper";
    stream_64, 64, "vpbroadcastq zmm0, xmm0", "vmovntps [rdi + 64*\\i], zmm0", "sfence\nvzeroupper";
    copy_stream_4, 4, "", "mov eax, dword ptr [rsi + 4*\\i]\nmovnti dword ptr [rdi + 4*\\i], eax", "sfence";
    copy_stream_8, 8, "", "mov rax, qword ptr [rsi + 8*\\i]\nmovnti qword ptr [rdi + 8*\\i], rax", "sfence";
    copy_stream_16, 16, "", "movups xmm0, [rsi + 16*\\i]\nmovntps [rdi + 16*\\i], xmm0", "sfence";
    copy_stream_32, 32, "", "vmovups ymm0, [rsi + 32*\\i]\nvmovntps [rdi + 32*\\i], ymm0", "sfence\nvzeroupper";
    copy_stream_64, 64, "", "vmovups zmm0, [rsi + 64*\\i]\nvmovntps [rdi + 64*\\i], zmm0", "sfence\nvzeroupper";
}

walk!(
    mix_2,
    16,
    2,
    ["0,1,2,3,4,5,6,7"; 8],
    "",
    "movups xmm0, [rsi + 32*\\i]\nmovups xmm1, [rsi + 32*\\i + 16]\nmovups [rdi + 16*\\i], xmm0",
    ""
);
walk!(
    mix_3,
    16,
    3,
    ["0,1,2,3,4,5,6,7"; 8],
    "",
    "movups xmm0, [rsi + 48*\\i]\nmovups xmm1, [rsi + 48*\\i + 16]\nmovups xmm2, [rsi + 48*\\i + 32]\nmovups [rdi + 16*\\i], xmm0",
    ""
);
walk!(
    mix_stream_2,
    16,
    2,
    ["0,1,2,3,4,5,6,7"; 8],
    "",
    "movups xmm0, [rsi + 32*\\i]\nmovups xmm1, [rsi + 32*\\i + 16]\nmovntps [rdi + 16*\\i], xmm0",
    "sfence"
);
walk!(
    mix_stream_3,
    16,
    3,
    ["0,1,2,3,4,5,6,7"; 8],
    "",
    "movups xmm0, [rsi + 48*\\i]\nmovups xmm1, [rsi + 48*\\i + 16]\nmovups xmm2, [rsi + 48*\\i + 32]\nmovntps [rdi + 16*\\i], xmm0",
    "sfence"
);

walk!(copy_1_single, 1, ["0"; 1], "", "movzx eax, byte ptr [rsi]\nmov byte ptr [rdi], al", "");
walk!(copy_16_single, 16, ["0"; 1], "", "movups xmm0, [rsi]\nmovups [rdi], xmm0", "");
// These walks copy one cache line at a time without a fence. The caller executes a fence between blocks.
walk!(line_by_16, 64, ["0,16,32,48"; 1], "", "movups xmm0, [rsi + \\i]\nmovntps [rdi + \\i], xmm0", "");
walk!(line_by_32, 64, ["0,32"; 1], "", "vmovups ymm0, [rsi + \\i]\nvmovntps [rdi + \\i], ymm0", "vzeroupper");
walk!(line_by_64, 64, ["0"; 1], "", "vmovups zmm0, [rsi + \\i]\nvmovntps [rdi + \\i], zmm0", "vzeroupper");

fn has(element_bytes: u64) -> bool {
    match element_bytes {
        32 => is_x86_feature_detected!("avx2"),
        64 => is_x86_feature_detected!("avx512f"),
        _ => true,
    }
}

/// A walk of this kind with ordinary stores, and a description of its instructions, or `None` if the processor lacks
/// the instructions.
pub fn ordinary(kind: Kind, element_bytes: u64) -> Option<(Walk, &'static str)> {
    let walks: [Walk; 7] = match kind {
        Kind::Load => [load_1, load_2, load_4, load_8, load_16, load_32, load_64],
        Kind::Store => [store_1, store_2, store_4, store_8, store_16, store_32, store_64],
        Kind::Copy => [copy_1, copy_2, copy_4, copy_8, copy_16, copy_32, copy_64],
    };
    has(element_bytes).then(|| (walks[element_bytes.ilog2() as usize], "by one instruction each"))
}

/// A walk whose stores leave nothing in the caches.
pub fn non_temporal(kind: Kind, element_bytes: u64) -> Option<(Walk, &'static str)> {
    let walks: [Walk; 5] = match kind {
        Kind::Load => return None,
        Kind::Store => [stream_4, stream_8, stream_16, stream_32, stream_64],
        Kind::Copy => [copy_stream_4, copy_stream_8, copy_stream_16, copy_stream_32, copy_stream_64],
    };
    let walk = *walks.get((element_bytes.ilog2() as usize).checked_sub(2)?)?;
    has(element_bytes).then_some((walk, "by one instruction each, non-temporal"))
}

/// Copies lines by non-temporal stores of this size, if the processor has such stores.
pub fn line_copy(element_bytes: u64) -> Option<Walk> {
    let walk: Walk = match element_bytes {
        64 => line_by_64,
        32 => line_by_32,
        _ => line_by_16,
    };
    has(element_bytes).then_some(walk)
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
            "mov {from}, [{from}]",
            ".endr",
            "dec {rounds}",
            "jnz 2b",
            from = inout(reg) from,
            rounds = inout(reg) rounds => _,
            options(nostack, readonly),
        )
    };
    from
}
