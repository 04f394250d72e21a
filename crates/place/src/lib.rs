//! Finds placements of threads on cores for given traffic and costs.
//!
//! A placement assigns each thread to a separate core; there may be more cores than threads. If the cost is traffic
//! times distance, the task is a quadratic assignment ([`problem`]). For this task, [`assign()`] runs a tabu search
//! (`tabu`), then branch and bound (`exact`). If branch and bound finishes, the placement is proven optimal;
//! otherwise, [`assign()`] returns a lower bound on the cost ([`bound`]). If the cost is any other function, such as a
//! simulated time, [`search`] asks the caller for the costs of placements.
//!
//! The crate does not know what a core or a cost is, does no input or output, starts no threads, and never
//! reads the time of day. Search lengths are numbers of moves, nodes or placements, so equal inputs and seeds give
//! equal results.

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
