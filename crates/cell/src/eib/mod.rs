//! The element interconnect bus.
//!
//! ```text
//!            PPE ── SPE1 ── SPE3 ── SPE5 ── SPE7 ── IOIF1        clockwise ──>
//!             │                                       │         4 data rings of 16 bytes,
//!            MIC ── SPE0 ── SPE2 ── SPE4 ── SPE6 ── IOIF0        two each way
//! ```
//! Every transfer has two phases. In the *command phase* ([`CommandNetwork`]) the address concentrator orders the
//! commands of all elements, one per bus cycle. Every unit snoops each command, and the issuer receives the combined
//! response. In the *data phase* ([`DataNetwork`]) the element that has the data requests a ring from the arbiter, and
//! the line travels in beats. Sources: kistler2006, "Element interconnect bus"; the event list of the chip's
//! performance monitor.

mod arbiter;
mod command;
mod heads;
mod lines;
mod obstacle;
mod ramp;
mod ring;
mod topology;
mod wheel;

pub use arbiter::DataNetwork;
pub use command::{CommandNetwork, Taken};
pub use obstacle::{HeadWait, Obstacle};
pub use ramp::{DataRequest, Grant};
pub use ring::{Way, Ways, ways};
pub use topology::{Direction, Topology};
