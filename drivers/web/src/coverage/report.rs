//! From what ran of a script to functions, branches and lines: of the script, or of the files that
//! it was made from.
//!
//! On its own, because it is done once at the end and not after every event.

use super::runs::flatten;
use super::text::Lines;
use super::{Script, blocks};
use crate::source_map::{SourceMap, Token, file_of};
use capuchin_ui::{CodeCoverage, FileCoverage, FunctionCoverage, Position, Span};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// A stretch of the script, how often it ran, and whose it is if it is a function.
struct Stretch<'a> {
    start: u32,
    end: u32,
    count: u64,
    function: Option<&'a str>,
}

/// Adds what ran of one script; nothing if its text is not known.
pub(super) fn add_script(all: &mut CodeCoverage, script: &Script, app: &str) {
    let Some(source) = &script.source else { return };
    let lines = Lines::of(source);
    let stretches = stretches(script);
    match &script.map {
        Some(map) => {
            let names = Names { source: source.encode_utf16().collect(), map, lines: &lines };
            all.merge(&mapped(map, &lines, &stretches, &names, app));
        }
        None => {
            let file = direct(script, &lines, &stretches);
            let name = file_of(&script.url, app).into();
            put_beside(all.files.entry(name).or_default(), file);
        }
    }
}

/// Adds another script of the same document. They share no code, though maybe a line.
fn put_beside(document: &mut FileCoverage, script: FileCoverage) {
    document.loads = document.loads.max(script.loads);
    for (span, function) in script.functions {
        let known = document.functions.entry(span).or_default();
        known.hits += function.hits;
        known.name = function.name;
    }
    for (span, hits) in script.branches {
        *document.branches.entry(span).or_default() += hits;
    }
    for (line, hits) in script.lines {
        let known = document.lines.entry(line).or_default();
        *known = hits.max(*known);
    }
}

/// Everything that V8 listed, outer stretches first.
fn stretches(script: &Script) -> Vec<Stretch<'_>> {
    let mut all = Vec::new();
    for function in script.functions.values() {
        for (index, (start, end, count)) in function.ranges().into_iter().enumerate() {
            let function = (index == 0).then_some(&*function.name);
            all.push(Stretch { start, end, count, function });
        }
    }
    // A function that is all of a block is inside of it.
    all.sort_by_key(|of| (of.start, Reverse(of.end), of.function.is_some()));
    all
}

/// The script's code outside of functions is a function for V8. So is what initializes the fields
/// of a class, with a name in angle brackets. A reader would look for them in vain.
fn is_a_function(stretch: &Stretch<'_>, name: &str, length: u32) -> bool {
    let whole = stretch.start == 0 && stretch.end == length;
    !(whole && name.is_empty() || name.starts_with('<'))
}

