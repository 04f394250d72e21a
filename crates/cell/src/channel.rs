//! The SPU's channels: numbers, names and directions.
//!
//! Sources: the SPU channel map of the CBEA (appendix B) and GCC's `spu_internals.h`. The module [`crate::system`]
//! documents how each channel blocks and what the channel's count means.

/// A channel, identified by its architectural number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Channel(pub u8);

/// Direction of data through a channel, seen from the SPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// `rdch`.
    Read,
    /// `wrch`.
    Write,
}

macro_rules! channels {
    ($($number:literal $constant:ident $name:literal $direction:ident;)*) => {
        #[allow(missing_docs)]
        impl Channel {
            $(pub const $constant: Channel = Channel($number);)*

            /// Architectural name; `None` if the number is reserved.
            pub fn name(self) -> Option<&'static str> {
                match self.0 { $($number => Some($name),)* _ => None }
            }

            /// Direction; `None` if the number is reserved.
            pub fn direction(self) -> Option<Direction> {
                match self.0 { $($number => Some(Direction::$direction),)* _ => None }
            }
        }
    };
}

channels! {
    0 RD_EVENT_STAT "SPU_RdEventStat" Read;
    1 WR_EVENT_MASK "SPU_WrEventMask" Write;
    2 WR_EVENT_ACK "SPU_WrEventAck" Write;
    3 RD_SIG_NOTIFY_1 "SPU_RdSigNotify1" Read;
    4 RD_SIG_NOTIFY_2 "SPU_RdSigNotify2" Read;
    7 WR_DEC "SPU_WrDec" Write;
    8 RD_DEC "SPU_RdDec" Read;
    9 WR_MS_SYNC_REQ "MFC_WrMSSyncReq" Write;
    11 RD_EVENT_MASK "SPU_RdEventMask" Read;
    12 RD_TAG_MASK "MFC_RdTagMask" Read;
    13 RD_MACH_STAT "SPU_RdMachStat" Read;
    14 WR_SRR0 "SPU_WrSRR0" Write;
    15 RD_SRR0 "SPU_RdSRR0" Read;
    16 MFC_LSA "MFC_LSA" Write;
    17 MFC_EAH "MFC_EAH" Write;
    18 MFC_EAL "MFC_EAL" Write;
    19 MFC_SIZE "MFC_Size" Write;
    20 MFC_TAG_ID "MFC_TagID" Write;
    21 MFC_CMD "MFC_Cmd" Write;
    22 WR_TAG_MASK "MFC_WrTagMask" Write;
    23 WR_TAG_UPDATE "MFC_WrTagUpdate" Write;
    24 RD_TAG_STAT "MFC_RdTagStat" Read;
    25 RD_LIST_STALL_STAT "MFC_RdListStallStat" Read;
    26 WR_LIST_STALL_ACK "MFC_WrListStallAck" Write;
    27 RD_ATOMIC_STAT "MFC_RdAtomicStat" Read;
    28 WR_OUT_MBOX "SPU_WrOutMbox" Write;
    29 RD_IN_MBOX "SPU_RdInMbox" Read;
    30 WR_OUT_INTR_MBOX "SPU_WrOutIntrMbox" Write;
}

impl Channel {
    /// Index of the command parameter that the channel sets, starting with 0 for [`Channel::MFC_LSA`]; `None` if the
    /// channel sets no parameter.
    #[inline]
    pub fn parameter(self) -> Option<usize> {
        let nth = usize::from(self.0.wrapping_sub(Channel::MFC_LSA.0));
        (nth <= usize::from(Channel::MFC_TAG_ID.0 - Channel::MFC_LSA.0)).then_some(nth)
    }
}

impl std::fmt::Display for Channel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "channel {}", self.0),
        }
    }
}

/// Bits of the SPU event status, mask and acknowledgement channels (CBEA 9.11; `spu_mfcio.h`).
#[allow(missing_docs)]
pub mod event {
    pub const TAG_STATUS: u32 = 0x1;
    pub const LIST_STALL: u32 = 0x2;
    pub const QUEUE_VACANCY: u32 = 0x8;
    pub const IN_MBOX: u32 = 0x10;
    pub const DECREMENTER: u32 = 0x20;
    pub const OUT_INTR_MBOX: u32 = 0x40;
    pub const OUT_MBOX: u32 = 0x80;
    pub const SIGNAL_2: u32 = 0x100;
    pub const SIGNAL_1: u32 = 0x200;
    pub const LOCK_LINE: u32 = 0x400;
    pub const PRIVILEGED: u32 = 0x800;
    pub const MULTI_SOURCE: u32 = 0x1000;
}
