//! Optional software and hardware that some tests need. `workshop/parts.toml` lists the optional parts for both Rust and
//! Python tests.

use std::path::Path;
use toml::{Table, Value};

const PARTS: &str = include_str!("../../../workshop/parts.toml");

/// Whether the computer has an optional part, determined by the same rules as in `workshop/parts.py`. With
/// CELLSTATS_PARTS=all, a missing part is an error.
pub fn is_there(name: &str) -> bool {
    let parts: Table = PARTS.parse().expect("workshop/parts.toml is TOML");
    let part = parts[name].as_table().expect("a part is a table");
    let there = strings(part, "commands").all(|either| either.split('|').any(is_on_the_path))
        && strings(part, "files").all(|file| Path::new(file).exists());
    let all_wanted = std::env::var_os("CELLSTATS_PARTS").is_some_and(|wanted| wanted == "all");
    assert!(there || !all_wanted, "needs {}: {}", part["what"], part["install"]);
    if !there {
        eprintln!("left out: needs {}", part["what"]);
    }
    there
}

fn strings<'a>(part: &'a Table, key: &str) -> impl Iterator<Item = &'a str> {
    part.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn is_on_the_path(command: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(command).is_file()))
}
