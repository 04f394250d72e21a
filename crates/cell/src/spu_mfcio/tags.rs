//! The tag manager, which records which of the 32 tag groups are in use. Its functions take no simulated time.

use crate::coroutine::Spu;

/// Result of a failed reservation, and of releasing a tag that was not reserved.
pub const MFC_TAG_INVALID: u32 = 0xffff_ffff;

/// Result of a successful release.
pub const MFC_TAG_VALID: u32 = 0;

const TAGS: u32 = 32;

impl Spu {
    /// `mfc_tag_reserve`: reserves and returns the lowest free tag, or returns [`MFC_TAG_INVALID`] if no tag is free.
    pub fn mfc_tag_reserve(&self) -> u32 {
        self.mfc_multi_tag_reserve(1)
    }

    /// `mfc_tag_release`: releases a tag; returns [`MFC_TAG_INVALID`] if the tag was not reserved.
    pub fn mfc_tag_release(&self, tag: u32) -> u32 {
        self.mfc_multi_tag_release(tag, 1)
    }

    /// `mfc_multi_tag_reserve`: reserves `tags` neighbouring tags and returns the first, or returns [`MFC_TAG_INVALID`]
    /// if too few are free.
    pub fn mfc_multi_tag_reserve(&self, tags: u32) -> u32 {
        let taken = self.tags_taken();
        let free = (0..TAGS).find(|first| mask(*first, tags).is_some_and(|wanted| taken.get() & wanted == 0));
        let Some(first) = free else { return MFC_TAG_INVALID };
        taken.set(taken.get() | mask(first, tags).unwrap_or(0));
        first
    }

    /// `mfc_multi_tag_release`: releases neighbouring tags; returns [`MFC_TAG_INVALID`] unless all were reserved.
    pub fn mfc_multi_tag_release(&self, first: u32, tags: u32) -> u32 {
        let taken = self.tags_taken();
        match mask(first, tags) {
            Some(given) if taken.get() & given == given => {
                taken.set(taken.get() & !given);
                MFC_TAG_VALID
            }
            _ => MFC_TAG_INVALID,
        }
    }
}

/// A mask of `tags` bits from bit `first`; `None` if the mask would exceed 32 bits.
fn mask(first: u32, tags: u32) -> Option<u32> {
    let there = tags > 0 && first.checked_add(tags).is_some_and(|end| end <= TAGS);
    there.then(|| (u32::MAX >> (TAGS - tags)) << first)
}
