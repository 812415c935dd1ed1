//! The accumulator on what Chromium said about two pages: a bundle made by esbuild, small and with
//! a source map, and a document with scripts between its elements.
//!
//! Functions and lines that ran were compared with `@bcoe/v8-coverage` and `v8-to-istanbul` on the
//! same samples.

use super::*;
use crate::stack;
use capuchin_ui::FileCoverage;
use proptest::prelude::*;

const APP: &str = "http://127.0.0.1:8377/";

#[derive(Deserialize)]
struct Sample {
    parsed: Vec<ScriptParsed>,
    sources: BTreeMap<String, String>,
    maps: BTreeMap<String, String>,
    takes: Vec<serde_json::Value>,
    exceptions: Vec<Thrown>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Thrown {
    call_frames: Vec<crate::protocol_types::CallFrame>,
    description: String,
}

fn bundle() -> Sample {
    serde_json::from_str(include_str!("../../testdata/coverage-bundle.json")).unwrap()
}

fn inline() -> Sample {
    serde_json::from_str(include_str!("../../testdata/coverage-inline.json")).unwrap()
}

/// Gives everything to an accumulator but the takes.
fn announced(sample: &Sample) -> Accumulator {
    let mut all = Accumulator::default();
    for script in &sample.parsed {
        all.parsed(7, script);
    }
    for wanted in all.wanted() {
        let source = sample.sources[&wanted.script_id].clone();
        all.give_source(wanted.page, &wanted.script_id, source);
        if let Some(url) = wanted.map {
            let map = SourceMap::parse(&sample.maps[&url], &url).unwrap();
            all.give_map(wanted.page, &wanted.script_id, Arc::new(map));
        }
    }
    all
}

fn add(all: &mut Accumulator, take: &serde_json::Value) -> u32 {
    let text = format!("{{\"result\":{take}}}");
    all.add(7, &serde_json::from_str(&text).unwrap())
}

/// The functions and branches of a file as text, one on each line.
fn listed(file: &FileCoverage) -> String {
    let functions = file.functions.iter().map(|(span, function)| {
        format!("{}:{} {} {}", span.from.line, span.from.column, function.name, function.hits)
    });
    let branches = file.branches.iter().map(|(span, hits)| {
        format!(
            "{}:{}-{}:{} {hits}",
            span.from.line, span.from.column, span.to.line, span.to.column
        )
    });
    functions.chain(branches).collect::<Vec<_>>().join("\n")
}

fn lines_not_run(file: &FileCoverage) -> Vec<u32> {
    file.lines.iter().filter(|(_, hits)| **hits == 0).map(|(line, _)| *line).collect()
}

#[test]
fn each_take_says_what_is_new() {
    // Load; blank note; a note; toggled; a crash; reload; a note and a blank one.
    let sample = bundle();
    let mut all = announced(&sample);
    let fresh: Vec<u32> = sample.takes.iter().map(|take| add(&mut all, take)).collect();
    assert_eq!(fresh, [13, 2, 5, 3, 2, 0, 0]);
    // Load; first press; second press; reload; first press.
    let sample = inline();
    let mut all = announced(&sample);
    let fresh: Vec<u32> = sample.takes.iter().map(|take| add(&mut all, take)).collect();
    assert_eq!(fresh, [4, 2, 2, 0, 0]);
}

#[test]
fn a_bundle_is_reported_as_the_files_that_it_was_made_from() {
    let sample = bundle();
    let mut all = announced(&sample);
    for take in &sample.takes {
        add(&mut all, take);
    }
    let all = all.so_far(APP);
    let names: Vec<&str> = all.files.keys().map(capuchin_ui::Str::as_str).collect();
    assert_eq!(names, ["bundle/src/main.ts", "bundle/src/plural.ts", "bundle/src/store.ts"]);
    let store = &all.files["bundle/src/store.ts"];
    assert_eq!(
        listed(store),
        "10:3 add 4\n19:3 toggle 2\n27:3 get left 7\n28:30  4\n32:3 clear 0\n\
         13:14-13:15 2\n15:5-16:13 2\n22:7-22:47 1\n24:5-24:24 1"
    );
    assert_eq!(lines_not_run(store), [32, 33, 34, 35, 36]);
    // Names as they were before they were made short.
    let names: Vec<&str> =
        all.files["bundle/src/main.ts"].functions.values().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["render", "", "item.onclick", "", ""]);
    let plural = &all.files["bundle/src/plural.ts"];
    assert_eq!(listed(plural), "1:8 plural 7\n3:5-4:30 4\n5:5-8:36 3\n7:5-8:36 0");
    assert_eq!(lines_not_run(plural), [7, 8]);
}

#[test]
fn without_its_map_a_bundle_is_what_it_is() {
    let mut sample = bundle();
    for script in &mut sample.parsed {
        script.source_map_url.clear();
    }
    let mut all = announced(&sample);
    for take in &sample.takes {
        add(&mut all, take);
    }
    let all = all.so_far(APP);
    assert_eq!(all.files.len(), 1);
    let file = &all.files["bundle/out/app.js"];
    assert_eq!((file.loads, file.lines.clone()), (2, BTreeMap::from([(1, 2)])));
    assert_eq!(file.functions().to_string(), "18 of 19");
}

