//! The description of a parameter: its flag, its help text, its accepted words, and the reason why some FUNCTIONs lack
//! it.
//!
//! [`crate::parameters`] has the table. Python's flags, keywords, types and docstrings are generated from that table.

/// The form in which users write a parameter's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number such as `10k`, where k is 1000.
    Count,
    /// A number of bytes such as `16k`, where k is 1024.
    Bytes,
    /// A word from a fixed set.
    Word,
    /// A word from a fixed set, some of whose words are numbers.
    WordOrNumber,
    /// A time, such as `500ms`.
    Time,
    /// A bandwidth in GB/s, such as `2.5`.
    Rate,
    /// Messages, given as a pattern, a pattern's name, or a file.
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
            Kind::Rate => "rate",
            Kind::Pattern => "pattern",
            Kind::Placement => "placement",
            Kind::Switch => "switch",
        }
    }
}

/// The description of one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The form in which users write the parameter's value.
    pub kind: Kind,
    /// The parameter's flag and its alternative spellings; empty if the parameter is set by another parameter's flag.
    pub flags: &'static [&'static str],
    /// Placeholder for the value in help.
    pub metavar: &'static str,
    /// Text of `--help`.
    pub help: &'static str,
    /// Documentation of the keyword for a simulated Cell; empty if only the host has the parameter.
    pub cell: &'static str,
    /// Documentation of the keyword for the host; empty if the host lacks the parameter.
    pub host: &'static str,
    /// Default word.
    pub default: Option<&'static str>,
    /// The smallest number that the reader accepts.
    pub least: u64,
    /// Accepted words on a simulated Cell.
    pub words: &'static [&'static str],
    /// Accepted words on the host.
    pub host_words: &'static [&'static str],
    /// Label of the parameter's field on a page, if it differs from the parameter's name.
    pub label: Option<&'static str>,
    /// Labels of the accepted words on a page, if these differ from the words.
    pub word_labels: &'static [&'static str],
    /// Name of the parameter's column in a result, if it differs from the parameter's name.
    pub column: Option<&'static str>,
    /// Whether `a..b` in a sweep means a, 2a, 4a …; otherwise `a..b` means every number.
    pub doubles: bool,
    /// The usual reason why some FUNCTIONs lack the parameter, or `None` if every FUNCTION has the parameter.
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
            label: None,
            word_labels: &[],
            column: None,
            doubles: true,
            why_not: None,
        }
    }

    /// The row of a parameter that appears only in refusals.
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

    /// A parameter of the given kind whose value is not a number.
    pub const fn text(
        kind: Kind,
        flags: &'static [&'static str],
        metavar: &'static str,
        help: &'static str,
        words: &'static [&'static str],
    ) -> Row {
        Row { words, host_words: words, ..Row::new(kind, flags, metavar, help) }
    }

    /// Adds the documentation for the host.
    pub const fn host(self, host: &'static str) -> Row {
        Row { host, ..self }
    }

    /// Sets the words accepted on the host.
    pub const fn host_words(self, host_words: &'static [&'static str]) -> Row {
        Row { host_words, ..self }
    }

    /// Sets the default word.
    pub const fn default(self, default: &'static str) -> Row {
        Row { default: Some(default), ..self }
    }

    /// Allows the number 0.
    pub const fn from_zero(self) -> Row {
        Row { least: 0, ..self }
    }

    /// Sets the label of the parameter's field on a page.
    pub const fn label(self, label: &'static str) -> Row {
        Row { label: Some(label), ..self }
    }

    /// Sets the labels of the accepted words on a page.
    pub const fn word_labels(self, word_labels: &'static [&'static str]) -> Row {
        Row { word_labels, ..self }
    }

    /// Names the column.
    pub const fn column(self, column: &'static str) -> Row {
        Row { column: Some(column), ..self }
    }

    /// Makes a range in a sweep include every number.
    pub const fn every_number(self) -> Row {
        Row { doubles: false, ..self }
    }

    /// Sets the reason why some FUNCTIONs lack the parameter.
    pub const fn why_not(self, why_not: &'static str) -> Row {
        Row { why_not: Some(why_not), ..self }
    }
}

/// Declares all parameters: the enum `Parameter`, the struct `Parameters`, and functions that read and show them.
macro_rules! parameters {
    (
        cell { $($(#[doc = $doc:literal])* $variant:ident $name:ident: $type:ty = $row:expr;)* }
        host { $($host:ident $host_name:ident = $host_row:expr;)* }
        names { $($(#[doc = $only_doc:literal])* $only:ident $only_name:ident;)* }
    ) => {
        /// A parameter, whose name is the keyword in the Python package and the key in a request.
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
            /// Reads a parameter, or returns `None` if measurements on simulated machines lack the parameter.
            pub fn read(&mut self, parameter: Parameter, given: Given) -> Option<Result<(), Refusal>> {
                match parameter {
                    $(Parameter::$variant => Some(Readable::read(given).map(|value| self.$name = value)),)*
                    _ => None,
                }
            }

            /// Every parameter that was given, with the value to show.
            pub fn asked(&self) -> impl Iterator<Item = (Parameter, String)> {
                let all = [$((Parameter::$variant, self.$name.shown())),*];
                all.into_iter().filter_map(|(parameter, value)| Some((parameter, value?)))
            }

            /// The parameters of a recipe, keyed by column name. Omits `cells`, which the placement implies,
            /// `fast_forward`, which changes no result, and `settle`, `rate` and `injection` unless they are given.
            pub fn recipe(&self) -> serde_json::Map<String, Value> {
                let all = [$((Parameter::$variant, self.$name.recipe())),*];
                let decisive = |(parameter, _): &_| match parameter {
                    Parameter::Cells | Parameter::FastForward => false,
                    Parameter::Settle => self.settle,
                    Parameter::Rate | Parameter::Injection => self.rate.is_some(),
                    _ => true,
                };
                let decisive = all.into_iter().filter(decisive);
                decisive.map(|(parameter, value)| (parameter.column().to_string(), value)).collect()
            }
        }
    };
}
pub(crate) use parameters;
