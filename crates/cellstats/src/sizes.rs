//! Size checks shared by several families.

use crate::refusal::Refusal;
use cell::machine::Machine;

/// Whether DMA can move `bytes`, if necessary by several commands.
pub fn is_of_a_dma(bytes: u32) -> bool {
    matches!(bytes, 1 | 2 | 4 | 8) || bytes > 0 && bytes.is_multiple_of(16)
}

/// Checks the size and the list of a DMA.
///
/// # Errors
/// A size that DMA cannot move, or an invalid number of list elements.
pub fn check_dma(machine: &Machine, size_bytes: u32, list_elements: u32) -> Result<(), Refusal> {
    let most = machine.mfc.max_transfer_bytes;
    if size_bytes > most || !is_of_a_dma(size_bytes) {
        let reason = format!("a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most {}k", most / 1024);
        return Err(Refusal::of("size", reason).given(size_bytes));
    }
    let most = machine.mfc.max_list_elements;
    if list_elements == 0 || list_elements > most {
        let reason = format!("a DMA list has 1 to {most} elements");
        return Err(Refusal::of("list_elements", reason).given(list_elements));
    }
    Ok(())
}

/// Checks the stride of private buffers or variables.
///
/// # Errors
/// A stride that is not a valid multiple, or a stride without private buffers.
pub fn check_stride(stride: Option<u32>, private: bool, unit: u32, of: &str, function: &str) -> Result<(), Refusal> {
    let Some(stride) = stride else { return Ok(()) };
    if !private {
        let refusal = Refusal::of("stride", "a stride is between private buffers, give {private}");
        return Err(refusal.with(function));
    }
    if stride == 0 || !stride.is_multiple_of(unit) {
        let reason = format!("the stride of {of} is a multiple of {unit} bytes");
        return Err(Refusal::of("stride", reason).given(stride));
    }
    Ok(())
}

/// Distance between private buffers: the smallest multiple of the stride (by default a line) that holds `bytes`, so
/// that they never overlap.
pub fn distance(bytes: u64, stride: Option<u32>) -> u64 {
    let stride = stride.map_or(cell::units::LINE_BYTES, u64::from).max(1);
    bytes.div_ceil(stride).saturating_mul(stride)
}

/// Checks that private buffers fit the `free_bytes` of main memory.
///
/// # Errors
/// The buffers do not fit.
pub fn check_memory(spes: u32, distance_bytes: u64, free_bytes: u64, memory: &str) -> Result<(), Refusal> {
    if distance_bytes.saturating_mul(u64::from(spes)) <= free_bytes {
        return Ok(());
    }
    let reason =
        format!("{spes} private buffers {distance_bytes} bytes apart do not fit {memory}: {free_bytes} bytes are free");
    Err(Refusal::of("stride", reason))
}
