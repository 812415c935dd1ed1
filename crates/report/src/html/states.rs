//! The states of a map as a table: what the drawing shows, for who cannot see it or wants to search
//! it.

use super::graph::{Graph, shortened};
use super::markup::Markup;
use super::thumbnails::Thumbnails;
use crate::standing::{plural, thousands};

/// The most other states that are listed beside a state, and inputs beside each of them.
const MOST_ENDS: usize = 24;
const MOST_INPUTS: usize = 3;
/// The room for a picture in the table.
const PICTURE: (f64, f64) = (190.0, 150.0);

/// Writes the table.
pub(super) fn write(page: &mut Markup, graph: &Graph<'_>, thumbnails: &Thumbnails) {
    page.raw("<details class=\"states\"><summary>The ")
        .text(&plural(graph.states.len(), "state"))
        .raw(" as a table</summary>\n<table><thead><tr>");
    let pictures = !thumbnails.is_empty();
    for name in ["State", "Visits", "Enabled", "Untried"] {
        page.raw("<th scope=\"col\">").raw(name).raw("</th>");
    }
    page.raw("<th scope=\"col\">Leads to</th>");
    page.raw(if pictures { "<th scope=\"col\">Picture</th>" } else { "" });
    page.raw("</tr></thead>\n<tbody>\n");
    for (place, (_, state)) in graph.states.iter().enumerate() {
        page.raw("<tr")
            .attr("id", &graph.anchor_of(place))
            .raw("><th scope=\"row\"><bdi>")
            .text(&graph.name(place))
            .raw("</bdi></th>");
        for (name, value) in
            [("visits", state.visits), ("enabled", state.enabled), ("untried", state.untried)]
        {
            page.raw("<td class=\"count\"").attr("data-name", name);
            page.raw(">").text(&thousands(value.into())).raw("</td>");
        }
        page.raw("<td class=\"ends\"><ul>");
        ends(page, graph, place);
        page.raw("</ul></td>");
        if pictures {
            page.raw("<td class=\"shown\">");
            if let Some(picture) = thumbnails.get(state.picture.as_deref()) {
                let (wide, high) = picture.fitted(PICTURE);
                page.raw("<svg aria-hidden=\"true\"")
                    .attr("width", &format!("{wide:.1}"))
                    .attr("height", &format!("{high:.1}"))
                    .raw(">");
                picture.show(page, (0.0, 0.0), PICTURE);
                page.raw("</svg>");
            }
            page.raw("</td>");
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></details>\n");
}

/// What a state leads to, and by which inputs.
fn ends(page: &mut Markup, graph: &Graph<'_>, place: usize) {
    let mut all = graph.links.range((place, 0)..(place + 1, 0));
    for ((_, to), inputs) in all.by_ref().take(MOST_ENDS) {
        page.raw("<li>");
        match *to == place {
            true => page.raw("itself"),
            false => page
                .raw("<a")
                .attr("href", &format!("#{}", graph.anchor_of(*to)))
                .raw("><bdi>")
                .text(&shortened(&graph.name(*to), 60))
                .raw("</bdi></a>"),
        };
        for input in inputs.iter().take(MOST_INPUTS) {
            page.raw(" <code>").text(&shortened(input, 80)).raw("</code>");
        }
        if inputs.len() > MOST_INPUTS {
            page.raw(" and ").show(inputs.len() - MOST_INPUTS).raw(" more");
        }
        page.raw("</li>");
    }
    let more = all.count();
    if more > 0 {
        page.raw("<li>and ").text(&plural(more, "other state")).raw("</li>");
    }
}
