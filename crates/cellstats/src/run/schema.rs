//! The JSON Schema of a result: its columns, and the FUNCTIONs that fill each column.

use super::columns::Measurement;
use crate::choices::Injection;
use crate::families::{Experiment, functions, refusal};
use crate::family::Computer;
use crate::parameters::{Parameter, Parameters};
use crate::pattern::Pattern;
use crate::settings::Settings;
use cell::described::Described;
use cell::units::ThreadId;
use serde_json::{Map, Value, json};

/// Columns whose parameter only some FUNCTIONs have.
const OF_SOME: [Parameter; 7] = [
    Parameter::Size,
    Parameter::ListElements,
    Parameter::Batch,
    Parameter::Op,
    Parameter::Target,
    Parameter::Level,
    Parameter::Pattern,
];
/// The schema of a result.
pub fn result_schema() -> Value {
    let mut schema = Measurement::schema();
    let mut in_recipe = parameters(&schema["properties"]);
    let recipe = &mut schema["properties"]["recipe"]["properties"]["parameters"];
    in_recipe["description"] = recipe["description"].take();
    *recipe = in_recipe;
    let mut rules: Vec<Value> = OF_SOME.into_iter().map(filled).collect();
    let moves = |function: &&str| experiment(function).is_some_and(|it| it.bytes_of_thread(ThreadId(0)).is_some());
    rules.push(rule("bandwidth_gb_s", functions().filter(moves).collect(), Vec::new()));
    rules.push(where_given(
        "private",
        json!([true]),
        json!({"stride_bytes": present()}),
        json!({"stride_bytes": absent()}),
    ));
    let by_ppe = json!({"threads": present(), "spes": {"const": 0}, "per_spe": {"maxItems": 0}});
    let by_spes = json!({"threads": absent(), "spes": {"minimum": 1}, "per_thread": {"maxItems": 0}});
    rules.push(where_given("level", json!(["l1", "l2", "l1l2", "memory"]), by_ppe, by_spes));
    schema["allOf"] = rules.into();
    schema
}

fn present() -> Value {
    json!({"not": absent()})
}

fn absent() -> Value {
    json!({"type": "null"})
}

/// The rule for a column: the FUNCTIONs that fill it whatever the parameters, and the FUNCTIONs that never fill it.
fn filled(parameter: Parameter) -> Value {
    let column = parameter.column();
    let fills = |function: &&str| experiment(function).is_some_and(|it| !columns(&it)[column].is_null());
    let takes = |function: &&str| refusal(function, &[(parameter, None)], Computer::Cell).is_none();
    let (always, others): (Vec<&str>, Vec<&str>) = functions().partition(fills);
    rule(column, always, others.into_iter().filter(takes).collect())
}

/// The rule for a column that every FUNCTION in `always` fills, and that a FUNCTION in `may` fills for some parameters.
fn rule(column: &str, always: Vec<&str>, may: Vec<&str>) -> Value {
    let mut otherwise = json!({"properties": {column: absent()}});
    if !may.is_empty() {
        otherwise = json!({"if": {"properties": {"function": {"not": {"enum": may}}}}, "then": otherwise});
    }
    json!({
        "if": {"properties": {"function": {"enum": always}}},
        "then": {"properties": {column: present()}},
        "else": otherwise,
    })
}

/// A rule that applies `then` to results whose column has one of `values`, and `otherwise` to all other results.
fn where_given(column: &str, values: Value, then: Value, otherwise: Value) -> Value {
    json!({
        "if": {"properties": {column: {"enum": values}}},
        "then": {"properties": then},
        "else": {"properties": otherwise},
    })
}

/// A FUNCTION with its defaults.
fn experiment(function: &str) -> Option<Experiment> {
    let pattern = Pattern { name: "none".to_string(), threads: 1, phases: Vec::new() };
    let given = Parameters { pattern: (function == "exchange").then_some(pattern), ..Parameters::default() };
    Experiment::new(function, &given).ok()
}

fn columns(experiment: &Experiment) -> Value {
    let settings = Settings::read(&Parameters::default(), |_| 1, |_| 1);
    settings.map_or(Value::Null, |settings| json!(experiment.columns(&settings)))
}

/// The schema of a pattern in a JSON file.
fn pattern() -> Value {
    let end = |what| json!({"type": ["integer", "string"], "pattern": "^memory$", "minimum": 0, "description": what});
    let count = |what| json!({"type": "integer", "minimum": 1, "description": what});
    let message = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["source", "destination", "bytes", "repetitions"],
        "properties": {
            "source": end("Thread from whose local store the message comes, or memory."),
            "destination": end("Thread to whose local store the message goes, or memory."),
            "bytes": count("Size of the message."),
            "repetitions": count("Number of times that the message is sent."),
        },
    });
    json!({
        "type": ["object", "null"],
        "additionalProperties": false,
        "required": ["name", "threads", "phases"],
        "properties": {
            "name": {"type": "string", "description": "Name of the pattern."},
            "threads": count("Threads that take part."),
            "phases": {
                "type": "array",
                "items": {"type": "array", "items": message},
                "description": "Messages of each phase; a phase begins when all threads have finished the previous one.",
            },
        },
        "description": "The pattern, in the format of a JSON file.",
    })
}

/// The schema of a recipe's parameters. A parameter that is also a column refers to the column's schema.
fn parameters(columns: &Value) -> Value {
    let all = Parameters::default().recipe();
    let described = all.keys().map(|name| {
        let schema = match name.as_str() {
            "pattern" => pattern(),
            "seed" => {
                json!({"type": "integer", "minimum": 0, "description": "Seed of the targets of uniform traffic; 0 otherwise."})
            }
            "histogram" => {
                json!({"type": "boolean", "description": "Whether the latency of every single DMA was kept."})
            }
            name if columns[name].is_object() => json!({"$ref": format!("#/properties/{name}")}),
            name => json!({"description": Parameter::from_name(name).map(|parameter| parameter.row().cell.trim())}),
        };
        (name.clone(), schema)
    });
    let described: Map<String, Value> = described.collect();
    let names: Vec<String> = described.keys().cloned().collect();
    let mut properties: Map<String, Value> = described;
    // Only in recipes of measurements with `settle`.
    properties.insert(
        "settle".to_string(),
        json!({"const": true, "description": "The rest of settled loops was skipped; left out otherwise."}),
    );
    // Only in recipes of measurements with `rate`.
    properties.insert(
        "rate".to_string(),
        json!({"type": "string", "description": "The rate as it was given; left out otherwise."}),
    );
    properties.insert(
        "injection".to_string(),
        json!({"enum": Injection::WORDS, "description": "When DMAs were offered at the rate; left out otherwise."}),
    );
    json!({"type": "object", "additionalProperties": false, "required": names, "properties": properties})
}
