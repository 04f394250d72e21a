//! The functions that read or write one channel or read its count.

use crate::channel::Channel;
use crate::coroutine::Spu;
use std::future::Future;

/// Each row contains the operation on the channel, the function's name, the channel, and the meaning.
macro_rules! channel_functions {
    ($($operation:ident $name:ident $channel:ident $what:literal;)*) => {
        impl Spu { $(channel_functions!(@ $operation $name $channel $what);)* }
    };
    (@ write $name:ident $channel:ident $what:literal) => {
        #[doc = concat!("`", stringify!($name), "`: ", $what)]
        pub async fn $name(&self, value: u32) {
            self.write(Channel::$channel, value).await;
        }
    };
    (@ $operation:ident $name:ident $channel:ident $what:literal) => {
        #[doc = concat!("`", stringify!($name), "`: ", $what)]
        pub fn $name(&self) -> impl Future<Output = u32> {
            self.$operation(Channel::$channel)
        }
    };
}

channel_functions! {
    read  spu_read_event_status RD_EVENT_STAT "the enabled events that have occurred; waits for one.";
    count spu_stat_event_status RD_EVENT_STAT "1 if an enabled event has occurred.";
    write spu_write_event_mask WR_EVENT_MASK "enables the events of a mask.";
    read  spu_read_event_mask RD_EVENT_MASK "the enabled events.";
    write spu_write_event_ack WR_EVENT_ACK "acknowledges events.";
    read  spu_read_signal1 RD_SIG_NOTIFY_1 "takes what was written to signal register 1; waits for it.";
    count spu_stat_signal1 RD_SIG_NOTIFY_1 "1 if signal register 1 was written since it was read.";
    read  spu_read_signal2 RD_SIG_NOTIFY_2 "takes what was written to signal register 2; waits for it.";
    count spu_stat_signal2 RD_SIG_NOTIFY_2 "1 if signal register 2 was written since it was read.";
    read  spu_read_decrementer RD_DEC "the decrementer.";
    write spu_write_decrementer WR_DEC "loads and starts the decrementer.";
    read  spu_read_machine_status RD_MACH_STAT "bit 0: interrupts are enabled.";
    write spu_write_srr0 WR_SRR0 "sets the address to which an interrupt returns.";
    read  spu_read_srr0 RD_SRR0 "the address to which an interrupt returns.";
    read  spu_read_in_mbox RD_IN_MBOX "takes the oldest entry of the inbound mailbox; waits for one.";
    count spu_stat_in_mbox RD_IN_MBOX "entries of the inbound mailbox.";
    write spu_write_out_mbox WR_OUT_MBOX "puts an entry into the outbound mailbox; waits for room.";
    count spu_stat_out_mbox WR_OUT_MBOX "room in the outbound mailbox.";
    write spu_write_out_intr_mbox WR_OUT_INTR_MBOX "puts an entry into the outbound interrupt mailbox; waits for room.";
    count spu_stat_out_intr_mbox WR_OUT_INTR_MBOX "room in the outbound interrupt mailbox.";
    count mfc_stat_cmd_queue MFC_CMD "free entries of the command queue.";
    write mfc_write_tag_mask WR_TAG_MASK "selects the tag groups that a tag status reports.";
    read  mfc_read_tag_mask RD_TAG_MASK "the selected tag groups.";
    write mfc_write_tag_update WR_TAG_UPDATE "requests a tag status, with one of the codes `MFC_TAG_UPDATE_*`.";
    count mfc_stat_tag_update WR_TAG_UPDATE "1 if a tag status may be requested.";
    read  mfc_read_tag_status RD_TAG_STAT "the requested tag status; waits for it.";
    count mfc_stat_tag_status RD_TAG_STAT "1 if a tag status is available.";
    read  mfc_read_list_stall_status RD_LIST_STALL_STAT "waits for a list to stall; the tags of the stalled lists.";
    count mfc_stat_list_stall_status RD_LIST_STALL_STAT "1 if a list has stalled since the status was read.";
    write mfc_write_list_stall_ack WR_LIST_STALL_ACK "resumes the stalled lists of a tag.";
    read  mfc_read_atomic_status RD_ATOMIC_STAT "the status of the last immediate lock-line command; waits for it.";
    count mfc_stat_atomic_status RD_ATOMIC_STAT "1 if the status of a lock-line command is available.";
    count mfc_stat_multi_src_sync_request WR_MS_SYNC_REQ "1 if no multi-source synchronisation is under way.";
}
