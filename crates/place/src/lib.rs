//! Threads onto cores: traffic and a cost in, a placement out.
//!
//! A placement gives each thread a core of its own; there may be more cores than threads.  Where the
//! cost is traffic times distance it is a quadratic assignment ([`problem`]): [`assign()`] searches with
//! tabu moves (`tabu`), proves what it can by branch and bound (`exact`), and says how far from the
//! optimum the rest may be ([`bound`]).  Where the cost is only a function, such as a simulated
//! time, [`search`] asks for the costs of placements and is told them.
//!
//! Nothing here knows what a core or a cost is, does input or output, starts a thread, or asks for the
//! time of day.  How long to search is a number of moves, nodes or placements; equal inputs and equal
//! seeds give equal answers.

pub mod assign;
pub mod bound;
mod exact;
mod matching;
pub mod problem;
mod random;
pub mod search;
mod symmetry;
mod tabu;
mod watch;

pub use assign::{Effort, assign};
pub use problem::{Assignment, Problem};
