//! How other tools find an element: by its id, else by its role and name, else by its text.

use capuchin::ui::{Element, Role, Screen, State};

/// The ARIA role of an element, where there is one that tools know.
pub(super) fn aria(element: &Element) -> Option<&'static str> {
    Some(match element.role {
        Role::Button => "button",
        Role::Checkbox => "checkbox",
        Role::Field if element.native == "input" || element.native == "textarea" => "textbox",
        Role::Heading => "heading",
        Role::Link => "link",
        Role::Image => "img",
        Role::Radio => "radio",
        Role::Switch => "switch",
        Role::Slider => "slider",
        Role::Combobox => "combobox",
        Role::Choice => "option",
        Role::Tab => "tab",
        Role::Command => "menuitem",
        Role::Dialog => "dialog",
        _ => return None,
    })
}

/// Which one it is of the displayed elements that fit, and whether there are others.
pub(super) fn nth(screen: &Screen, index: usize, fits: impl Fn(&Element) -> bool) -> Option<usize> {
    let all = screen.elements.iter().enumerate();
    let like: Vec<usize> = all
        .filter(|(_, element)| element.is(State::DISPLAYED) && fits(element))
        .map(|(index, _)| index)
        .collect();
    (like.len() > 1).then(|| like.iter().position(|other| *other == index)).flatten()
}

/// The number of each frame around an element among the frames beside it, from the outside in.
pub(super) fn frames(screen: &Screen, index: usize) -> Vec<usize> {
    let mut frames = Vec::new();
    let mut at = screen.elements.get(index).and_then(|element| element.parent);
    while let Some(parent) = at {
        let parent = parent as usize;
        if is_frame(&screen.elements[parent]) {
            frames.push(parent);
        }
        at = screen.elements[parent].parent;
    }
    frames.reverse();
    let mut around = None;
    frames
        .into_iter()
        .map(|frame| {
            let is_beside = |other: &usize| frame_around(screen, *other) == around;
            let before =
                (0..frame).filter(|other| is_frame(&screen.elements[*other])).filter(is_beside);
            let number = before.count();
            around = Some(frame);
            number
        })
        .collect()
}

fn is_frame(element: &Element) -> bool {
    matches!(element.native.as_str(), "iframe" | "frame")
}

fn frame_around(screen: &Screen, index: usize) -> Option<usize> {
    let mut at = screen.elements[index].parent;
    while let Some(parent) = at {
        if is_frame(&screen.elements[parent as usize]) {
            return Some(parent as usize);
        }
        at = screen.elements[parent as usize].parent;
    }
    None
}
