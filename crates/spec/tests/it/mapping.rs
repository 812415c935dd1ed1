//! The mapping of a planning model: what is read, what is lowered for objects, what is refused.

use capuchin_spec::{Level, Mapping, ModelFiles, Reading, parse};
use std::sync::Arc;

const WORDPAD: &str = r##"
model "wordpad.pddl" "two-files.pddl"
import "menus"
predicate savedAs
val entry(f) = item(f) in #files
object report-doc = "Report.doc"
object lst-files = #files
object n3 = 3
fact current(f) = text(#title) == f
fact in-directory(f, d) = isDisplayed(entry(f)) when text(#directory) == d
fact on-clipboard(t) = unseen
fact saved(f) = savedAs(f)
fact contains(f) = text(#text) == f
fact rows(n) = count(item) == n
operator open-file(f) = Click(entry(f)) :>> Click(button("Open"))
operator cut = { Click("Edit") :>> Click("Cut") } <+> Press("Control+x")
operator scan = unmapped
operator show(e) = Click(e)
verify changed, complete every 10
goal "open": "(current report-doc)"
case "cut": "(open-file report-doc) (cut)"
check go = auto plan "open" 20
"##;

fn mapping(source: &str) -> Arc<Mapping> {
    let parsed = parse("a.capu", source);
    let messages: Vec<String> = parsed.diagnostics.iter().map(ToString::to_string).collect();
    parsed.spec.unwrap_or_else(|| panic!("{messages:?}")).mapping.unwrap()
}

#[test]
fn what_a_file_says_of_a_model_is_kept() {
    let mapping = mapping(WORDPAD);
    let (ModelFiles::Pddl(domain, problem), _) = mapping.model() else { panic!("two files") };
    assert_eq!((domain.text.as_str(), problem.text.as_str()), ("wordpad.pddl", "two-files.pddl"));
    assert_eq!(mapping.verify().unwrap(), [(Level::Changed, 1), (Level::Complete, 10)]);
    let facts: Vec<String> =
        mapping.facts().map(|(name, arity)| format!("{}/{arity}", name.text)).collect();
    let expected =
        ["current/1", "in-directory/2", "on-clipboard/1", "saved/1", "contains/1", "rows/1"];
    assert_eq!(facts, expected);
    assert_eq!(
        mapping.asked_goals().map(|goal| goal.text.to_string()).collect::<Vec<_>>(),
        ["open"]
    );
}

#[test]
fn rules_are_lowered_for_objects() {
    let mapping = mapping(WORDPAD);
    let objects = ["report-doc", "other", "lst-files", "n3"];
    let ((), wrong) = mapping.instantiate(&[], &objects, |rules| {
        let mut fact = |name: &str, of: &[usize]| match rules.fact(name, of) {
            Some(Reading::Seen { prop, guard: None }) => prop.to_string(),
            Some(Reading::Seen { prop, guard: Some(guard) }) => format!("{prop} when {guard}"),
            other => format!("{other:?}"),
        };
        assert_eq!(fact("current", &[0]), r#"text(#title) == "Report.doc""#);
        assert_eq!(fact("CURRENT", &[1]), r#"text(#title) == "other""#);
        let shown =
            r##"isDisplayed(item("Report.doc") in #files) when text(#directory) == "other""##;
        assert_eq!(fact("in-directory", &[0, 1]), shown);
        assert_eq!(fact("on-clipboard", &[0]), "Some(Unseen)");
        assert_eq!(fact("saved", &[0]), r#"savedAs("Report.doc")"#);
        assert_eq!(fact("rows", &[3]), "count(item) == 3");
        assert_eq!(fact("current", &[0, 1]), "None");
        let mut operator = |name: &str, of: &[usize]| {
            rules.operator(name, of).flatten().map(|it| it.to_string()).unwrap_or_default()
        };
        let open = r##"Click(item("other") in #files) :>> Click(button("Open"))"##;
        assert_eq!(operator("open-file", &[1]), open);
        assert_eq!(operator("show", &[2]), "Click(#files)");
        assert_eq!(operator("show", &[1]), r#"Click("other")"#);
        assert_eq!(rules.operator("scan", &[]), Some(None));
        assert_eq!(rules.operator("absent", &[]), None);
    });
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_mapping_prints_as_a_file_that_reads_back() {
    let spec = parse("a.capu", WORDPAD).spec.unwrap();
    let again = parse("b.capu", &spec.to_string());
    assert_eq!(again.spec.as_ref(), Some(&spec), "{spec}\n{:?}", again.diagnostics);
}

#[test]
fn an_object_of_the_wrong_kind_is_told_where_it_is_used() {
    let mapping = mapping("model \"a.pddl\" \"b.pddl\"\nobject x = #x\nfact p(a) = text(#t) == a");
    let (_, wrong) = mapping.instantiate(&[], &["x"], |rules| rules.fact("p", &[0]));
    assert_eq!(wrong[0].to_string(), "expected a value, found an element");
}

#[test]
fn a_library_gives_rules_that_the_file_may_replace() {
    let mapping = mapping(WORDPAD);
    let place = mapping.imports().next().unwrap().place;
    let library = "fact current(f) = false\nfact menu-open(m) = isDisplayed(menu(m))\nfact titled(e) = text(#t) == e";
    let library = Mapping::library(place, "menus", library).unwrap();
    let ((), wrong) = mapping.instantiate(&[library], &["other", "lst-files"], |rules| {
        let own = rules.fact("current", &[0]).unwrap();
        assert!(matches!(own, Reading::Seen { prop, .. } if prop.to_string().contains("title")));
        let library = rules.fact("menu-open", &[0]).unwrap();
        assert!(
            matches!(library, Reading::Seen { prop, .. } if prop.to_string().contains("other"))
        );
        rules.fact("titled", &[1]);
    });
    assert_eq!(wrong.len(), 1);
    let message = "the library's `titled` cannot be used with these objects";
    assert_eq!(wrong[0].to_string(), message);
}

#[test]
fn mistakes_have_a_place() {
    let check = |source: &str, expected: &str| {
        let parsed = parse("a.capu", source);
        let messages: Vec<String> = parsed.diagnostics.iter().map(ToString::to_string).collect();
        assert_eq!(messages, [expected], "{source}");
        assert!(parsed.spec.is_none(), "{source}");
    };
    let with = |line: &str| format!("model \"a.pddl\" \"b.pddl\"\n{line}");
    check("fact p = true", "there is no model");
    check("model \"a.pddl\"", "a model is two files");
    check("model a", "expected the name of a model's file, found `a`");
    check(&with("fact p(a, a) = true"), "`a` is defined twice");
    check(&with("fact p = Click(#a)"), "expected a property, found a generator");
    check(&with("operator o = isDisplayed(#a)"), "expected a generator, found a property");
    check(&with("fact p(a) = q(a)"), "unknown name `q`");
    check(&with("fact p = true\nfact P = false"), "there are two lines for the fact `P`");
    check(&with("verify changing"), "`changing` is not a level of verification");
    check(&with("verify changed every 0"), "steps are between 1 and 1,000,000");
    check(&with("verify changed\nverify relevant"), "a file has one `verify`");
    check(&with("goal \"a\" \"(b)\""), "expected `:`, found the text \"(b)\"");
    check("check a = auto plan \"x\" 3", "`auto plan` needs a model");
    check(&with("check a = auto plan 3"), "a plan needs a goal");
}

#[test]
fn the_words_of_a_mapping_are_names_elsewhere() {
    for word in ["model", "import", "object", "fact", "operator", "verify", "goal", "case"] {
        let source = format!("val {word} = Click(#a)\ncheck a = {word} :>> {word}\n");
        let parsed = parse("a.capu", &source);
        assert!(parsed.spec.is_some(), "{source}: {:?}", parsed.diagnostics);
    }
}
