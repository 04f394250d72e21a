//! The data rings: what no transfer may do, who is granted when, and the fast arbiter beside the
//! obvious one.

#[path = "../common/mod.rs"]
mod common;

mod arbitration;
mod checker;
mod fairness;
mod obstacles;
mod oracle;
mod traffic;
