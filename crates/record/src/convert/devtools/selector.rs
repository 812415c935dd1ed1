//! The element that the selectors of a step describe, as far as they do: `aria/`, CSS, `xpath/`,
//! `pierce/` and `text/`.
//!
//! On its own because it is a small reader of two languages. What it does not understand it leaves
//! out: a replay compares what is left with what is there, and refuses what is not clear.

use capuchin::ui::{Element, Rect, Role, State};
use serde_json::Value;

/// The element that the selectors of a step describe; `None` if they say nothing that can be
/// recognized on a screen.
pub(super) fn described(step: &Value) -> Option<Element> {
    let selectors = step.get("selectors").and_then(Value::as_array)?;
    let mut element = Element {
        state: State::DISPLAYED | State::ENABLED,
        bounds: Rect::new(0, 0, 10, 10),
        ..Element::default()
    };
    for selector in selectors {
        // One that goes through shadow trees ends with the element.
        let last = match selector {
            Value::Array(parts) => parts.last().and_then(Value::as_str),
            selector => selector.as_str(),
        };
        if let Some(last) = last {
            describe(&mut element, last);
        }
    }
    let is_empty = [&element.id, &element.text, &element.hint, &element.classes, &element.native]
        .iter()
        .all(|said| said.is_empty());
    (!is_empty || element.role != Role::Group).then_some(element)
}

/// Whether the selectors of a step say that texts are typed there: the tag `input` alone may be a
/// slider or a date.
pub(super) fn is_text_field(step: &Value) -> bool {
    let says = |selector: &Value| {
        let mut element = Element::default();
        if let Some(name) = selector.as_str().and_then(|text| text.strip_prefix("aria/")) {
            by_name(&mut element, name);
        }
        element.role == Role::Field
    };
    let selectors = step.get("selectors").and_then(Value::as_array);
    let last = |selector: &Value| match selector {
        Value::Array(parts) => parts.last().is_some_and(says),
        selector => says(selector),
    };
    selectors.is_some_and(|selectors| selectors.iter().any(last))
        || described(step).is_some_and(|element| element.native == "textarea")
}

fn describe(element: &mut Element, selector: &str) {
    if let Some(name) = selector.strip_prefix("aria/") {
        by_name(element, name);
    } else if let Some(text) = selector.strip_prefix("text/") {
        if element.text.is_empty() {
            element.text = text.trim().into();
        }
    } else if let Some(path) = selector.strip_prefix("xpath/") {
        by_path(element, path);
    } else {
        let css = selector.strip_prefix("pierce/").or(selector.strip_prefix("css/"));
        by_css(element, css.unwrap_or(selector));
    }
}

/// `Name[role="button"]`: what a browser calls it.
fn by_name(element: &mut Element, selector: &str) {
    let (name, role) = match selector.rsplit_once("[role=") {
        Some((name, role)) => (name, role.trim_end_matches(']').trim_matches(['"', '\''])),
        None => (selector, ""),
    };
    // A name by role is better than a text.
    if !name.trim().is_empty() {
        element.text = name.trim().into();
    }
    if let Some((_, role)) = ROLES.iter().find(|(aria, _)| *aria == role) {
        element.role = *role;
    }
}

/// The last part of an XPath: its tag, and what its predicates say.
fn by_path(element: &mut Element, path: &str) {
    let last = split_outside(path, |c| c == '/').pop().unwrap_or_default();
    let (tag, predicates) = last.split_at(last.find('[').unwrap_or(last.len()));
    if tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        set_tag(element, tag);
    }
    for predicate in predicates.split(']').map(|part| part.trim_start_matches('[').trim()) {
        let Some((subject, value)) = predicate.split_once('=') else { continue };
        let value = value.trim().trim_matches(['"', '\'']);
        match subject.trim() {
            "text()" | "." | "normalize-space()" if element.text.is_empty() => {
                element.text = value.trim().into();
            }
            attribute => {
                let name = attribute.strip_prefix('@').unwrap_or_default();
                set_attribute(element, name, value);
            }
        }
    }
}

