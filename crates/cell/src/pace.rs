//! The pace of a measured loop: when its program reached certain points of the loop.
//!
//! ```text
//!   marks of the loop   0  w  2w    4w        8w              16w              24w              32w
//!                       ├──┼──┼─────┼─────────┼────────────────┼────────────────┼────────────────┤
//!                     first                                                                    last
//! ```
//! All times are SPU cycles since the start of the run, including skipped cycles. A mark begins an iteration, or a part
//! of a tour (see [`crate::door`]).

use crate::units::SpuCycles;

/// The points at which a pace is noted, as parts of [`PARTS`] of the loop.
const POINTS: [u64; 8] = [0, 1, 2, 4, 8, 16, 24, 32];
const PARTS: u64 = 32;

/// A part of a loop, in parts of 32.
pub type Part = (u64, u64);
/// The part whose pace is compared with that of [`SETTLED`]. Start-up lies before it.
pub const BEFORE: Part = (1, 2);
/// The part in which the pace of a loop may have settled.
pub const SETTLED: Part = (2, 4);
/// The first quarter of a loop.
pub const FIRST_QUARTER: Part = (0, 8);
/// The last quarter of a loop.
pub const LAST_QUARTER: Part = (24, 32);

/// When a program reached each point of its measured loop.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Pace {
    /// Number of marks in the loop.
    pub marks: u64,
    /// The points that the program has reached.
    points: Vec<Point>,
    /// Number of marks at the next point.
    next: u64,
}

/// A point of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// Number of marks made before. Where iterations were skipped, the number may be larger than that of the point.
    pub done: u64,
    /// When the program made the next mark.
    pub at: SpuCycles,
}

impl Pace {
    /// The program has made a mark. Returns true if the mark reached a point.
    #[inline]
    pub(crate) fn marked(&mut self, remaining: u64, at: SpuCycles) -> bool {
        if self.points.is_empty() {
            self.marks = remaining;
        }
        let done = self.marks.saturating_sub(remaining);
        let reached = done >= self.next;
        if reached {
            self.reached(Point { done, at });
        }
        reached
    }

    #[cold]
    fn reached(&mut self, point: Point) {
        // A skip may pass several points at once, and a short loop has several points in one mark.
        // The last mark begins the last iteration.
        let of_point = |nth: usize| POINTS.get(nth).map(|part| (self.marks * part / PARTS).min(self.marks - 1));
        let mut reached = self.points.len();
        while of_point(reached).is_some_and(|marks| point.done >= marks) {
            reached += 1;
        }
        self.next = of_point(reached).unwrap_or(u64::MAX);
        self.points.resize(reached, point);
    }

    /// The point after this part of the loop, in parts of 32, or `None` if the program has not reached it.
    pub fn after(&self, part: u64) -> Option<Point> {
        let nth = POINTS.iter().position(|known| *known == part)?;
        self.points.get(nth).copied()
    }

    /// Marks and SPU cycles of a part, or `None` if there are none or the part is not over.
    pub fn of(&self, (from, to): Part) -> Option<(u64, SpuCycles)> {
        let (from, to) = (self.after(from)?, self.after(to)?);
        (to.done > from.done && to.at > from.at).then(|| (to.done - from.done, to.at - from.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(marks: impl IntoIterator<Item = (u64, SpuCycles)>) -> Pace {
        let mut pace = Pace::default();
        marks.into_iter().for_each(|(remaining, at)| _ = pace.marked(remaining, at));
        pace
    }

    #[test]
    fn points_are_noted_at_their_marks_and_at_no_others() {
        let pace = pace((0..64).map(|done| (64 - done, 100 + 10 * done)));
        let noted: Vec<_> = POINTS.iter().filter_map(|part| pace.after(*part)).map(|point| point.done).collect();
        assert_eq!((pace.marks, noted), (64, vec![0, 2, 4, 8, 16, 32, 48, 63]));
        assert_eq!(pace.of((2, 4)), Some((4, 40)));
        assert_eq!(pace.after(3), None, "not a point");
    }

    #[test]
    fn a_loop_under_way_lacks_its_later_points() {
        let pace = pace((0..8).map(|done| (64 - done, 100 + 10 * done)));
        assert_eq!((pace.after(2).map(|point| point.done), pace.after(4)), (Some(4), None));
    }

    #[test]
    fn a_skip_reaches_all_points_that_it_passes() {
        let pace = pace([(64, 100), (63, 110), (3, 900)]);
        assert_eq!(pace.after(1), Some(Point { done: 61, at: 900 }));
        assert_eq!((pace.of((1, 16)), pace.after(32)), (None, None));
    }

    #[test]
    fn a_loop_of_one_iteration_has_one_point() {
        let pace = pace([(1, 100)]);
        assert_eq!(pace.after(32), Some(Point { done: 0, at: 100 }));
        assert_eq!(pace.of((0, 32)), None);
    }
}
