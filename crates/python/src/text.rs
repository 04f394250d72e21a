//! Text of Python objects in one-line messages.

use pyo3::prelude::*;

const CHARACTERS_MAX: usize = 80;

/// `repr(value)` on one text line, truncated if long.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    // `repr` may fail, for example for an int with very many digits, or in a `__repr__` of the caller.
    let text = value.repr().map(|text| text.to_string_lossy().into_owned());
    let text = text.unwrap_or_else(|_| type_name(value));
    let mut short: String = text.chars().take(CHARACTERS_MAX).flat_map(visible).collect();
    if text.chars().nth(CHARACTERS_MAX).is_some() {
        short.push('…');
    }
    short
}

/// The name of a value's type.
pub fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "an object".to_string(), |name| name.to_string_lossy().into_owned())
}

/// The strings in `items`, joined as `a, b, c`.
pub fn joined<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    texts.join(", ")
}

fn visible(character: char) -> impl Iterator<Item = char> {
    let hidden = character.is_control();
    let plain = (!hidden).then_some(character);
    plain.into_iter().chain(hidden.then(|| character.escape_default()).into_iter().flatten())
}