/// The last compound of a CSS selector: its tag, id, classes and attributes.
fn by_css(element: &mut Element, css: &str) {
    let is_combinator = |c: char| c.is_whitespace() || matches!(c, '>' | '+' | '~');
    let mut compounds = split_outside(css, is_combinator);
    compounds.retain(|compound| !compound.is_empty());
    let last = compounds.pop().unwrap_or_default();
    let mut rest = last.as_str();
    let tag = name_at(&mut rest);
    if !tag.is_empty() {
        set_tag(element, &tag);
    }
    while let Some(mark) = rest.chars().next() {
        rest = &rest[mark.len_utf8()..];
        match mark {
            '#' => {
                let id = name_at(&mut rest);
                set_attribute(element, "id", &id);
            }
            '.' => {
                let class = name_at(&mut rest);
                set_attribute(element, "class", &class);
            }
            '[' => {
                let (inside, after) = rest.split_once(']').unwrap_or((rest, ""));
                rest = after;
                if let Some((name, value)) = inside.split_once('=') {
                    let value = value.trim_end_matches(" i").trim().trim_matches(['"', '\'']);
                    let name = name.trim_end_matches(['*', '^', '$', '~', '|']).trim();
                    set_attribute(element, name, &value.replace('\\', ""));
                }
            }
            // A pseudo class says where it is among others, and not what it is.
            _ => {}
        }
    }
}

fn set_tag(element: &mut Element, tag: &str) {
    if element.native.is_empty() {
        element.native = tag.to_ascii_lowercase().into();
    }
    if element.role == Role::Group
        && let Some((_, role)) = TAGS.iter().find(|(name, _)| *name == element.native)
    {
        element.role = *role;
    }
}

fn set_attribute(element: &mut Element, name: &str, value: &str) {
    let place = match name {
        "id" | "data-testid" | "data-test" | "data-test-id" | "data-cy" | "data-qa" => {
            &mut element.id
        }
        "aria-label" | "alt" | "title" => &mut element.text,
        "placeholder" => &mut element.hint,
        "class" => {
            let classes = format!("{} {value}", element.classes);
            element.classes = classes.trim().into();
            return;
        }
        _ => return,
    };
    if place.is_empty() {
        *place = value.into();
    }
}

/// A name at the beginning of a text, without its escapes; the text goes on behind it.
fn name_at(rest: &mut &str) -> String {
    let mut name = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.clone().next() {
        match c {
            '\\' => {
                chars.next();
                name.push_str(&escaped(&mut chars));
            }
            c if c.is_alphanumeric() || "-_".contains(c) || !c.is_ascii() => {
                name.push(c);
                chars.next();
            }
            _ => break,
        }
    }
    *rest = chars.as_str();
    name
}

/// What follows a backslash: a character, or its number and a space.
fn escaped(chars: &mut std::str::Chars<'_>) -> String {
    let text = chars.as_str();
    let digits = text.chars().take(6).take_while(char::is_ascii_hexdigit).count();
    if digits == 0 {
        return chars.next().map(String::from).unwrap_or_default();
    }
    let c = u32::from_str_radix(&text[..digits], 16).ok().and_then(char::from_u32);
    let after = &text[digits..];
    *chars = after.strip_prefix(' ').unwrap_or(after).chars();
    c.map(String::from).unwrap_or_default()
}

/// Parts a text where `is_cut`, outside of quotes, brackets and escapes.
fn split_outside(text: &str, is_cut: impl Fn(char) -> bool) -> Vec<String> {
    let (mut parts, mut quote, mut depth) = (vec![String::new()], None, 0u32);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let is_outside = quote.is_none() && depth == 0;
        match c {
            '\\' => {
                // With the space that ends a number.
                let rest = chars.as_str();
                let digits = rest.chars().take(6).take_while(char::is_ascii_hexdigit).count();
                let ends = digits > 0 && rest[digits..].starts_with(' ');
                let length = digits.max(1) + usize::from(ends);
                let escaped: Vec<char> = chars.by_ref().take(length).collect();
                if let Some(part) = parts.last_mut() {
                    part.push(c);
                    part.extend(escaped);
                }
                continue;
            }
            '"' | '\'' if quote == Some(c) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(c),
            '[' | '(' if quote.is_none() => depth += 1,
            ']' | ')' if quote.is_none() => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            _ if is_outside && is_cut(c) => parts.push(String::new()),
            Some(part) => part.push(c),
            None => {}
        }
    }
    parts
}

