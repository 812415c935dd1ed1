//! Source maps: from a place in a script to the place in the file that it was made from.
//!
//! Written here, because a reader of the format is small and the crate for it brings some thirty
//! others (see docs/adr/0011-we-read-source-maps-ourselves.md). Nothing is written, only read.

mod path;
mod vlq;

pub(crate) use path::{file_of, is_elsewhere};

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine, alphabet};
use serde::Deserialize;

/// A source map that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the source map cannot be read: {0}")]
pub(crate) struct BadMap(String);

/// Where a script says that its source map is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MapAt {
    /// In the script itself; this is the map.
    Inline(String),
    /// At this address.
    Url(String),
}

/// A place in a file that a script was made from. Lines and columns from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Original {
    /// Which of the map's [sources](SourceMap::sources).
    pub(crate) source: u32,
    /// The line, from 0.
    pub(crate) line: u32,
    /// The column in UTF-16 code units, from 0.
    pub(crate) column: u32,
}

/// From this place of the script on, up to the next token, the code was made from one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The line of the script, from 0.
    pub(crate) line: u32,
    /// The column in UTF-16 code units, from 0.
    pub(crate) column: u32,
    /// What it was made from; `None` for what the bundler added.
    pub(crate) original: Option<Original>,
    name: Option<u32>,
}

/// A source map, read.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    sources: Vec<String>,
    names: Vec<String>,
    /// In the order of the script.
    tokens: Vec<Token>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Json {
    version: Option<serde_json::Value>,
    #[serde(default)]
    source_root: Option<String>,
    #[serde(default)]
    sources: Vec<Option<String>>,
    #[serde(default)]
    names: Vec<serde_json::Value>,
    #[serde(default)]
    mappings: String,
    #[serde(default)]
    sections: Vec<Section>,
}

#[derive(Deserialize)]
struct Section {
    offset: Offset,
    map: Json,
}

#[derive(Deserialize)]
struct Offset {
    line: u32,
    column: u32,
}

/// Where the map of a script is, by what its last line says (`sourceMappingURL`).
pub(crate) fn whereabouts(script_url: &str, source_map_url: &str) -> Option<MapAt> {
    if source_map_url.is_empty() {
        return None;
    }
    match source_map_url.strip_prefix("data:") {
        Some(data) => {
            let (kind, body) = data.split_once(',')?;
            let bytes = if kind.ends_with(";base64") {
                decode(body)?
            } else {
                path::percent_decoded(body).into_bytes()
            };
            String::from_utf8(bytes).ok().map(MapAt::Inline)
        }
        None => Some(MapAt::Url(path::resolved(script_url, source_map_url))),
    }
}

/// The bytes of a map that is within a script. Escapes of an address and white space are passed
/// over, padding may be left out, and the digits may be those for addresses.
fn decode(body: &str) -> Option<Vec<u8>> {
    const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let mut text = path::percent_decoded(body).replace('-', "+").replace('_', "/");
    text.retain(|c| !c.is_ascii_whitespace());
    GeneralPurpose::new(&alphabet::STANDARD, LENIENT).decode(text).ok()
}

impl SourceMap {
    /// Reads a map. Its sources are relative to `base`: the address of the map, or of the script
    /// if the map is in it.
    pub(crate) fn parse(text: &str, base: &str) -> Result<Self, BadMap> {
        // Servers may put this line in front, so that the map is no script.
        let text = text.trim_start_matches('\u{feff}');
        let text = if text.starts_with(")]}") {
            text.split_once('\n').map_or("", |(_, rest)| rest)
        } else {
            text
        };
        let json: Json = serde_json::from_str(text).map_err(|error| BadMap(error.to_string()))?;
        if json.version.is_none() && json.sections.is_empty() {
            return Err(BadMap("it has no version".into()));
        }
        let mut map = SourceMap::default();
        map.read(&json, base, 0, 0)?;
        map.tokens.sort_by_key(|token| (token.line, token.column));
        Ok(map)
    }

