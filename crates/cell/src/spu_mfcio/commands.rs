//! The `mfc_*` functions that issue an MFC command through channels 16 to 21.

use crate::channel::Channel;
use crate::command::Opcode;
use crate::coroutine::Spu;
use crate::door::Op;
use crate::units::LINE_BYTES;
use std::future::Future;

const LOCK_LINE_BYTES: u32 = LINE_BYTES as u32;
const SIGNAL_BYTES: u32 = 4;

impl Spu {
    /// `spu_mfcdma64`: the six channel writes of a DMA command.
    pub async fn mfcdma64(&self, ls: u32, ea: u64, size: u32, tag: u32, command: u32) {
        self.ask_in_turn(move || {
            [
                Op::Write(Channel::MFC_LSA, ls),
                Op::Write(Channel::MFC_EAH, (ea >> 32) as u32),
                Op::Write(Channel::MFC_EAL, ea as u32),
                Op::Write(Channel::MFC_SIZE, size),
                Op::Write(Channel::MFC_TAG_ID, tag),
                Op::Write(Channel::MFC_CMD, command),
            ]
        })
        .await;
    }

    /// `spu_mfcdma32`: the five channel writes of a command whose address has no upper half.
    pub async fn mfcdma32(&self, ls: u32, eal: u32, size: u32, tag: u32, command: u32) {
        self.ask_in_turn(move || {
            [
                Op::Write(Channel::MFC_LSA, ls),
                Op::Write(Channel::MFC_EAL, eal),
                Op::Write(Channel::MFC_SIZE, size),
                Op::Write(Channel::MFC_TAG_ID, tag),
                Op::Write(Channel::MFC_CMD, command),
            ]
        })
        .await;
    }

    fn list_command(&self, ls: u32, ea: u64, list: u32, size: u32, tag: u32, command: u32) -> impl Future<Output = ()> {
        self.mfcdma64(ls, (ea & !0xffff_ffff) | u64::from(list), size, tag, command)
    }

    fn immediate_command(&self, ls: u32, ea: u64, command: u32) -> impl Future<Output = ()> {
        self.mfcdma64(ls, ea, LOCK_LINE_BYTES, 0, command)
    }

    fn queued_line_command(&self, ls: u32, ea: u64, tag: u32, command: u32) -> impl Future<Output = ()> {
        self.mfcdma64(ls, ea, LOCK_LINE_BYTES, tag, command)
    }

    fn signal_command(&self, ls: u32, ea: u64, tag: u32, command: u32) -> impl Future<Output = ()> {
        self.mfcdma64(ls, ea, SIGNAL_BYTES, tag, command)
    }

    fn range_command(&self, ea: u64, size: u32, tag: u32, command: u32) -> impl Future<Output = ()> {
        self.mfcdma64(0, ea, size, tag, command)
    }

    fn order_command(&self, tag: u32, command: u32) -> impl Future<Output = ()> {
        self.mfcdma32(0, 0, 0, tag, command)
    }
}

/// Functions of one kind: their arguments, the function that issues the command, and a row for each function.
macro_rules! command_functions {
    ($arguments:tt $issue:ident $remark:literal; $($name:ident $opcode:ident $what:literal;)*) => {
        impl Spu { $(command_functions!(@ $arguments $issue $remark $name $opcode $what);)* }
    };
    (@ ($($argument:ident: $type:ty),*) $issue:ident $remark:literal $name:ident $opcode:ident $what:literal) => {
        #[doc = concat!("`", stringify!($name), "`: ", $what)]
        #[doc = $remark]
        pub async fn $name(&self, $($argument: $type),*) {
            self.$issue($($argument,)* u32::from(Opcode::$opcode.0)).await;
        }
    };
}

command_functions! {
    (ls: u32, ea: u64, size: u32, tag: u32) mfcdma64 "";
    mfc_put PUT "local store to main storage.";
    mfc_putb PUTB "put with tag barrier.";
    mfc_putf PUTF "put with tag fence.";
    mfc_get GET "main storage to local store.";
    mfc_getb GETB "get with tag barrier.";
    mfc_getf GETF "get with tag fence.";
}

command_functions! {
    (ls: u32, ea: u64, list: u32, list_size: u32, tag: u32) list_command
    "`ea` gives the upper half of every element's address; `list` lies in the local store.";
    mfc_putl PUTL "scatter the local store by a list.";
    mfc_putlb PUTLB "scatter with tag barrier.";
    mfc_putlf PUTLF "scatter with tag fence.";
    mfc_getl GETL "gather into the local store by a list.";
    mfc_getlb GETLB "gather with tag barrier.";
    mfc_getlf GETLF "gather with tag fence.";
}

command_functions! {
    (ls: u32, ea: u64) immediate_command "";
    mfc_getllar GETLLAR "get a lock line and reserve it.";
    mfc_putllc PUTLLC "put a lock line if the reservation still stands.";
    mfc_putlluc PUTLLUC "put a lock line in any case.";
}

command_functions! {
    (ls: u32, ea: u64, tag: u32) queued_line_command "";
    mfc_putqlluc PUTQLLUC "put a lock line from the queue, behind its tag group.";
}

command_functions! {
    (ls: u32, ea: u64, tag: u32) signal_command "`ls` ends in 0xc as the register's address does.";
    mfc_sndsig SNDSIG "four bytes to a signal register.";
    mfc_sndsigb SNDSIGB "signal with tag barrier.";
    mfc_sndsigf SNDSIGF "signal with tag fence.";
}

command_functions! {
    (ea: u64, size: u32, tag: u32) range_command "";
    mfc_sdcrt SDCRT "hint that a range will be read.";
    mfc_sdcrtst SDCRTST "hint that a range will be written.";
    mfc_sdcrz SDCRZ "fill the lines of a range with zeros.";
    mfc_sdcrst SDCRST "write the changed lines of a range back.";
    mfc_sdcrf SDCRF "write the changed lines of a range back, and keep none of it.";
}

command_functions! {
    (tag: u32) order_command "";
    mfc_barrier BARRIER "later commands of any tag wait for all earlier ones.";
    mfc_eieio MFCEIEIO "order the tag group's accesses as `eieio` does.";
    mfc_sync MFCSYNC "order the tag group's accesses as `sync` does.";
}
