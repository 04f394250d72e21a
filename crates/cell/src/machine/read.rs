//! Reads the text of one machine file, and checks each value against the schema.

use std::ops::Range;

use toml::de::{DeInteger, DeTable, DeValue};

use super::error::{MachineError, Position, did_you_mean};
use super::schema::{Field, Section, Shape, Values};
use super::sections::{SECTIONS, fields};
use super::value::{Basis, Payload, Value};

type Entry<'a> = (&'a str, Range<usize>, &'a DeValue<'a>);

/// The contents of one machine file. If the file names a base, the remaining values come from the base.
#[derive(Default)]
pub(super) struct Layer {
    pub name: Option<String>,
    pub description: Option<String>,
    pub base: Option<String>,
    pub values: Values,
}

/// Reads `text`. If there are several errors, returns the one that comes first in the file.
pub(super) fn read(text: &str, origin: &str) -> Result<Layer, MachineError> {
    let reader = Reader { text, origin };
    let document = DeTable::parse(text).map_err(|error| reader.syntax(&error))?;
    let mut layer = Layer::default();
    for (key, span, value) in in_order(document.get_ref()) {
        match key {
            "name" => layer.name = Some(reader.line(key, value, &span)?),
            "description" => layer.description = Some(reader.string(key, value, &span)?),
            "base" => layer.base = Some(reader.string(key, value, &span)?),
            _ => reader.section(key, value, &span, &mut layer.values)?,
        }
    }
    Ok(layer)
}

/// Returns the entries of a table in the order in which they appear in the file.
fn in_order<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry> =
        table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), value.get_ref())).collect();
    entries.sort_by_key(|(_, span, _)| span.start);
    entries
}

/// The text of the file, and the file's name for use in messages.
struct Reader<'a> {
    text: &'a str,
    origin: &'a str,
}

impl Reader<'_> {
    fn error(&self, key: &str, span: &Range<usize>, message: impl Into<String>) -> MachineError {
        let position = Position::line(self.text, span.start);
        MachineError::new(self.origin, Some(position), key, message)
    }

    fn syntax(&self, error: &toml::de::Error) -> MachineError {
        let position = error.span().map(|span| Position::line_and_column(self.text, span.start));
        let message = format!("not valid TOML: {}", error.message().replace('\n', ", "));
        MachineError::new(self.origin, position, "", message)
    }

    /// Reads a string that may appear in one-line messages and therefore contains no control characters.
    fn line(&self, key: &str, value: &DeValue, span: &Range<usize>) -> Result<String, MachineError> {
        let line = self.string(key, value, span)?;
        match line.chars().find(|letter| letter.is_control()) {
            // A terminal would interpret a control character.
            Some(letter) => {
                let code = u32::from(letter);
                Err(self.error(key, span, format!("has the control character U+{code:04X}; must be one line of text")))
            }
            None => Ok(line),
        }
    }

    fn string(&self, key: &str, value: &DeValue, span: &Range<usize>) -> Result<String, MachineError> {
        match value.as_str() {
            Some(string) if !string.trim().is_empty() => Ok(string.to_string()),
            Some(_) => Err(self.error(key, span, "is empty; must say something")),
            None => Err(self.error(key, span, format!("is {}; must be a string", type_of(value)))),
        }
    }

    fn section(
        &self,
        name: &str,
        value: &DeValue,
        span: &Range<usize>,
        values: &mut Values,
    ) -> Result<(), MachineError> {
        let Some(section) = SECTIONS.iter().find(|section| section.name == name) else {
            return Err(self.error(name, span, unknown_section(name)));
        };
        let Some(table) = value.as_table() else {
            let message = format!("is {}; must be a section, [{name}]", type_of(value));
            return Err(self.error(name, span, message));
        };
        for (key, span, entry) in in_order(table) {
            let Some(field) = section.fields.iter().find(|field| field.name == key) else {
                let key = format!("{name}.{key}");
                return Err(self.error(&key, &span, unknown_key(&key, section)));
            };
            values.insert(field.key, self.value(field, entry, &span)?);
        }
        Ok(())
    }

    fn value(&self, field: &'static Field, entry: &DeValue, span: &Range<usize>) -> Result<Value, MachineError> {
        let error = |message: String| self.error(field.key, span, message);
        let Some(table) = entry.as_table() else {
            return payload(field, entry).map(|payload| mine(field, payload)).map_err(error);
        };
        const PARTS: [&str; 6] = ["value", "unit", "basis", "range", "interval", "source"];
        for (key, span, _) in in_order(table) {
            if !PARTS.contains(&key) {
                let hint = did_you_mean(key, PARTS).unwrap_or_else(|| format!("; the keys are {}", PARTS.join(", ")));
                return Err(self.error(field.key, &span, format!("unknown key {key}{hint}")));
            }
        }
        let part = |name: &str| table.get(name).map(|part| part.get_ref());
        let string = |name: &str| match part(name) {
            Some(value) => self.string(&format!("{}: {name}", field.key), value, span),
            None => Err(error(format!("has no {name}; must be {}", template(field)))),
        };

        let value = part("value").ok_or_else(|| error(format!("has no value; must be {}", template(field))))?;
        let payload = payload(field, value).map_err(error)?;
        let unit = string("unit")?;
        if unit != field.unit {
            return Err(error(format!("unit is {unit:?}; must be {:?}", field.unit)));
        }
        let basis = basis(&string("basis")?).map_err(error)?;
        let source = string("source")?;
        let range = range(field, basis, &payload, part("range")).map_err(error)?;
        let interval = interval(basis, &payload, range, part("interval")).map_err(error)?;
        let (key, unit, doc) = (field.key, field.unit, field.doc.trim());
        Ok(Value { key, unit, basis, range, interval, source, doc, base: None, payload })
    }
}

