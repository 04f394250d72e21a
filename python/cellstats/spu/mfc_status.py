"""The mfc_* status and control macros of spu_mfcio.h."""

from collections.abc import Generator

from cellstats import architecture as cbea
from cellstats.architecture import Channel
from cellstats.spu.calls import Asked, request
from cellstats.spu.door import Request
from cellstats.spu.mfc_commands import MfcCommands


class MfcStatus(MfcCommands):
    """Tag groups, list stalls, atomic status, multi-source synchronisation."""

    __slots__ = ()

    def mfc_stat_cmd_queue(self) -> Asked[int]:
        """Free entries of the command queue, 0 to 16."""
        return self.spu_readchcnt(Channel.MFC_Cmd)

    def mfc_write_tag_mask(self, mask: int) -> Asked[None]:
        """Choose the tag groups that the tag status is about."""
        return self.spu_writech(Channel.MFC_WrTagMask, mask)

    def mfc_read_tag_mask(self) -> Asked[int]:
        """The chosen tag groups."""
        return self.spu_readch(Channel.MFC_RdTagMask)

    def mfc_write_tag_update(self, update: int) -> Asked[None]:
        """Ask for a tag status: MFC_TAG_UPDATE_IMMEDIATE, _ANY or _ALL."""
        return self.spu_writech(Channel.MFC_WrTagUpdate, update)

    def mfc_write_tag_update_immediate(self) -> Asked[None]:
        """Ask for the tag status as it is."""
        return self.mfc_write_tag_update(cbea.MFC_TAG_UPDATE_IMMEDIATE)

    def mfc_write_tag_update_any(self) -> Asked[None]:
        """Ask for the tag status once any chosen group is complete."""
        return self.mfc_write_tag_update(cbea.MFC_TAG_UPDATE_ANY)

    def mfc_write_tag_update_all(self) -> Asked[None]:
        """Ask for the tag status once all chosen groups are complete."""
        return self.mfc_write_tag_update(cbea.MFC_TAG_UPDATE_ALL)

    def mfc_stat_tag_update(self) -> Asked[int]:
        """1 when another tag status may be asked for."""
        return self.spu_readchcnt(Channel.MFC_WrTagUpdate)

    def mfc_read_tag_status(self) -> Asked[int]:
        """The tag status that was asked for: a bit for each complete group; waits for it."""
        return self.spu_readch(Channel.MFC_RdTagStat)

    @request
    def _tag_status(self, update: int) -> Generator[Request, int, int]:
        yield ("write", Channel.MFC_WrTagUpdate, update)
        return (yield ("read", Channel.MFC_RdTagStat))

    def mfc_read_tag_status_immediate(self) -> Asked[int]:
        """The chosen groups that are complete now."""
        return self._tag_status(cbea.MFC_TAG_UPDATE_IMMEDIATE)

    def mfc_read_tag_status_any(self) -> Asked[int]:
        """Wait until any chosen group is complete."""
        return self._tag_status(cbea.MFC_TAG_UPDATE_ANY)

    def mfc_read_tag_status_all(self) -> Asked[int]:
        """Wait until all chosen groups are complete."""
        return self._tag_status(cbea.MFC_TAG_UPDATE_ALL)

    def spu_mfcstat(self, update: int) -> Asked[int]:
        """The composite intrinsic: ask for a tag status and wait for it."""
        return self._tag_status(update)

    def mfc_stat_tag_status(self) -> Asked[int]:
        """1 when a tag status is ready."""
        return self.spu_readchcnt(Channel.MFC_RdTagStat)

    def mfc_read_list_stall_status(self) -> Asked[int]:
        """The tag groups with a list stopped by stall-and-notify; waits until there is one."""
        return self.spu_readch(Channel.MFC_RdListStallStat)

    def mfc_stat_list_stall_status(self) -> Asked[int]:
        """1 when a list has stopped since the status was read."""
        return self.spu_readchcnt(Channel.MFC_RdListStallStat)

    def mfc_write_list_stall_ack(self, tag: int) -> Asked[None]:
        """Let a stopped list go on."""
        return self.spu_writech(Channel.MFC_WrListStallAck, tag)

    def mfc_read_atomic_status(self) -> Asked[int]:
        """How the last immediate atomic command ended; bit 0 set: putllc failed. Waits for it."""
        return self.spu_readch(Channel.MFC_RdAtomicStat)

    def mfc_stat_atomic_status(self) -> Asked[int]:
        """1 when an atomic status is ready."""
        return self.spu_readchcnt(Channel.MFC_RdAtomicStat)

    def mfc_write_multi_src_sync_request(self) -> Asked[None]:
        """Start tracking the transfers that others have sent to this SPE."""
        return self.spu_writech(Channel.MFC_WrMSSyncReq, 0)

    def mfc_stat_multi_src_sync_request(self) -> Asked[int]:
        """1 when the tracked transfers are complete."""
        return self.spu_readchcnt(Channel.MFC_WrMSSyncReq)
