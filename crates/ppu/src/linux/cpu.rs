//! Stand-in until `crate::core::Cpu` is there.

/// The registers of user mode.
#[allow(missing_docs)]
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Cpu {
    pub gpr: [u32; 32],
    pub fpr: [u64; 32],
    pub vr: [u128; 32],
    pub cr: u32,
    pub lr: u32,
    pub ctr: u32,
    pub xer: u32,
    pub fpscr: u32,
    pub vscr: u32,
    pub vrsave: u32,
    pub pc: u32,
}
