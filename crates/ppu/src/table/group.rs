//! How groups of rows are written.

/// A group of rows that stand for one form each.
///
/// `"mnemonic", encoding, "operands", Class, file::function;`
macro_rules! rows {
    ($(#[$doc:meta])* $group:ident; $($mnemonic:literal, $encoding:expr, $operands:literal, $class:ident, $($function:ident)::+;)*) => {
        $(#[$doc])*
        pub struct $group;

        impl $group {
            /// The rows.
            pub const ROWS: &'static [Row] = &[$(
                Row { mnemonic: $mnemonic, encoding: $encoding, operands: $operands, class: Class::$class },
            )*];

            /// Their functions.
            pub const fn functions<M: Memory>() -> [Computation<M>; Self::ROWS.len()] {
                [$($($function)::+::<M>,)*]
            }
        }
    };
}

/// A group of rows that stand for two forms each: as it is, and with a dot, which records the result in condition
/// field 0 (1 for floating point, 6 for vectors).  `$dot` is the bit that says so.
macro_rules! recording {
    ($(#[$doc:meta])* $group:ident, $dot:expr; $($mnemonic:literal, $encoding:expr, $operands:literal, $class:ident, $($function:ident)::+;)*) => {
        $(#[$doc])*
        pub struct $group;

        impl $group {
            /// The rows.
            pub const ROWS: &'static [Row] = &[$(
                Row { mnemonic: $mnemonic, encoding: $encoding, operands: $operands, class: Class::$class },
                Row { mnemonic: concat!($mnemonic, "."), encoding: $encoding.but($dot), operands: $operands, class: Class::$class },
            )*];

            /// Their functions.
            pub const fn functions<M: Memory>() -> [Computation<M>; Self::ROWS.len()] {
                [$($($function)::+::<M, false>, $($function)::+::<M, true>,)*]
            }
        }
    };
}

/// A group of rows that stand for four forms each: without and with `o`, which notes overflow, and each of them without
/// and with a dot.
macro_rules! overflowing {
    ($(#[$doc:meta])* $group:ident; $($mnemonic:literal, $encoding:expr, $operands:literal, $class:ident, $($function:ident)::+;)*) => {
        $(#[$doc])*
        pub struct $group;

        impl $group {
            /// The rows.
            pub const ROWS: &'static [Row] = &[$(
                Row { mnemonic: $mnemonic, encoding: $encoding, operands: $operands, class: Class::$class },
                Row { mnemonic: concat!($mnemonic, "."), encoding: $encoding.but(RC), operands: $operands, class: Class::$class },
                Row { mnemonic: concat!($mnemonic, "o"), encoding: $encoding.but(OE), operands: $operands, class: Class::$class },
                Row { mnemonic: concat!($mnemonic, "o."), encoding: $encoding.but(OE | RC), operands: $operands, class: Class::$class },
            )*];

            /// Their functions.
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
