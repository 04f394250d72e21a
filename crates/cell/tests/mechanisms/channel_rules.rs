//! Every rule in `tests/rules`, as a program: the steps' answers, and the ends of those that never answer.

use crate::common::{Check, Ran, Reports, ps3, reg_ea};
use cell::channel::{Channel, Direction};
use cell::door::Op;
use cell::error::RunError;
use cell::machine::Machine;
use toml::{Table, Value};

const TABLE: &str = concat!(
    include_str!("../rules/steps.toml"),
    include_str!("../rules/spu.toml"),
    include_str!("../rules/mfc.toml"),
    include_str!("../rules/registers.toml"),
);
const MEMORY: u64 = 0x10000;

enum Step {
    Store(u32, u32),
    Wait(u64),
    Do(Op),
    Answer(Op, u32),
    Never(Op),
}

struct Rules {
    table: Table,
    machine: Machine,
}

impl Rules {
    fn new() -> Rules {
        Rules { table: TABLE.parse().unwrap(), machine: ps3() }
    }

    fn channels(&self) -> impl Iterator<Item = &Table> {
        self.table["channel"].as_array().unwrap().iter().map(|row| row.as_table().unwrap())
    }

    /// The number that a word of the table stands for.
    fn number(&self, word: &str) -> u32 {
        let mfc = &self.machine.mfc;
        let (base, offset) = word.split_once('+').unwrap_or((word, "0"));
        let address = match base {
            "queue" => return mfc.spu_queue_entries,
            "out_mbox" => return mfc.outbound_mailbox_entries,
            "out_intr_mbox" => return mfc.outbound_interrupt_mailbox_entries,
            "own.high" | "own.low" => reg_ea(&self.machine, 0, 0),
            "memory.high" | "memory.low" => MEMORY,
            _ => {
                return word
                    .strip_prefix("0x")
                    .map_or_else(|| word.parse(), |hex| u32::from_str_radix(hex, 16))
                    .unwrap();
            }
        };
        if base.ends_with("high") { (address >> 32) as u32 } else { address as u32 + self.number(offset) }
    }

    fn channel(&self, name: &str) -> Channel {
        let row = self.channels().find(|row| row["name"].as_str() == Some(name)).expect(name);
        Channel(row["number"].as_integer().unwrap() as u8)
    }

    fn op(&self, words: &[&str]) -> Op {
        match *words {
            ["read", channel] => Op::Read(self.channel(channel)),
            ["count", channel] => Op::Count(self.channel(channel)),
            ["write", channel, value] => Op::Write(self.channel(channel), self.number(value)),
            _ => panic!("{words:?}"),
        }
    }

    /// Appends the steps of `list`, in which a name stands for the steps of that name.
    fn expand(&self, list: &Value, steps: &mut Vec<Step>) {
        for text in list.as_array().unwrap().iter().map(|step| step.as_str().unwrap()) {
            let words: Vec<&str> = text.split(' ').collect();
            steps.push(match words[..] {
                [name] => {
                    self.expand(&self.table["steps"][name], steps);
                    continue;
                }
                ["store", address, value] => Step::Store(self.number(address), self.number(value)),
                ["wait", cycles] => Step::Wait(self.number(cycles).into()),
                ["never", ..] => Step::Never(self.op(&words[1..])),
                [_, _, "=", value] => Step::Answer(self.op(&words[..2]), self.number(value)),
                _ => Step::Do(self.op(&words)),
            });
        }
    }

    /// Runs the steps of a rule.
    fn run(&self, rule: &Table) -> Result<Ran, RunError> {
        let says = rule["says"].as_str().unwrap().to_string();
        let mut steps = Vec::new();
        self.expand(&rule["steps"], &mut steps);
        let check = Check::on(&self.machine).spu(move |spu| async move {
            for (nth, step) in steps.into_iter().enumerate() {
                let perform = async |op| match op {
                    Op::Read(channel) => spu.read(channel).await,
                    Op::Count(channel) => spu.count(channel).await,
                    Op::Write(channel, value) => {
                        spu.write(channel, value).await;
                        0
                    }
                    Op::Compute(_) => 0,
                };
                match step {
                    Step::Store(address, value) => spu.ls().write_u32(address.into(), value),
                    Step::Wait(cycles) => spu.compute(cycles).await,
                    Step::Do(op) => _ = perform(op).await,
                    Step::Answer(op, value) => assert_eq!(perform(op).await, value, "{says} Step {nth}"),
                    Step::Never(op) => {
                        perform(op).await;
                        panic!("{says} The last step was answered")
                    }
                }
            }
            0
        });
        if rule.contains_key("limit") { check.limit(u64::MAX) } else { check }.result()
    }
}

