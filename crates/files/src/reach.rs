//! How far a program may reach.

use std::str::FromStr;

/// How far a program may reach into the files of the user: what `--files` chooses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Reach {
    /// No file of the user, but standard streams.
    None,
    /// The current directory and what is below it.
    #[default]
    Cwd,
    /// Whatever the user may.
    All,
}

impl Reach {
    /// Every choice, by its name.
    pub const NAMES: [(&'static str, Reach); 3] = [("none", Reach::None), ("cwd", Reach::Cwd), ("all", Reach::All)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Reach::None => "none",
            Reach::Cwd => "cwd",
            Reach::All => "all",
        }
    }
}

impl FromStr for Reach {
    type Err = String;

    fn from_str(name: &str) -> Result<Reach, String> {
        let found = Reach::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, reach)| *reach).ok_or_else(|| format!("files: `{name}` is not one of none, cwd, all"))
    }
}