/// The value of a setting, whose key and text are given.
pub(super) fn chosen(key: &str, text: &str, origin: &str) -> Result<Value, MachineError> {
    let error = |message: String| MachineError::new(origin, None, key, message);
    let Some(field) = fields().find(|field| field.key == key) else {
        let hint = did_you_mean(key, fields().map(|field| field.key));
        let hint = hint.unwrap_or_else(|| "; `cellstats machine show` lists them".to_string());
        return Err(error(format!("unknown key{hint}")));
    };
    let document = format!("value = {text}");
    let entries = DeTable::parse(&document).ok().filter(|table| table.get_ref().len() == 1);
    let Some(value) = entries.as_ref().and_then(|table| table.get_ref().get("value")) else {
        let found = if text.is_empty() { "missing" } else { text };
        return Err(error(format!("value is {found}; must be {}", field.shape.describe())));
    };
    payload(field, value.get_ref()).map(|payload| mine(field, payload)).map_err(error)
}

/// A value without a source, which its user has chosen.
fn mine(field: &'static Field, payload: Payload) -> Value {
    let (key, unit, doc) = (field.key, field.unit, field.doc.trim());
    let source = "chosen by the user".to_string();
    Value { key, unit, basis: Basis::Mine, range: None, interval: None, source, doc, base: None, payload }
}

fn unknown_section(name: &str) -> String {
    let names = || SECTIONS.iter().map(|section| section.name);
    let top = ["name", "description", "base"];
    let hint = did_you_mean(name, names().chain(top))
        .unwrap_or_else(|| format!("; the sections are {}", names().collect::<Vec<_>>().join(", ")));
    format!("unknown section{hint}")
}

fn unknown_key(key: &str, section: &Section) -> String {
    let hint = did_you_mean(key, fields().map(|field| field.key));
    let hint = hint.unwrap_or_else(|| {
        let names: Vec<_> = section.fields.iter().map(|field| field.name).collect();
        format!("; the keys of [{}] are {}", section.name, names.join(", "))
    });
    format!("unknown key{hint}")
}

/// Returns a template of an entry for use in messages, such as
/// `{ value = ..., unit = "entries", basis = ..., source = ... }`.
fn template(field: &Field) -> String {
    format!("{{ value = ..., unit = {:?}, basis = ..., source = ... }}", field.unit)
}