    /// The files that the script was made from, as addresses.
    pub(crate) fn sources(&self) -> &[String] {
        &self.sources
    }

    /// All tokens, in the order of the script.
    pub(crate) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The token that holds this place of the script (line and column from 0).
    pub(crate) fn look_up(&self, line: u32, column: u32) -> Option<&Token> {
        let after = self.index_after(line, column);
        self.tokens[..after].last().filter(|token| token.line == line)
    }

    /// What this place of the script was made from, as the address of a source and a place in it.
    pub(crate) fn original(&self, line: u32, column: u32) -> Option<(&str, Original)> {
        let original = self.look_up(line, column)?.original?;
        Some((self.sources.get(original.source as usize)?, original))
    }

    /// The name that the token had before, if it was renamed.
    pub(crate) fn name(&self, token: &Token) -> Option<&str> {
        self.names.get(token.name? as usize).map(String::as_str)
    }

    /// The first token after this place.
    pub(crate) fn next_after(&self, line: u32, column: u32) -> Option<&Token> {
        self.tokens.get(self.index_after(line, column))
    }

    /// Up to this many tokens before and after a place.
    pub(crate) fn around(&self, line: u32, column: u32, reach: usize) -> &[Token] {
        let at = self.index_after(line, column);
        &self.tokens[at.saturating_sub(reach)..(at + reach).min(self.tokens.len())]
    }

    fn index_after(&self, line: u32, column: u32) -> usize {
        self.tokens.partition_point(|token| (token.line, token.column) <= (line, column))
    }

    fn read(&mut self, json: &Json, base: &str, line: u32, column: u32) -> Result<(), BadMap> {
        for section in &json.sections {
            let Offset { line: below, column: right } = section.offset;
            let right = if below == 0 { column.saturating_add(right) } else { right };
            self.read(&section.map, base, line.saturating_add(below), right)?;
        }
        let (sources, names) = (self.sources.len() as u32, self.names.len() as u32);
        let root = json.source_root.as_deref().unwrap_or_default();
        for source in &json.sources {
            let source = source.as_deref().unwrap_or_default();
            self.sources.push(path::of_source(base, root, source));
        }
        self.names.extend(json.names.iter().map(|name| name.as_str().unwrap_or_default().into()));
        self.read_mappings(&json.mappings, line, column, sources, names)
    }

