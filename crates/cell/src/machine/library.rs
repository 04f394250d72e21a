//! The built-in machine files, and a function that merges a file with its base.

use super::error::{MachineError, did_you_mean};
use super::read::read;
use super::schema::Values;
use super::sections::fields;
use super::value::Value;

/// A machine file that comes with the simulator.
pub(super) struct Shipped {
    pub name: &'static str,
    /// The file's name for use in messages.
    pub origin: &'static str,
    pub text: &'static str,
}

/// The files in `machines/`. The last file is only a base for other files: its machine has no memory and no operating
/// system.
pub(super) const LIBRARY: [Shipped; 6] = [
    Shipped { name: "ps3", origin: "ps3.toml", text: include_str!("../../../../machines/ps3.toml") },
    Shipped {
        name: "ps3-devkit",
        origin: "ps3-devkit.toml",
        text: include_str!("../../../../machines/ps3-devkit.toml"),
    },
    Shipped {
        name: "eval-board",
        origin: "eval-board.toml",
        text: include_str!("../../../../machines/eval-board.toml"),
    },
    Shipped { name: "qs20", origin: "qs20.toml", text: include_str!("../../../../machines/qs20.toml") },
    Shipped {
        name: "blade-2100",
        origin: "blade-2100.toml",
        text: include_str!("../../../../machines/blade-2100.toml"),
    },
    Shipped { name: "cell-be", origin: "cell-be.toml", text: include_str!("../../../../machines/cell-be.toml") },
];

/// Names of those machines in `machines/` that are complete.
pub(super) const COMPLETE: &[&str] = &["ps3", "ps3-devkit", "eval-board", "qs20", "blade-2100"];

/// Returns the text `the known ones are …`, followed by the name that is most similar to `name` if there is a similar
/// name.
pub(super) fn known_machines(name: &str, known: &[&str]) -> String {
    let hint = did_you_mean(name, known.iter().copied()).unwrap_or_default();
    format!("the known ones are {}{hint}", known.join(", "))
}

/// A complete set of values, from a file and its bases.
pub(super) struct Assembled {
    pub name: Option<String>,
    pub description: Option<String>,
    pub values: Values,
}

/// Reads `text` and merges it with its base from `library`, with the base of that base, and so on.
pub(super) fn assemble(text: &str, origin: &str, library: &[Shipped]) -> Result<Assembled, MachineError> {
    let top = read(text, origin)?;
    let mut values = top.values;
    let mut base = top.base;
    let mut visited: Vec<String> = Vec::new();
    while let Some(name) = base {
        let error = |message: String| MachineError::new(origin, None, "base", message);
        let circle = visited.contains(&name);
        visited.push(name.clone());
        if circle {
            return Err(error(format!("is a cycle: {}", visited.join(", "))));
        }
        let Some(shipped) = library.iter().find(|shipped| shipped.name == name) else {
            let known: Vec<_> = library.iter().map(|shipped| shipped.name).collect();
            let known = known_machines(&name, &known);
            return Err(error(format!("unknown machine {name:?}; {known}")));
        };
        let layer = read(shipped.text, shipped.origin)?;
        for (key, value) in layer.values {
            values.entry(key).or_insert(Value { base: Some(shipped.name), ..value });
        }
        base = layer.base;
    }
    complete(&values, origin)?;
    Ok(Assembled { name: top.name, description: top.description, values })
}

/// Checks that every field of the schema has a value.
fn complete(values: &Values, origin: &str) -> Result<(), MachineError> {
    const SHOWN: usize = 5;
    let missing: Vec<_> = fields().map(|field| field.key).filter(|key| !values.contains_key(key)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let shown = missing[..missing.len().min(SHOWN)].join(", ");
    let more = match missing.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "no value for {shown}{more}; add what is missing, or take the rest from a known machine \
         with base = \"ps3\""
    );
    Err(MachineError::new(origin, None, "", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_in_a_circle_are_refused() {
        let library = [
            Shipped { name: "a", origin: "a.toml", text: "base = 'b'" },
            Shipped { name: "b", origin: "b.toml", text: "base = 'a'" },
        ];
        let error = assemble("base = 'a'", "mine.toml", &library).err().expect("a circle");
        assert_eq!(error.to_string(), "mine.toml: base: is a cycle: a, b, a");
    }
}
