"""The tag manager of spu_mfcio.h, which reserves the 32 tag groups. Takes no simulated time."""

from cellstats.architecture import MFC_TAG_INVALID, MFC_TAG_VALID

_TAGS = 32


class TagManager:
    """Hands out tags; the answers are those of the C functions.

    >>> tags = TagManager()
    >>> tags.mfc_tag_reserve(), tags.mfc_multi_tag_reserve(4), tags.mfc_tag_reserve()
    (0, 1, 5)
    >>> tags.mfc_multi_tag_release(1, 4) == MFC_TAG_VALID
    True
    """

    __slots__ = ("_taken",)

    def __init__(self) -> None:
        self._taken = 0

    def mfc_tag_reserve(self) -> int:
        """Reserve the lowest free tag; MFC_TAG_INVALID when all are taken."""
        return self.mfc_multi_tag_reserve(1)

    def mfc_tag_release(self, tag: int) -> int:
        """Give a tag back; MFC_TAG_INVALID when it was not reserved."""
        return self.mfc_multi_tag_release(tag, 1)

    def mfc_multi_tag_reserve(self, tags: int) -> int:
        """Reserve neighbouring tags and answer the first; MFC_TAG_INVALID when there are none."""
        for first in range(_TAGS - tags + 1 if tags > 0 else 0):
            wanted = _mask(first, tags)
            if not self._taken & wanted:
                self._taken |= wanted
                return first
        return MFC_TAG_INVALID

    def mfc_multi_tag_release(self, first: int, tags: int) -> int:
        """Give neighbouring tags back; MFC_TAG_INVALID unless all of them were reserved."""
        if first < 0 or tags <= 0 or first + tags > _TAGS:
            return MFC_TAG_INVALID
        wanted = _mask(first, tags)
        if self._taken & wanted != wanted:
            return MFC_TAG_INVALID
        self._taken &= ~wanted
        return MFC_TAG_VALID


def _mask(first: int, tags: int) -> int:
    return ((1 << tags) - 1) << first
