//! Who the process is, and on what kernel it thinks that it runs.

/// Number of the user, and of the group.
///
/// MODEL: programs run as the first user of a computer, whoever starts them.
pub const USER: u32 = 1000;
