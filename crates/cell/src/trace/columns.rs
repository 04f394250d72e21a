//! A trace stored by columns, for readers of large traces: its JSON text is a fifth as long as that of a trace stored
//! by rows.
//!
//! Each table is an object of arrays, one for each column. A row's `id` is its position in the table, starting at 1.
//! All strings are in one list, and columns contain indices into that list. Rounds of command phases have a separate
//! table.

use super::tables::{
    AccessRow, CallRow, CommandRow, MemoryQueueRow, ProgramRow, RequestRow, Round, StallRow, Trace, WaitRow,
};
use std::collections::HashMap;
use std::fmt::Write;

/// The strings of a trace, numbered in the order of their first use.
#[derive(Default)]
struct Words<'t> {
    numbers: HashMap<&'t str, usize>,
    list: Vec<&'t str>,
}

impl<'t> Words<'t> {
    fn number(&mut self, word: &'t str) -> usize {
        *self.numbers.entry(word).or_insert_with(|| {
            self.list.push(word);
            self.list.len() - 1
        })
    }
}

/// A value in a column.
trait Cell {
    /// Appends the value to the JSON text. Writing to a `String` cannot fail.
    fn write<'t>(&'t self, words: &mut Words<'t>, out: &mut String);
}

macro_rules! plain_cells {
    ($($type:ty),*) => {
        $(impl Cell for $type {
            fn write<'t>(&'t self, _: &mut Words<'t>, out: &mut String) {
                _ = write!(out, "{self}");
            }
        })*
    };
}
plain_cells!(u8, u32, u64, bool);

impl Cell for &str {
    fn write<'t>(&'t self, words: &mut Words<'t>, out: &mut String) {
        _ = write!(out, "{}", words.number(self));
    }
}

impl Cell for String {
    fn write<'t>(&'t self, words: &mut Words<'t>, out: &mut String) {
        _ = write!(out, "{}", words.number(self));
    }
}

impl<T: Cell> Cell for Option<T> {
    fn write<'t>(&'t self, words: &mut Words<'t>, out: &mut String) {
        match self {
            Some(value) => value.write(words, out),
            None => out.push_str("null"),
        }
    }
}

/// Appends `"name":[…]`, and a comma.
fn column<'t, C: Cell + 't>(name: &str, cells: impl Iterator<Item = &'t C>, words: &mut Words<'t>, out: &mut String) {
    _ = write!(out, "\"{name}\":[");
    for (nth, cell) in cells.enumerate() {
        if nth > 0 {
            out.push(',');
        }
        cell.write(words, out);
    }
    out.push_str("],");
}

/// Appends a table, and a comma. The macro's arguments name all fields of a row. Fields named after `but` do not
/// become columns.
macro_rules! table {
    ($name:literal, $rows:expr, $Row:ident { $($column:ident),* } but { $($other:ident),* }, $words:expr, $out:expr) => {{
        _ = |row: &$Row| { let $Row { $($column: _,)* $($other: _,)* } = row; };
        _ = write!($out, "\"{}\":{{", $name);
        $(column(stringify!($column), $rows.iter().map(|row| &row.$column), $words, $out);)*
        $out.pop();
        $out.push_str("},");
    }};
}

impl Trace {
    /// The trace as one line of JSON, with each table stored by columns.
    pub fn to_columns_json(&self) -> String {
        let Trace { programs, commands, requests, stalls, calls, accesses, memory_queues, waits, .. } = self;
        let (words, out) = (&mut Words::default(), &mut String::from("{"));
        self.head(out);
        table!("programs", programs, ProgramRow { spe, thread, started_at, stopped_at } but {}, words, out);
        table!("commands", commands, CommandRow {
            spe, queue, name, lsa, ea, size_bytes, tag, issue_spu_cycles, enqueued_at, list_fetch_at, first_request_at,
            done_at, status_spu_cycles
        } but { id }, words, out);
        table!("requests", requests, RequestRow {
            issuer, unit, kind, target, bytes, command, from, to, queued_at, crossing_at, crossed_at, ready_at, ring,
            granted_at, arrived_at, done_at, onward_of
        } but { id, rounds }, words, out);
        let rounds: Vec<(u32, &Round)> =
            requests.iter().flat_map(|row| row.rounds.iter().map(|round| (row.id, round))).collect();
        out.push_str("\"rounds\":{");
        column("request", rounds.iter().map(|(request, _)| request), words, out);
        column("issued_at", rounds.iter().map(|(_, round)| &round.issued_at), words, out);
        column("ordered_at", rounds.iter().map(|(_, round)| &round.ordered_at), words, out);
        column("responded_at", rounds.iter().map(|(_, round)| &round.responded_at), words, out);
        column("response", rounds.iter().map(|(_, round)| &round.response), words, out);
        out.pop();
        out.push_str("},");
        table!("stalls", stalls, StallRow { spe, channel, from, to } but {}, words, out);
        table!("calls", calls, CallRow { ppe, thread, name, from, to } but {}, words, out);
        table!("accesses", accesses, AccessRow { channel, write, from, to, data_at, request } but {}, words, out);
        table!("memory_queues", memory_queues, MemoryQueueRow { channel, write, at, entries } but {}, words, out);
        table!("waits", waits, WaitRow { request, from, to, reason, by } but {}, words, out);
        _ = write!(out, "\"words\":{}}}", json(&words.list));
        std::mem::take(out)
    }

    /// Appends the fields that are not tables, and a comma.
    fn head(&self, out: &mut String) {
        let head = Trace {
            machine: self.machine.clone(),
            machine_hash: self.machine_hash.clone(),
            elements: self.elements.clone(),
            rings: self.rings.clone(),
            programs: Vec::new(),
            commands: Vec::new(),
            requests: Vec::new(),
            stalls: Vec::new(),
            calls: Vec::new(),
            accesses: Vec::new(),
            memory_queues: Vec::new(),
            waits: Vec::new(),
            positions: Vec::new(),
            ..*self
        };
        let serde_json::Value::Object(fields) = serde_json::to_value(head).unwrap_or_default() else { return };
        for (name, value) in fields.iter().filter(|(_, value)| **value != serde_json::json!([])) {
            _ = write!(out, "\"{name}\":{value},");
        }
    }
}

/// The value as JSON. Serialising numbers and names cannot fail.
fn json(value: impl serde::Serialize) -> String {
    serde_json::to_string(&value).unwrap_or_default()
}
