//! The responsive patterns of table 1 of the Rx paper, in the order of their simplicity, each with
//! its counterpart on web pages.
//!
//! One file each: a pattern is an observation about how apps are designed, and is added, changed or
//! taken away by itself.

mod controlled;
mod disclose;
mod dismiss;
mod divide_detail;
mod divide_list;
mod expand;
mod expand_around;
mod expand_described;
mod expand_navigation;
mod menu;
mod navigate_up;
mod options_button;
mod pager;
mod pager_child;
mod scroll;
mod tab;
mod tab_ancestor;
mod toggle;
mod type_again;
mod wait;

use crate::situation::{ResponsivePattern, Situation};
use crate::words::{Word, common, words_of_id, words_of_text};
use capuchin::ui::{Element, Role, State};
use std::sync::Arc;

/// All of them, the simplest first. Seven are no patterns of the paper: time passes, what is
/// covered is uncovered, a text that came too early is typed again, what an app says of itself is
/// believed, what is hidden is opened by what stands beside it, closed parts of the navigation are
/// opened, and at last whatever is closed.
pub(crate) fn all() -> Vec<Arc<dyn ResponsivePattern>> {
    vec![
        Arc::new(wait::Wait),
        Arc::new(dismiss::Dismiss),
        Arc::new(type_again::TypeAgain),
        Arc::new(controlled::Controlled),
        Arc::new(disclose::Disclose),
        Arc::new(expand::Expand),
        Arc::new(expand_around::ExpandAround),
        Arc::new(expand_described::ExpandDescribed),
        Arc::new(scroll::Scroll),
        Arc::new(expand_navigation::ExpandNavigation),
        Arc::new(options_button::OptionsButton),
        Arc::new(menu::Menu),
        Arc::new(tab::Tab),
        Arc::new(tab_ancestor::TabAncestor),
        Arc::new(pager::Pager),
        Arc::new(pager_child::PagerChild),
        Arc::new(divide_detail::DivideDetail),
        Arc::new(divide_list::DivideList),
        Arc::new(navigate_up::NavigateUp),
        Arc::new(toggle::Toggle),
    ]
}

/// Whether one name begins with the other, at the end of a word; neither is empty, and they are not
/// the same.
fn is_beginning(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.len() >= 2
        && long.strip_prefix(short).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        && short != long
}

/// How many of these words are in the name, the hint, the id or the classes of an element.
fn says(situation: &Situation<'_>, index: usize, words: &[Word]) -> usize {
    let element = situation.present.element(index);
    let view = &situation.present.views[index];
    let hint = crate::words::set(words_of_text(&element.hint));
    let all = [&view.name_words, &hint, &view.id_words, &view.classes];
    words.iter().filter(|word| all.iter().any(|set| common(set, &[**word]) > 0)).count()
}

/// The words of a text, for lists of words.
fn words(text: &str) -> Vec<Word> {
    text.split(' ').flat_map(words_of_id).collect()
}

/// Whether an element is a link that opens another page or another place of this one, and no button
/// in all but name (`href="#"`).
fn leads_away(element: &Element) -> bool {
    element.role == Role::Link && element.leads_to.len() > 1 && !element.is(State::EXPANDABLE)
}

/// Whether an element is small: a button, and no row or card.
fn is_small(situation: &Situation<'_>, element: &Element) -> bool {
    let size = situation.present.screen.viewport;
    let (width, height) = (element.bounds.width, element.bounds.height);
    width <= 160.max(size.width / 3) && height <= 96
}