#[test]
fn the_table_has_every_channel_with_its_direction_and_its_count_at_reset() {
    let rules = Rules::new();
    let known: Vec<Channel> = (0..=u8::MAX).map(Channel).filter(|channel| channel.name().is_some()).collect();
    assert_eq!(rules.channels().count(), known.len());
    for channel in known {
        let row = rules.channels().find(|row| row["number"].as_integer() == Some(channel.0.into())).expect("a row");
        assert_eq!(row["name"].as_str(), channel.name());
        let direction = if channel.direction() == Some(Direction::Read) { "read" } else { "write" };
        assert_eq!(row["access"].as_str(), Some(direction), "{channel}");
        let ran = Check::on(&rules.machine).spu(move |spu| async move { spu.count(channel).await }).run();
        assert_eq!(ran.code(0), rules.number(row["reset"].as_str().unwrap()), "{channel}");
    }
}

#[test]
fn every_rule_holds() {
    let rules = Rules::new();
    for rule in rules.channels().filter_map(|row| row.get("rule")).flat_map(|rows| rows.as_array().unwrap()) {
        let rule = rule.as_table().unwrap();
        assert!(rule.contains_key("source") || rule.contains_key("console"), "{rule}");
        let says = rule["says"].as_str().unwrap();
        let last = rule["steps"].as_array().unwrap().last().unwrap().as_str().unwrap();
        match (last.strip_prefix("never "), rules.run(rule)) {
            (None, Ok(_)) => (),
            (Some(step), Err(error)) => {
                let words: Vec<&str> = step.split(' ').collect();
                assert!(error.to_string().contains(words[1]), "{says} {error}");
            }
            (None, Err(error)) => panic!("{says} {error}"),
            (Some(_), Ok(_)) => panic!("{says} The run ended well"),
        }
    }
}

/// Loads from, or stores to, a register of an idle SPE; returns the value of a load.
fn access(machine: &Machine, offset: u32, store: bool) -> Option<u64> {
    let ea = reg_ea(machine, 0, offset);
    let reported = Reports::new();
    let reports = reported.clone();
    let ran = Check::on(machine).ppe(move |ppe| async move {
        let value = if store {
            ppe.store(ea, 4, 0).await;
            0
        } else {
            ppe.load(ea, 4).await
        };
        reports.push(value);
        0
    });
    ran.result().ok().map(|_| reported.take()[0])
}

#[test]
fn the_table_has_every_register_with_its_access_and_its_value_at_reset() {
    let rules = Rules::new();
    let rows: Vec<&Table> =
        rules.table["register"].as_array().unwrap().iter().map(|row| row.as_table().unwrap()).collect();
    let at = |row: &Table| row["offset"].as_integer().unwrap() as u32;
    let areas = rows.iter().flat_map(|row| at(row) & !0x3f..(at(row) & !0x3f) + 0x40).filter(|offset| offset % 4 == 0);
    for offset in areas {
        let row = rows.iter().find(|row| at(row) == offset);
        let granted = |kind| row.is_some_and(|row| row["access"].as_str().unwrap().contains(kind));
        let read = access(&rules.machine, offset, false);
        assert_eq!(read.is_some(), granted("read"), "{offset:#x}");
        assert_eq!(access(&rules.machine, offset, true).is_some(), granted("write"), "{offset:#x}");
        if let (Some(value), Some(row)) = (read, row) {
            assert_eq!(Some(value as i64), row["reset"].as_integer(), "{offset:#x}");
        }
    }
}