    /// Numbers in the mappings are differences: the column's to the last token of the line, the
    /// others' to the last token that had them.
    fn read_mappings(
        &mut self,
        mappings: &str,
        first_line: u32,
        first_column: u32,
        sources: u32,
        names: u32,
    ) -> Result<(), BadMap> {
        let bad = || BadMap("its mappings are damaged".into());
        // No file is as long as this, and sums of such numbers do not overflow.
        let number =
            |value: i64| u32::try_from(value).ok().filter(|n| *n < 1 << 30).ok_or_else(bad);
        let [mut source, mut line, mut column, mut name] = [0i64; 4];
        let mut fields = Vec::with_capacity(5);
        for (group, below) in mappings.split(';').zip(0u32..) {
            let mut generated = if below == 0 { i64::from(first_column) } else { 0 };
            for segment in group.split(',').filter(|segment| !segment.is_empty()) {
                fields.clear();
                vlq::read_numbers(segment, &mut fields).ok_or_else(bad)?;
                generated += fields[0];
                let mut token = Token {
                    line: first_line.saturating_add(below),
                    column: number(generated)?,
                    original: None,
                    name: None,
                };
                if let [_, by_source, by_line, by_column, ..] = fields[..] {
                    source += by_source;
                    line += by_line;
                    column += by_column;
                    token.original = Some(Original {
                        source: sources + number(source)?,
                        line: number(line)?,
                        column: number(column)?,
                    });
                    if let Some(by_name) = fields.get(4) {
                        name += by_name;
                        token.name = Some(names + number(name)?);
                    }
                }
                self.tokens.push(token);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str) -> SourceMap {
        SourceMap::parse(text, "http://host/js/app.js.map").unwrap()
    }

    #[test]
    fn places_and_names() {
        let map = map(
            r#"{"version":3,"sources":["../src/a.js","b.js"],"names":["long"],"mappings":"AAAA,IAAIA;;EACE,U,CCDF"}"#,
        );
        assert_eq!(map.sources(), ["http://host/src/a.js", "http://host/js/b.js"]);
        let place = |line, column| {
            let (source, at) = map.original(line, column)?;
            Some((source.rsplit('/').next()?, at.line, at.column))
        };
        assert_eq!(place(0, 0), Some(("a.js", 0, 0)));
        assert_eq!(place(0, 5), Some(("a.js", 0, 4)));
        assert_eq!(map.name(map.look_up(0, 4).unwrap()), Some("long"));
        assert_eq!(place(1, 0), None);
        assert_eq!(place(2, 0), None);
        assert_eq!(place(2, 3), Some(("a.js", 1, 6)));
        assert_eq!(place(2, 12), None, "made by the bundler");
        assert_eq!(place(2, 13), Some(("b.js", 0, 4)));
    }

    #[test]
    fn sections() {
        let map = map(r#"{"version":3,"sections":[
              {"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a.js"],"mappings":"AAAA"}},
              {"offset":{"line":1,"column":7},"map":{"version":3,"sources":["b.js"],"mappings":"AAAA;AACA"}}]}"#);
        assert_eq!(map.original(0, 3).unwrap().0, "http://host/js/a.js");
        assert_eq!(map.original(1, 3), None);
        assert_eq!(map.original(1, 7).unwrap().0, "http://host/js/b.js");
        assert_eq!(map.original(2, 0).unwrap().1.line, 1);
    }

    #[test]
    fn maps_that_are_none() {
        let check = |text: &str, expected: &str| {
            let error = SourceMap::parse(text, "").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("<!doctype html>", "line 1");
        check("{}", "version");
        check(r#"{"version":3,"sources":["a"],"mappings":"!"}"#, "damaged");
        check(r#"{"version":3,"sources":["a"],"mappings":"D"}"#, "damaged");
        check(r#"{"version":3,"sources":["a"],"mappings":"AA+/////DA"}"#, "damaged");
        check(r#"{"version":3,"sources":["a"],"mappings":"gggggggggggggggggggg"}"#, "damaged");
        assert!(SourceMap::parse(")]}'\n{\"version\":3}", "").is_ok());
    }

    #[test]
    fn where_maps_are() {
        let check = |url: &str, expected: Option<MapAt>| {
            assert_eq!(whereabouts("http://host/js/app.js", url), expected);
        };
        check("", None);
        check("app.js.map", Some(MapAt::Url("http://host/js/app.js.map".into())));
        check("/maps/a.map?v=1", Some(MapAt::Url("http://host/maps/a.map?v=1".into())));
        check("https://cdn/a.map", Some(MapAt::Url("https://cdn/a.map".into())));
        check("data:application/json;charset=utf-8;base64,e30=", Some(MapAt::Inline("{}".into())));
        check("data:application/json,%7B%7D", Some(MapAt::Inline("{}".into())));
        check("data:application/json;base64,###", None);
    }

    #[test]
    fn a_map_within_a_script_is_decoded() {
        let check = |text: &str, expected: Option<&[u8]>| {
            assert_eq!(decode(text).as_deref(), expected, "{text}");
        };
        check("", Some(b""));
        check("YQ==", Some(b"a"));
        check("YWI%3D", Some(b"ab"));
        check("YWJj\nZA", Some(b"abcd"));
        check("w6TwLA", Some(b"\xc3\xa4\xf0\x2c"));
        check("-_8", Some(b"\xfb\xff"));
        check("a!", None);
    }
}
