"""`Spu`: the calls that an SPE's program can make, with the names of spu_mfcio.h.

    async def program(spu):                                def program(spu):
        await spu.mfc_get(0x1000, ea, 1024, tag=3)             yield from spu.mfc_get(...)
        await spu.mfc_write_tag_mask(1 << 3)                   ...
        await spu.mfc_read_tag_status_all()
        return 0                                               return 0

Every call consists of requests (see `cellstats.spu.door`). The base classes are

    AtomicOperations   atomic_add_return ...        getllar / putllc loops
    MfcStatus          mfc_read_tag_status_all ...  channels 9, 12, 21-27
    MfcCommands        mfc_get, mfc_put ...         channels 16-21
    SpuChannels        spu_read_in_mbox ...         one channel each; compute, mark
"""

from cellstats.spu.atomic import AtomicOperations
from cellstats.spu.channels import LocalStore
from cellstats.spu.mfc import TagManager, mfc_ceil128, mfc_ea2h, mfc_ea2l, mfc_hl2ea

__all__ = ["LocalStore", "Spu", "mfc_ceil128", "mfc_ea2h", "mfc_ea2l", "mfc_hl2ea"]


class Spu(AtomicOperations):
    """The SPU from its program's view: channels, local store (`ls`), tags.

    `cellstats.run` makes an `Spu` for each thread. `ls` is valid only while the program runs.
    """

    __slots__ = ("_tags", "argp")

    def __init__(self, ls: LocalStore, argp: int = 0) -> None:
        super().__init__(ls)
        self.argp = argp
        """Argument from the creator of the thread."""
        self._tags = TagManager()

    def mfc_tag_reserve(self) -> int:
        """Reserve a tag; returns MFC_TAG_INVALID when all tags are taken. Takes no time."""
        return self._tags.mfc_tag_reserve()

    def mfc_tag_release(self, tag: int) -> int:
        """Release a tag; returns MFC_TAG_INVALID when the tag was not reserved. Takes no time."""
        return self._tags.mfc_tag_release(tag)

    def mfc_multi_tag_reserve(self, tags: int) -> int:
        """Reserve adjacent tags; returns the first, or MFC_TAG_INVALID. Takes no time."""
        return self._tags.mfc_multi_tag_reserve(tags)

    def mfc_multi_tag_release(self, first: int, tags: int) -> int:
        """Release tags; returns MFC_TAG_INVALID unless all were reserved. Takes no time."""
        return self._tags.mfc_multi_tag_release(first, tags)