/// Returns the name of a value's TOML type, preceded by its article.
fn type_of(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

fn payload(field: &Field, value: &DeValue) -> Result<Payload, String> {
    let wrong = |found: &str| format!("value is {found}; must be {}", field.shape.describe());
    let items = || {
        let array = value.as_array().ok_or_else(|| wrong(type_of(value)))?;
        Ok::<_, String>(array.iter().map(|item| item.get_ref()))
    };
    let holds = |item: &DeValue| wrong(&format!("an array that holds {}", type_of(item)));
    match field.shape {
        Shape::Number => match value {
            DeValue::Integer(integer) => Ok(Payload::Number(number(field, integer)?)),
            _ => Err(wrong(type_of(value))),
        },
        Shape::Numbers => items()?
            .map(|item| number(field, item.as_integer().ok_or_else(|| holds(item))?))
            .collect::<Result<_, _>>()
            .map(Payload::Numbers),
        Shape::Names => items()?
            .map(|item| item.as_str().map(str::to_string).ok_or_else(|| holds(item)))
            .collect::<Result<_, _>>()
            .map(Payload::Names),
    }
}

fn number(field: &Field, integer: &DeInteger) -> Result<u64, String> {
    u64::from_str_radix(integer.as_str(), integer.radix())
        .ok()
        .filter(|&number| field.limits.allow(number))
        .ok_or_else(|| format!("value is {integer}; must be {} ({})", field.limits.describe(), field.unit))
}

fn basis(word: &str) -> Result<Basis, String> {
    Basis::ALL.into_iter().find(|basis| basis.as_str() == word).ok_or_else(|| {
        let words = Basis::ALL.map(Basis::as_str);
        format!("basis is {word:?}; must be one of {}", words.join(", "))
    })
}

fn range(
    field: &Field,
    basis: Basis,
    payload: &Payload,
    range: Option<&DeValue>,
) -> Result<Option<(u64, u64)>, String> {
    let (&Payload::Number(value), range) = (payload, range) else {
        return match range {
            Some(_) => Err("has a range; an array cannot have one".into()),
            None => Ok(None),
        };
    };
    let Some(range) = range else {
        if basis.needs_range() {
            return Err(format!("is {basis} and has no range; add range = [lowest, highest]"));
        }
        return Ok(None);
    };
    let (low, high) = ends("range", range)?;
    if !(low..=high).contains(&value) {
        return Err(format!("value is {value}; must be in its range [{low}, {high}]"));
    }
    if low < field.limits.low || high > field.limits.high {
        let (lowest, highest) = (field.limits.low, field.limits.high);
        return Err(format!("range is [{low}, {high}]; must lie in {lowest} to {highest} ({})", field.unit));
    }
    Ok(Some((low, high)))
}

/// Reads the interval of a fitted value, which is the part of the range in which the simulator reproduces the published
/// results equally well.
fn interval(
    basis: Basis,
    payload: &Payload,
    range: Option<(u64, u64)>,
    interval: Option<&DeValue>,
) -> Result<Option<(u64, u64)>, String> {
    let Some(interval) = interval else { return Ok(None) };
    let (&Payload::Number(value), Some(range), Basis::Fitted) = (payload, range, basis) else {
        return Err(format!("is {basis} and has an interval; only a fitted number can have one"));
    };
    let (low, high) = ends("interval", interval)?;
    if !(low..=high).contains(&value) {
        return Err(format!("value is {value}; must be in its interval [{low}, {high}]"));
    }
    if low < range.0 || high > range.1 {
        return Err(format!("interval is [{low}, {high}]; must be in its range [{}, {}]", range.0, range.1));
    }
    Ok(Some((low, high)))
}

/// Reads the two numbers of a range or of an interval.
fn ends(name: &str, value: &DeValue) -> Result<(u64, u64), String> {
    let numbers: Option<Vec<u64>> = value.as_array().and_then(|array| {
        let integers = array.iter().map(|end| end.get_ref().as_integer());
        integers.map(|end| u64::from_str_radix(end?.as_str(), end?.radix()).ok()).collect()
    });
    match numbers.as_deref() {
        Some(&[low, high]) => Ok((low, high)),
        _ => Err(format!("{name} must be [lowest, highest], two integers from 0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_the_value_of_a_fit_and_lies_in_its_range() {
        let entry = |basis: &str, interval: &str| {
            let parts = format!("unit = 'entries', basis = '{basis}', range = [8, 32], interval = {interval}");
            let text = format!("[mfc]\nspu_queue_entries = {{ value = 16, {parts}, source = 's' }}");
            read(&text, "mine.toml").map(|layer| layer.values["mfc.spu_queue_entries"].clone())
        };
        let refused = |basis, interval, message: &str| {
            let error = entry(basis, interval).expect_err("a mistake").to_string();
            assert_eq!(error, format!("mine.toml:2: mfc.spu_queue_entries: {message}"));
        };
        let value = entry("fitted", "[16, 32]").expect("all is right");
        assert_eq!((value.range, value.interval), (Some((8, 32)), Some((16, 32))));
        refused("assumed", "[16, 32]", "is assumed and has an interval; only a fitted number can have one");
        refused("fitted", "[17, 32]", "value is 16; must be in its interval [17, 32]");
        refused("fitted", "[7, 16]", "interval is [7, 16]; must be in its range [8, 32]");
        refused("fitted", "[8, 33]", "interval is [8, 33]; must be in its range [8, 32]");
        refused("fitted", "16", "interval must be [lowest, highest], two integers from 0");
    }
}
