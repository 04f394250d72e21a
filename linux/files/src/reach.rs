//! The files of the user that a program may reach.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The choices of `--files`: which of the user's files a program may access.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Reach {
    /// No files of the user; only the standard streams.
    None,
    /// The current directory and everything below it.
    #[default]
    Cwd,
    /// All files that the user may access.
    All,
}

impl Reach {
    /// All choices with their names.
    pub const NAMES: [(&'static str, Reach); 3] = [("none", Reach::None), ("cwd", Reach::Cwd), ("all", Reach::All)];

    /// Name of the choice.
    pub fn name(self) -> &'static str {
        match self {
            Reach::None => "none",
            Reach::Cwd => "cwd",
            Reach::All => "all",
        }
    }
}

/// A word that is no choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownReach(String);

impl Display for UnknownReach {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "files: `{}` is not one of none, cwd, all", self.0)
    }
}

impl Error for UnknownReach {}

impl FromStr for Reach {
    type Err = UnknownReach;

    fn from_str(name: &str) -> Result<Reach, UnknownReach> {
        let found = Reach::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, reach)| *reach).ok_or_else(|| UnknownReach(name.to_string()))
    }
}
