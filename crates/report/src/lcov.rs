//! Code coverage as an lcov file: what editors, genhtml and most services read.
//!
//! On its own, because the format is lines of text with rules of its own.

use capuchin::ui::{CodeCoverage, FileCoverage, Share};
use std::fmt::{self, Write as _};

/// The coverage in the format of lcov's trace files.
pub fn lcov(coverage: &CodeCoverage) -> String {
    let mut text = String::new();
    for (name, file) in &coverage.files {
        // Writing into memory does not fail.
        let _ = write_file(&mut text, name, file);
    }
    text
}

fn write_file(text: &mut String, name: &str, file: &FileCoverage) -> fmt::Result {
    writeln!(text, "TN:\nSF:{}", one_line(name))?;
    let names = unique_names(file);
    for (name, span) in names.iter().zip(file.functions.keys()) {
        writeln!(text, "FN:{},{name}", span.from.line)?;
    }
    for (name, function) in names.iter().zip(file.functions.values()) {
        writeln!(text, "FNDA:{},{name}", function.hits)?;
    }
    write_totals(text, "FN", file.functions())?;
    // Each block is a branch of its own: what the other way would be is not known.
    for ((span, hits), number) in file.branches.iter().zip(0..) {
        writeln!(text, "BRDA:{},{number},0,{hits}", span.from.line)?;
    }
    write_totals(text, "BR", file.branches())?;
    for (line, hits) in &file.lines {
        writeln!(text, "DA:{line},{hits}")?;
    }
    write_totals(text, "L", file.lines())?;
    writeln!(text, "end_of_record")
}

fn write_totals(text: &mut String, what: &str, share: Share) -> fmt::Result {
    writeln!(text, "{what}F:{}\n{what}H:{}", share.total, share.covered)
}

/// The names of a file's functions, in order. Readers of the format take two functions of one name
/// for one function, so what has no name, or a name that was used before, gets one by its place.
pub(crate) fn unique_names(file: &FileCoverage) -> Vec<String> {
    let mut used = std::collections::BTreeSet::new();
    let mut names = Vec::with_capacity(file.functions.len());
    for (span, function) in &file.functions {
        let name = if function.name.is_empty() { "(anonymous)" } else { function.name.as_str() };
        let mut name = one_line(name);
        if function.name.is_empty() || used.contains(&name) {
            let _ = write!(name, ":{}:{}", span.from.line, span.from.column);
        }
        // Two that begin together differ in their end only.
        while !used.insert(name.clone()) {
            name.push('\'');
        }
        names.push(name);
    }
    names
}

/// A name with a line break in it would end the record.
fn one_line(name: &str) -> String {
    name.replace(['\n', '\r'], " ")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use capuchin::ui::{FunctionCoverage, Position, Span};

    pub(crate) fn sample() -> CodeCoverage {
        let at = |line, column| Position { line, column };
        let span = |from, to| Span { from, to };
        let function = |name: &str, hits| FunctionCoverage { name: name.into(), hits };
        let mut file = FileCoverage { loads: 1, ..FileCoverage::default() };
        file.functions.insert(span(at(1, 1), at(4, 2)), function("add", 2));
        file.functions.insert(span(at(2, 8), at(2, 20)), function("", 0));
        file.functions.insert(span(at(6, 1), at(6, 30)), function("add", 1));
        file.branches.insert(span(at(2, 3), at(3, 9)), 0);
        file.branches.insert(span(at(3, 4), at(3, 9)), 2);
        file.lines.extend([(1, 2), (2, 0), (3, 2), (4, 2), (6, 1)]);
        let mut all = CodeCoverage::default();
        all.files.insert("src/a.js".into(), file);
        all.files.insert("src/empty.js".into(), FileCoverage::default());
        all
    }

    #[test]
    fn every_record_is_there() {
        assert_eq!(
            lcov(&sample()),
            "TN:\nSF:src/a.js\n\
             FN:1,add\nFN:2,(anonymous):2:8\nFN:6,add:6:1\n\
             FNDA:2,add\nFNDA:0,(anonymous):2:8\nFNDA:1,add:6:1\nFNF:3\nFNH:2\n\
             BRDA:2,0,0,0\nBRDA:3,1,0,2\nBRF:2\nBRH:1\n\
             DA:1,2\nDA:2,0\nDA:3,2\nDA:4,2\nDA:6,1\nLF:5\nLH:4\nend_of_record\n\
             TN:\nSF:src/empty.js\nFNF:0\nFNH:0\nBRF:0\nBRH:0\nLF:0\nLH:0\nend_of_record\n"
        );
    }
}