/// ARIA roles, as the panel writes them.
const ROLES: &[(&str, Role)] = &[
    ("button", Role::Button),
    ("checkbox", Role::Checkbox),
    ("textbox", Role::Field),
    ("searchbox", Role::Field),
    ("heading", Role::Heading),
    ("link", Role::Link),
    ("img", Role::Image),
    ("image", Role::Image),
    ("radio", Role::Radio),
    ("switch", Role::Switch),
    ("slider", Role::Slider),
    ("combobox", Role::Combobox),
    ("option", Role::Choice),
    ("tab", Role::Tab),
    ("menuitem", Role::Command),
    ("listitem", Role::Item),
];

/// What a tag is, without a role.
const TAGS: &[(&str, Role)] = &[
    ("button", Role::Button),
    ("a", Role::Link),
    ("input", Role::Field),
    ("textarea", Role::Field),
    ("select", Role::Combobox),
    ("option", Role::Choice),
    ("li", Role::Item),
    ("img", Role::Image),
    ("label", Role::Label),
];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(selectors: &Value, expected: (Role, &str, &str, &str)) {
        let element = described(&json!({ "selectors": selectors })).unwrap_or_default();
        let Element { role, id, text, native, .. } = &element;
        assert_eq!((*role, id.as_str(), text.as_str(), native.as_str()), expected, "{selectors}");
    }

    #[test]
    fn each_kind_of_selector_says_what_it_can() {
        let group = Role::Group;
        for (selector, expected) in [
            ("aria/Save[role=\"button\"]", (Role::Button, "", "Save", "")),
            ("aria/Save", (group, "", "Save", "")),
            ("aria/[role=\"textbox\"]", (Role::Field, "", "", "")),
            ("text/Save all", (group, "", "Save all", "")),
            ("#save", (group, "save", "", "")),
            ("css/form > button#save:hover", (Role::Button, "save", "", "button")),
            ("pierce/#root main button.primary", (Role::Button, "", "", "button")),
            ("[data-testid='a b > c']", (group, "a b > c", "", "")),
            ("input[placeholder=\"Name\"]", (Role::Field, "", "", "input")),
            ("button[aria-label='Close it' i]", (Role::Button, "", "Close it", "button")),
            ("#a\\:b", (group, "a:b", "", "")),
            ("#\\31 0", (group, "10", "", "")),
            ("li:nth-of-type(2) > a", (Role::Link, "", "", "a")),
            ("xpath///*[@id=\"save\"]", (group, "save", "", "")),
            ("xpath//html/body/div[2]/button[@data-testid='x']", (Role::Button, "x", "", "button")),
            ("xpath///a[text()='More / less']", (Role::Link, "", "More / less", "a")),
        ] {
            check(&json!([[selector]]), expected);
            check(&json!([selector]), expected);
        }
    }

    #[test]
    fn several_selectors_add_up_and_a_shadow_tree_ends_with_the_element() {
        let all = json!([["aria/Save[role=\"button\"]"], ["#host", "#save"], ["xpath///x/button"]]);
        check(&all, (Role::Button, "save", "Save", "button"));
    }

    #[test]
    fn what_says_nothing_describes_nothing() {
        for selectors in [json!([]), json!([["aria/"]]), json!([[":root > *"]]), json!([[7]])] {
            assert!(described(&json!({ "selectors": selectors })).is_none(), "{selectors}");
        }
        assert!(described(&json!({})).is_none());
    }

    #[test]
    fn a_field_for_texts_is_known_by_its_role_or_tag() {
        for (selectors, expected) in [
            (json!([["#a"], ["aria/Name[role=\"textbox\"]"]]), true),
            (json!(["aria/[role=\"searchbox\"]"]), true),
            (json!([["form > textarea"]]), true),
            (json!([["aria/Size"], ["input#size"]]), false),
            (json!([["aria/Size[role=\"combobox\"]"]]), false),
            (json!([]), false),
        ] {
            assert_eq!(is_text_field(&json!({ "selectors": selectors })), expected, "{selectors}");
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic() {
        for text in
            ["[", "\\", "#\\", "a[b=\"", "xpath/[", "é#ö.ü", "#\\ffffff", "(((", "xpath//]]["]
        {
            let _ = described(&json!({ "selectors": [[text]] }));
        }
    }
}
