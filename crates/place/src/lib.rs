//! Finds placements of threads on cores for given traffic and costs.
//!
//! A placement gives each thread a core of its own; there may be more cores than threads.  If the cost is
//! traffic times distance, the task is a quadratic assignment ([`problem`]): [`assign()`] searches with
//! tabu moves (`tabu`), proves optimality by branch and bound (`exact`) where it can, and otherwise gives a
//! lower bound of the cost ([`bound`]).  If the cost is any other function, such as a simulated time,
//! [`search`] asks the caller for the costs of placements.
//!
//! The crate does not know what a core or a cost is, does no input or output, starts no threads, and never
//! reads the time of day.  The length of a search is a number of moves, nodes or placements; equal inputs and
//! equal seeds give equal results.

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