#[test]
fn scripts_in_a_document_are_at_their_place_in_it() {
    let sample = inline();
    let mut all = announced(&sample);
    for take in &sample.takes {
        add(&mut all, take);
    }
    let all = all.so_far(APP);
    assert_eq!(all.files.len(), 1, "eval has no file");
    let file = &all.files["inline/index.html"];
    assert_eq!(file.loads, 2);
    assert_eq!(
        listed(file),
        "5:1 first 3\n11:60 onclick 3\n11:111 never 0\n13:58  3\n\
         6:12-6:19 2\n6:20-6:26 1\n11:86-11:90 2\n14:29-16:6 1"
    );
    let lines: Vec<(u32, u64)> = file.lines.iter().map(|(line, hits)| (*line, *hits)).collect();
    assert_eq!(
        lines,
        [(5, 3), (6, 3), (7, 3), (11, 3), (13, 2), (14, 3), (15, 1), (16, 1), (17, 3), (18, 2)]
    );
}

#[test]
fn a_script_is_asked_for_until_it_is_given() {
    let sample = bundle();
    let mut all = Accumulator::default();
    all.parsed(1, &sample.parsed[0]);
    let wanted = all.wanted();
    assert_eq!(wanted.len(), 1);
    assert_eq!(wanted[0].map.as_deref(), Some("http://127.0.0.1:8377/bundle/out/app.js.map"));
    assert_eq!(all.wanted(), []);
    all.parsed(1, &ScriptParsed { script_id: "90".into(), ..sample.parsed[0].clone() });
    assert_eq!(all.wanted()[0].script_id, "90");
    all.give_source(1, "90", "x".into());
    all.parsed(2, &ScriptParsed { script_id: "90".into(), ..sample.parsed[0].clone() });
    assert_eq!(all.wanted(), []);
    // Another text under the same address is another script.
    all.parsed(
        2,
        &ScriptParsed { script_id: "91".into(), hash: "other".into(), ..sample.parsed[0].clone() },
    );
    assert_eq!(all.wanted().len(), 1);
}

#[test]
fn scripts_without_an_address_and_of_the_browser_do_not_count() {
    let mut all = Accumulator::default();
    for (url, id) in ["", "chrome-extension://x/a.js", "capuchin:collector"].iter().zip(1..) {
        let script_id = format!("{id}");
        all.parsed(0, &ScriptParsed { script_id, url: (*url).into(), ..ScriptParsed::default() });
    }
    assert_eq!(all.wanted(), []);
    let take = r#"{"result":[{"scriptId":"1","url":"","functions":[{"functionName":"f","ranges":
        [{"startOffset":0,"endOffset":9,"count":1}],"isBlockCoverage":true}]},
        {"scriptId":"99","url":"http://h/a.js","functions":[{"functionName":"f","ranges":
        [{"startOffset":0,"endOffset":9,"count":1}],"isBlockCoverage":true}]}]}"#;
    assert_eq!(all.add(0, &serde_json::from_str(take).unwrap()), 0);
    assert_eq!(all.so_far(APP), CodeCoverage::default());
}

#[test]
fn a_page_that_is_reloaded_for_ever_needs_no_more_memory() {
    let mut all = Accumulator::default();
    for id in 0..3 * MOST_SCRIPT_IDS {
        let script_id = format!("{id}");
        all.parsed(
            0,
            &ScriptParsed { script_id, url: "http://h/a.js".into(), ..ScriptParsed::default() },
        );
        all.wanted();
    }
    assert_eq!(all.scripts.len(), 1);
    assert_eq!(all.ids[&0].len(), MOST_SCRIPT_IDS);
}

#[test]
fn the_stack_of_a_crash_leads_to_the_sources() {
    let sample = bundle();
    let thrown = &sample.exceptions[0];
    let (url, text) = sample.maps.first_key_value().unwrap();
    let map = Arc::new(SourceMap::parse(text, url).unwrap());
    let script = |url: &str| url.ends_with("/app.js").then(|| map.clone());
    let frames: Vec<stack::Frame> = thrown.call_frames.iter().map(Into::into).collect();
    let frames = stack::traced_back(&frames, APP, script);
    assert_eq!(stack::place(&frames).as_deref(), Some("toggle (bundle/src/store.ts:22:13)"));
    // The same from the text of the error.
    let (message, frames) = stack::parse(&thrown.description);
    let frames = stack::traced_back(&frames, APP, script);
    assert_eq!(
        stack::render(&message, &frames),
        "RangeError: no note 99\n    \
         at r.toggle (bundle/src/store.ts:22:13)\n    \
         at bundle/src/main.ts:33:9\n  \
         and in libraries:\n    \
         at <anonymous>:1:30"
    );
}

proptest! {
    /// Several devices that each saw some of the takes know together what one would know.
    #[test]
    fn what_two_devices_saw_is_what_one_would_have_seen(
        seen_by_first in prop::collection::vec(any::<bool>(), 7),
        with_map in any::<bool>(),
    ) {
        let mut sample = bundle();
        for script in sample.parsed.iter_mut().filter(|_| !with_map) {
            script.source_map_url.clear();
        }
        let (mut one, mut two, mut both) =
            (announced(&sample), announced(&sample), announced(&sample));
        // The page was loaded on both: V8 lists what did not run only then.
        for all in [&mut one, &mut two] {
            add(all, &sample.takes[0]);
            add(&mut both, &sample.takes[0]);
        }
        for (take, first) in sample.takes.iter().zip(&seen_by_first) {
            add(if *first { &mut one } else { &mut two }, take);
            add(&mut both, take);
        }
        let mut merged = one.so_far(APP);
        merged.merge(&two.so_far(APP));
        let both = both.so_far(APP);
        prop_assert_eq!(merged.lines(), both.lines());
        prop_assert_eq!(merged.functions(), both.functions());
        // What was one block in the bundle may be two in the source, and in another order.
        for (name, file) in both.files.iter().filter(|_| !with_map) {
            for (span, hits) in &file.branches {
                prop_assert_eq!(merged.files[name].branches[span], *hits, "{} {:?}", name, span);
            }
        }
    }
}