/// The script as it is, at its place in the document.
fn direct(script: &Script, lines: &Lines, stretches: &[Stretch<'_>]) -> FileCoverage {
    let position = |offset| {
        let (line, column) = lines.place(offset);
        let indent = if line == 0 { script.start_column } else { 0 };
        Position { line: script.start_line + line + 1, column: indent + column + 1 }
    };
    let mut file = FileCoverage { loads: loads(script, stretches), ..FileCoverage::default() };
    for of in stretches {
        let span = Span { from: position(of.start), to: position(of.end) };
        match of.function {
            Some(name) if is_a_function(of, name, script.length) => {
                let function = FunctionCoverage { name: name.into(), hits: of.count };
                file.functions.insert(span, function);
            }
            Some(_) => {}
            None => {
                file.branches.insert(span, of.count);
            }
        }
    }
    // A line runs as often as the innermost stretch that holds all of it. The stretches come
    // outer ones first, so the last one to say something is right.
    let code: Vec<(u32, u32, u32)> = lines.code().collect();
    let mut hits = vec![0; code.len()];
    for of in stretches {
        let first = code.partition_point(|(_, start, _)| *start < of.start);
        let held = code[first..].partition_point(|(_, _, end)| *end <= of.end);
        hits[first..first + held].fill(of.count);
    }
    let number = |(line, _, _): &(u32, u32, u32)| script.start_line + line + 1;
    file.lines = code.iter().map(number).zip(hits).collect();
    file
}

/// How often the script itself ran. An attribute like `onclick` is a function without a script.
fn loads(script: &Script, stretches: &[Stretch<'_>]) -> u64 {
    let whole = |of: &&Stretch<'_>| (of.start, of.end, of.function) == (0, script.length, Some(""));
    stretches.iter().find(whole).map_or(0, |of| of.count)
}

/// The files that the script was made from. What leads to none of them (the bundler's own code) is
/// left out. A piece of a file that is in the script twice counts as its more frequent copy.
fn mapped(
    map: &SourceMap,
    lines: &Lines,
    stretches: &[Stretch<'_>],
    names: &Names<'_>,
    app: &str,
) -> CodeCoverage {
    let mut files: Vec<FileCoverage> = vec![FileCoverage::default(); map.sources().len()];
    let whole = stretches.first().map_or(0, |of| of.count);
    for ((source, line), hits) in original_lines(map, lines, stretches) {
        if let Some(file) = files.get_mut(source as usize) {
            file.loads = whole;
            file.lines.insert(line + 1, hits);
        }
    }
    for of in stretches {
        let Some((source, span)) = original_span(map, lines, of) else { continue };
        let Some(file) = files.get_mut(source as usize) else { continue };
        match of.function {
            Some(name) if is_a_function(of, name, u32::MAX) && !is_module(name, &span) => {
                let function = file.functions.entry(span).or_default();
                function.hits = function.hits.max(of.count);
                if function.name.is_empty() {
                    function.name = names.original(name, of.start).into();
                }
            }
            Some(_) => {}
            None => {
                let hits = file.branches.entry(span).or_default();
                *hits = (*hits).max(of.count);
            }
        }
    }
    let mut all = CodeCoverage::default();
    for (source, file) in map.sources().iter().zip(files) {
        if !file.lines.is_empty() {
            let name = file_of(source, app).into();
            all.merge(&CodeCoverage { files: BTreeMap::from([(name, file)]) });
        }
    }
    all
}

/// How often each line of each source ran: as often as its beginning, or, if that never ran, as the
/// piece of it that ran most often.
fn original_lines(
    map: &SourceMap,
    lines: &Lines,
    stretches: &[Stretch<'_>],
) -> BTreeMap<(u32, u32), u64> {
    let steps = flatten(stretches.iter().map(|of| (of.start, of.end, of.count)));
    let mut pieces: BTreeMap<(u32, u32), (u32, u64, u64)> = BTreeMap::new();
    for token in map.tokens() {
        let Some(original) = token.original else { continue };
        let Some(offset) = lines.offset(token.line, token.column) else { continue };
        let hits = blocks::at(&steps, offset);
        let line = pieces.entry((original.source, original.line)).or_insert((u32::MAX, 0, 0));
        match original.column.cmp(&line.0) {
            Ordering::Less => (line.0, line.1) = (original.column, hits),
            Ordering::Equal => line.1 = hits.max(line.1),
            Ordering::Greater => {}
        }
        line.2 = hits.max(line.2);
    }
    let hits = |(_, first, most): (u32, u64, u64)| if first > 0 { first } else { most };
    pieces.into_iter().map(|(line, pieces)| (line, hits(pieces))).collect()
}

/// Bundlers wrap a module into a function, which then begins where the module does.
fn is_module(name: &str, span: &Span) -> bool {
    name.is_empty() && span.from == Position { line: 1, column: 1 }
}

/// The source of a stretch and its span there, if it begins with a piece of a source.
fn original_span(map: &SourceMap, lines: &Lines, of: &Stretch<'_>) -> Option<(u32, Span)> {
    let look_up = |offset| {
        let (line, column) = lines.place(offset);
        map.look_up(line, column)
    };
    let (line, column) = lines.place(of.start);
    let holding = map.look_up(line, column);
    let exact = holding.filter(|token| (token.line, token.column) == (line, column));
    // A block begins with what is before its first piece, like the colon of a condition. That
    // belongs to the piece before the block, which is not in it. A function begins with a piece
    // of its own, or else it is the bundler's.
    let inside = |token: &&Token| {
        let offset = lines.offset(token.line, token.column);
        of.function.is_none() && offset.is_some_and(|offset| offset < of.end)
    };
    let first = exact.or(map.next_after(line, column).filter(inside)).or(holding)?;
    let begin = first.original?;
    let from = Position { line: begin.line + 1, column: begin.column + 1 };
    let last = of.end.checked_sub(1).and_then(look_up).and_then(|token| token.original);
    let to = last
        .filter(|last| last.source == begin.source)
        .map(|last| Position { line: last.line + 1, column: last.column + 2 })
        .filter(|to| *to > from)
        .unwrap_or(Position { line: from.line, column: from.column + 1 });
    Some((begin.source, Span { from, to }))
}

/// Finds the names that functions had before they were made short.
struct Names<'a> {
    source: Vec<u16>,
    map: &'a SourceMap,
    lines: &'a Lines,
}

impl Names<'_> {
    /// The map knows where each identifier came from. The function's is just before it
    /// (`name = () => …`) or at its beginning (`function name() …`).
    fn original(&self, name: &str, start: u32) -> String {
        let (line, column) = self.lines.place(start);
        // V8 calls the function in `item.onclick = () => …` by both names.
        let (first, rest) = name.find('.').map_or((name, ""), |dot| name.split_at(dot));
        for token in self.map.around(line, column, 4) {
            let Some(original) = self.map.name(token) else { continue };
            let Some(offset) = self.lines.offset(token.line, token.column) else { continue };
            if self.reads(offset, first) {
                return format!("{original}{rest}");
            }
        }
        name.to_owned()
    }

    /// Whether the script has this identifier at this offset.
    fn reads(&self, offset: u32, name: &str) -> bool {
        let Some(rest) = self.source.get(offset as usize..) else { return false };
        let mut units = rest.iter().copied();
        let same = name.encode_utf16().all(|unit| units.next() == Some(unit));
        let goes_on = |unit: u16| {
            char::from_u32(u32::from(unit))
                .is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$')
        };
        !name.is_empty() && same && !units.next().is_some_and(goes_on)
    }
}
