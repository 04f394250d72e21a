//! The DMA controller's selection of a command.

use super::dmac::Mfc;
use super::queue::Entry;
use crate::command::Action;
use crate::machine as values;
use crate::units::{BusCycle, EntryId, NEVER};

impl Mfc {
    /// Earliest time at which [`Mfc::advance`] might select a command in the current state.
    #[inline(always)]
    pub fn next_advance(&self, values: &values::Mfc) -> BusCycle {
        let Some([get, put]) = self.certain else { return self.next_advance_of_any(values) };
        // Both commands have been selected before, so their `ready_at` has passed.
        let has_room = get.is_some() && !self.is_full(true, values) || put.is_some() && !self.is_full(false, values);
        if has_room { self.unroll_free_at } else { NEVER }
    }

    #[inline(never)]
    fn next_advance_of_any(&self, values: &values::Mfc) -> BusCycle {
        let full = [true, false].map(|is_read| self.is_full(is_read, values));
        if full == [true; 2] {
            return NEVER;
        }
        // No command can be selected before `soonest`.
        let goes_on = self.spu_queue.any_in_progress() || self.proxy_queue.any_in_progress();
        let soonest = if goes_on { self.unroll_free_at } else { self.unroll_free_at.max(self.command_free_at) };
        let mut earliest = NEVER;
        for queue in [&self.spu_queue, &self.proxy_queue] {
            for (index, entry) in queue.unrolling() {
                if full[usize::from(entry.decoded.action != Action::Get)] {
                    continue;
                }
                let at = self.selectable_at(entry, queue.has_started(index));
                earliest = earliest.min(at.max(self.unroll_free_at));
                if earliest <= soonest {
                    return earliest;
                }
            }
        }
        earliest
    }

    fn selectable_at(&self, entry: &Entry, has_started: bool) -> BusCycle {
        let ready_at =
            if entry.decoded.list && entry.left_bytes == 0 { entry.element_ready_at } else { entry.ready_at };
        let ready_at = ready_at.max(entry.translated_at);
        if has_started { ready_at } else { ready_at.max(self.command_free_at) }
    }

    /// The command that is selected now.
    pub(super) fn select(&self, now: BusCycle, values: &values::Mfc) -> Option<EntryId> {
        let full = [true, false].map(|is_read| self.is_full(is_read, values));
        if full == [true; 2] {
            return None;
        }
        [false, true].into_iter().find_map(|proxy| {
            let queue = self.queue(proxy);
            let no_choice = queue.holds_only(self.last_was_put);
            let mut second = None;
            for (index, entry) in queue.unrolling() {
                let action = entry.decoded.action;
                let at = self.selectable_at(entry, queue.has_started(index));
                if !full[usize::from(action != Action::Get)] && at <= now {
                    if no_choice || action.is_put() != self.last_was_put {
                        return Some(EntryId { proxy, index });
                    }
                    second = second.or(Some(EntryId { proxy, index }));
                }
            }
            second
        })
    }

    /// The oldest get and the oldest put, if they are certain to be selected: they have been selected before, and no
    /// other kind of command may be selected.
    #[inline(never)]
    pub(super) fn certain_next(&self, now: BusCycle) -> Option<[Option<u8>; 2]> {
        if self.proxy_queue.occupied() != 0 {
            return None;
        }
        let mut oldest = [None; 2];
        for (index, entry) in self.spu_queue.unrolling() {
            let place = match entry.decoded.action {
                Action::Get => &mut oldest[0],
                Action::Put => &mut oldest[1],
                _ => return None,
            };
            if place.is_none() {
                let goes_on = entry.left_bytes > 0 && entry.translated_at <= now;
                *place = (goes_on && self.spu_queue.has_started(index)).then_some(index);
                (*place)?;
            }
        }
        Some(oldest)
    }
}
