//! What there is to know of a parameter: its name, its flag, its help, and where it has no meaning.
//!
//! [`crate::parameters`] has the table.  Python's table of flags, its keywords with their types and the texts about
//! them are made of it.

/// How people write a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number, in units of 1000: `10k`.
    Count,
    /// A number of bytes, in units of 1024: `16k`.
    Bytes,
    /// One of some words.
    Word,
    /// One of some words, some of which are numbers.
    WordOrNumber,
    /// A time, such as `500ms`.
    Time,
    /// Messages: the name of a pattern, a pattern, or a file.
    Pattern,
    /// SPEs or CPUs: a list, or a name.
    Placement,
    /// On or off.
    Switch,
}

impl Kind {
    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Count => "count",
            Kind::Bytes => "bytes",
            Kind::Word => "word",
            Kind::WordOrNumber => "word or number",
            Kind::Time => "time",
            Kind::Pattern => "pattern",
            Kind::Placement => "placement",
            Kind::Switch => "switch",
        }
    }
}

/// One parameter, as people meet it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// How its value is written.
    pub kind: Kind,
    /// Its flag, and other spellings of it; none if another flag stands for it.
    pub flags: &'static [&'static str],
    /// What stands for its value in help.
    pub metavar: &'static str,
    /// What `--help` says.
    pub help: &'static str,
    /// What the documentation of the keyword says on a simulated Cell, where that differs from its field's; nothing if
    /// only the host has the parameter.
    pub cell: &'static str,
    /// The same on the host; nothing if the host lacks the parameter.
    pub host: &'static str,
    /// The word that is meant if none is given.
    pub default: Option<&'static str>,
    /// The smallest number that is not refused at once.
    pub least: u64,
    /// Its words on a simulated Cell.
    pub words: &'static [&'static str],
    /// Its words on the host.
    pub host_words: &'static [&'static str],
    /// The column of a result, where it has another name.
    pub column: Option<&'static str>,
    /// In a sweep, `a..b` means a, 2a, 4a … and not every number.
    pub doubles: bool,
    /// Why a FUNCTION lacks it, unless its family gives another reason; none if every FUNCTION has it.
    pub why_not: Option<&'static str>,
}

impl Row {
    const fn new(kind: Kind, flags: &'static [&'static str], metavar: &'static str, help: &'static str) -> Row {
        Row {
            kind,
            flags,
            metavar,
            help,
            cell: "",
            host: "",
            default: None,
            least: 1,
            words: &[],
            host_words: &[],
            column: None,
            doubles: true,
            why_not: None,
        }
    }

    /// A parameter that is only a name, for refusals.
    pub const fn name_only() -> Row {
        Row::new(Kind::Switch, &[], "", "")
    }

    /// A switch.
    pub const fn switch(flags: &'static [&'static str], help: &'static str) -> Row {
        Row::new(Kind::Switch, flags, "", help)
    }

    /// A number.
    pub const fn count(flags: &'static [&'static str], metavar: &'static str, help: &'static str) -> Row {
        Row::new(Kind::Count, flags, metavar, help)
    }

    /// A number of bytes.
    pub const fn bytes(flags: &'static [&'static str], metavar: &'static str, help: &'static str) -> Row {
        Row::new(Kind::Bytes, flags, metavar, help)
    }

    /// Anything that is no number.
    pub const fn text(
        kind: Kind,
        flags: &'static [&'static str],
        metavar: &'static str,
        help: &'static str,
        words: &'static [&'static str],
    ) -> Row {
        Row { words, host_words: words, ..Row::new(kind, flags, metavar, help) }
    }

    /// The same, and the host has the parameter, too: what it means there.
    pub const fn host(self, host: &'static str) -> Row {
        Row { host, ..self }
    }

    /// The same with these words on the host.
    pub const fn host_words(self, host_words: &'static [&'static str]) -> Row {
        Row { host_words, ..self }
    }

    /// The same with this word as its default.
    pub const fn default(self, default: &'static str) -> Row {
        Row { default: Some(default), ..self }
    }

    /// The same with 0 as its smallest number.
    pub const fn from_zero(self) -> Row {
        Row { least: 0, ..self }
    }

    /// The same, shown in a column of this name.
    pub const fn column(self, column: &'static str) -> Row {
        Row { column: Some(column), ..self }
    }

    /// The same, whose ranges in a sweep are every number.
    pub const fn every_number(self) -> Row {
        Row { doubles: false, ..self }
    }

    /// The same, and not every FUNCTION has the parameter.
    pub const fn why_not(self, why_not: &'static str) -> Row {
        Row { why_not: Some(why_not), ..self }
    }
}

/// Declares the parameters: `Parameter`, their names, `Parameters`, and how these are read and shown.
macro_rules! parameters {
    (
        cell { $($(#[doc = $doc:literal])* $variant:ident $name:ident: $type:ty = $row:expr;)* }
        host { $($host:ident $host_name:ident = $host_row:expr;)* }
        names { $($(#[doc = $only_doc:literal])* $only:ident $only_name:ident;)* }
    ) => {
        /// One parameter; its name is the keyword of the Python package and the key of a request.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)] // The rows describe them.
        pub enum Parameter {
            $($(#[doc = $doc])* $variant,)*
            $($host,)*
            $($(#[doc = $only_doc])* $only,)*
        }

        impl From<Parameter> for &'static str {
            fn from(parameter: Parameter) -> &'static str {
                parameter.name()
            }
        }

        impl Parameter {
            /// All parameters, with their names and rows.
            pub const ALL: &[(Parameter, &str, Row)] = &[
                $((Parameter::$variant, stringify!($name), Row { cell: concat!($($doc),*), ..$row }),)*
                $((Parameter::$host, stringify!($host_name), $host_row),)*
                $((Parameter::$only, stringify!($only_name), Row::name_only()),)*
            ];
        }

        /// The parameters of one measurement; words are checked where they are read.
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
        pub struct Parameters {
            $($(#[doc = $doc])* pub $name: $type,)*
        }

        impl Parameters {
            /// Reads a parameter; `None` if no measurement on a simulated machine has it.
            pub fn read(&mut self, parameter: Parameter, given: Given) -> Option<Result<(), Refusal>> {
                match parameter {
                    $(Parameter::$variant => Some(Readable::read(given).map(|value| self.$name = value)),)*
                    _ => None,
                }
            }

            /// Every parameter that asks for something, with the value to show.
            fn asked(&self) -> impl Iterator<Item = (Parameter, String)> {
                let all = [$((Parameter::$variant, self.$name.shown())),*];
                all.into_iter().filter_map(|(parameter, value)| Some((parameter, value?)))
            }

            /// All parameters by the names of their columns, as a recipe has them; a placement says which Cells, and
            /// fast-forward changes no result.
            pub fn recipe(&self) -> serde_json::Map<String, Value> {
                let all = [$((Parameter::$variant, self.$name.recipe())),*];
                let decisive = |(parameter, _): &_| !matches!(parameter, Parameter::Cells | Parameter::FastForward);
                let decisive = all.into_iter().filter(decisive);
                decisive.map(|(parameter, value)| (parameter.column().to_string(), value)).collect()
            }
        }
    };
}
pub(crate) use parameters;
