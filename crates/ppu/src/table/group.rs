//! Macros that define groups of table rows.

/// Defines a group of rows, each for one form of an instruction.
///
/// `"mnemonic", encoding, "operands", Class, file::function;`
macro_rules! rows {
    ($(#[$doc:meta])* $group:ident; $($mnemonic:literal, $encoding:expr, $operands:literal, $class:ident, $($function:ident)::+;)*) => {
        $(#[$doc])*
        pub struct $group;

        impl $group {
            /// The rows of the group.
            pub const ROWS: &'static [Row] = &[$(
                Row { mnemonic: $mnemonic, encoding: $encoding, operands: $operands, class: Class::$class },
            )*];

            /// The functions of the rows.
            pub const fn functions<M: Memory>() -> [Computation<M>; Self::ROWS.len()] {
                [$($($function)::+::<M>,)*]
            }
        }
    };
}

/// Defines a group of rows, each for two forms of an instruction: without and with a dot. A form with a dot records its
/// result in condition field 0 (1 for floating point, 6 for vectors). `$dot` is the instruction bit that selects the
/// dotted form.
macro_rules! recording {
    ($(#[$doc:meta])* $group:ident, $dot:expr; $($mnemonic:literal, $encoding:expr, $operands:literal, $class:ident, $($function:ident)::+;)*) => {
        $(#[$doc])*
        pub struct $group;

        impl $group {
            /// The rows of the group.
            pub const ROWS: &'static [Row] = &[$(
                Row { mnemonic: $mnemonic, encoding: $encoding, operands: $operands, class: Class::$class },
                Row { mnemonic: concat!($mnemonic, "."), encoding: $encoding.with($dot), operands: $operands, class: Class::$class },
            )*];

            /// The functions of the rows.
            pub const fn functions<M: Memory>() -> [Computation<M>; Self::ROWS.len()] {
                [$($($function)::+::<M, false>, $($function)::+::<M, true>,)*]
            }
        }
    };
}

/// Defines a group of rows, each for four forms of an instruction: with or without `o` (which sets the overflow bit),
/// and with or without a dot.
macro_rules! overflowing {
    ($(#[$doc:meta])* $group:ident; $($mnemonic:literal, $encoding:expr, $operands:literal, $class:ident, $($function:ident)::+;)*) => {
        $(#[$doc])*
        pub struct $group;

        impl $group {
            /// The rows of the group.
            pub const ROWS: &'static [Row] = &[$(
                Row { mnemonic: $mnemonic, encoding: $encoding, operands: $operands, class: Class::$class },
                Row { mnemonic: concat!($mnemonic, "."), encoding: $encoding.with(RC), operands: $operands, class: Class::$class },
                Row { mnemonic: concat!($mnemonic, "o"), encoding: $encoding.with(OE), operands: $operands, class: Class::$class },
                Row { mnemonic: concat!($mnemonic, "o."), encoding: $encoding.with(OE | RC), operands: $operands, class: Class::$class },
            )*];

            /// The functions of the rows.
            pub const fn functions<M: Memory>() -> [Computation<M>; Self::ROWS.len()] {
                [$(
                    $($function)::+::<M, false, false>,
                    $($function)::+::<M, false, true>,
                    $($function)::+::<M, true, false>,
                    $($function)::+::<M, true, true>,
                )*]
            }
        }
    };
}

pub(super) use {overflowing, recording, rows};
