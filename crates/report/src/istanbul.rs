//! Code coverage as Istanbul's JSON, the `coverage-final.json` that nyc and c8 merge and report.
//!
//! On its own, because the format numbers everything and refers to it by number.

use crate::lcov::unique_names;
use capuchin::ui::{CodeCoverage, FileCoverage, Position, Span};
use serde_json::{Map, Value, json};

/// The coverage in Istanbul's format. A line is a statement: V8 knows nothing smaller that is not
/// a branch.
pub fn istanbul(coverage: &CodeCoverage) -> String {
    let files = coverage.files.iter().map(|(name, file)| (name.to_string(), of_file(name, file)));
    let mut text = Value::Object(files.collect()).to_string();
    text.push('\n');
    text
}

fn of_file(path: &str, file: &FileCoverage) -> Value {
    let statements = file.lines.keys().map(|line| {
        // Up to the end of the line, wherever that is.
        json!({ "start": { "line": line, "column": 0 }, "end": { "line": line, "column": null } })
    });
    let functions = file.functions.keys().zip(unique_names(file)).map(|(span, name)| {
        json!({ "name": name, "decl": range(span), "loc": range(span), "line": span.from.line })
    });
    let branches = file.branches.keys().map(|span| {
        json!({
            "type": "branch",
            "loc": range(span),
            "locations": [range(span)],
            "line": span.from.line,
        })
    });
    json!({
        "path": path,
        "statementMap": numbered(statements),
        "fnMap": numbered(functions),
        "branchMap": numbered(branches),
        "s": numbered(file.lines.values().map(|hits| json!(hits))),
        "f": numbered(file.functions.values().map(|function| json!(function.hits))),
        "b": numbered(file.branches.values().map(|hits| json!([hits]))),
    })
}

fn numbered(values: impl Iterator<Item = Value>) -> Map<String, Value> {
    values.zip(0..).map(|(value, number): (Value, u32)| (number.to_string(), value)).collect()
}

/// Istanbul counts columns from 0.
fn range(span: &Span) -> Value {
    let place = |at: Position| json!({ "line": at.line, "column": at.column.saturating_sub(1) });
    json!({ "start": place(span.from), "end": place(span.to) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_a_number() {
        let text = istanbul(&crate::lcov::tests::sample());
        let json: Value = serde_json::from_str(&text).unwrap();
        let file = &json["src/a.js"];
        assert_eq!(file["path"], "src/a.js");
        assert_eq!(file["s"], json!({ "0": 2, "1": 0, "2": 2, "3": 2, "4": 1 }));
        assert_eq!(file["f"], json!({ "0": 2, "1": 0, "2": 1 }));
        assert_eq!(file["b"], json!({ "0": [0], "1": [2] }));
        assert_eq!(file["statementMap"]["4"]["start"], json!({ "line": 6, "column": 0 }));
        assert_eq!(file["fnMap"]["1"]["name"], "(anonymous):2:8");
        assert_eq!(
            file["branchMap"]["0"]["loc"],
            json!({ "start": { "line": 2, "column": 2 }, "end": { "line": 3, "column": 8 } })
        );
        assert_eq!(json["src/empty.js"]["s"], json!({}));
    }
}
