//! Generates the JSON Schema of a struct's serialised form. The doc comments of the struct's fields become the
//! descriptions in the schema.

use serde_json::Map;
use std::collections::BTreeMap;

pub use serde_json::{Value, json};

/// A type with a JSON Schema.
pub trait Described {
    /// Returns the schema of a value of this type.
    fn schema() -> Value;
}

macro_rules! plain {
    ($($type:ty: $schema:tt,)*) => {
        $(impl Described for $type {
            fn schema() -> Value {
                json!($schema)
            }
        })*
    };
}

plain! {
    bool: {"type": "boolean"},
    u8: {"type": "integer", "minimum": 0},
    u32: {"type": "integer", "minimum": 0},
    u64: {"type": "integer", "minimum": 0},
    f64: {"type": "number", "minimum": 0},
    &'static str: {"type": "string"},
    String: {"type": "string"},
    Map<String, Value>: {"type": "object"},
    BTreeMap<u64, u64>: {"type": "object"},
}

impl<T: Described> Described for Option<T> {
    fn schema() -> Value {
        let mut schema = T::schema();
        schema["type"] = json!([schema["type"], "null"]);
        schema
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema() -> Value {
        json!({"type": "array", "items": T::schema()})
    }
}

/// One field of a struct: the name, the doc comment, the schema of the field's type, additional limits, and the serde
/// attribute.
pub type Field = (&'static str, &'static str, Value, Value, &'static str);

/// Returns the schema of an object with these fields. All are required, except those that serialisation leaves out if
/// they have no value.
pub fn object(fields: impl IntoIterator<Item = Field>) -> Value {
    let (mut properties, mut names) = (Map::new(), Vec::new());
    for (name, comment, mut schema, limits, serde) in fields {
        if serde == "skip" {
            continue;
        }
        // Left out of an object without a value.
        let is_optional = serde == "skip_serializing_if";
        if serde == "flatten" {
            names.extend(schema["required"].as_array().cloned().unwrap_or_default());
            properties.extend(schema["properties"].as_object().cloned().unwrap_or_default());
            continue;
        }
        if let Some(words) = limits["enum"].as_array() {
            // The list of allowed strings replaces the type, because it is more specific. The list includes null if the
            // value is optional.
            let null = schema["type"].is_array().then_some(Value::Null);
            schema = json!({"enum": words.iter().cloned().chain(null).collect::<Vec<Value>>()});
        } else {
            for (key, limit) in limits.as_object().into_iter().flatten() {
                schema[key] = limit.clone();
            }
        }
        schema["description"] = comment.trim().into();
        if !is_optional {
            names.push(name.into());
        }
        properties.insert(name.to_string(), schema);
    }
    json!({"type": "object", "additionalProperties": false, "required": names, "properties": properties})
}

/// Declares a struct and implements [`Described`] for it. Additional limits of a field may follow its type, for example
/// `=> {"minimum": 1}`.
#[macro_export]
macro_rules! described {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[doc = $doc:literal])* $(#[serde($serde:ident $(= $condition:literal)?)])? pub $field:ident: $type:ty $(=> $limits:tt)?,)*
        }
    ) => {
        $(#[$about])*
        pub struct $name {
            $($(#[doc = $doc])* $(#[serde($serde $(= $condition)?)])? pub $field: $type,)*
        }

        impl $crate::described::Described for $name {
            fn schema() -> $crate::described::Value {
                $crate::described::object([$((
                    stringify!($field),
                    concat!($($doc),*),
                    <$type as $crate::described::Described>::schema(),
                    $crate::described::json!([$($limits)?]).get(0).cloned().unwrap_or_default(),
                    concat!($(stringify!($serde))?),
                ),)*])
            }
        }
    };
}
