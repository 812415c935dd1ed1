//! What elements are called, beside what they must be called: pages of the Web Platform Tests, each
//! with the accessible name of an element.

use anyhow::{Context, Result, bail};
use capuchin::ui::{Selector, Stop};
use capuchin::{Action, step};
use capuchin_web::{Opener, Options, Server, WebDevice};
use serde_json::{Value, json};
use std::path::Path;

pub(super) const USAGE: &str = "usage: cargo xtask bench names DIR

DIR has pages/ and expect.json: a list of {\"page\": FILE, \"expect\": [{\"id\", \"name\"}]}.";

/// Runs it.
pub(super) fn run(args: &[&str]) -> Result<()> {
    let [directory] = args else { bail!("{USAGE}") };
    let directory = Path::new(directory);
    let expected = directory.join("expect.json");
    let text = std::fs::read_to_string(&expected)
        .with_context(|| format!("{} cannot be read", expected.display()))?;
    let pages: Vec<Value> = serde_json::from_str(&text)?;
    // One page after the other at one address: a reset is faster than another device.
    let shown = super::scratch("names")?;
    let mut device: Option<WebDevice> = None;
    let server = Server::start(&shown)?;
    let (mut right, mut of) = (0, 0);
    for page in &pages {
        let file = page["page"].as_str().context("a page without a name")?;
        std::fs::copy(directory.join("pages").join(file), shown.join("index.html"))
            .with_context(|| format!("pages/{file} cannot be read"))?;
        let device = match &mut device {
            Some(device) => device,
            None => {
                let options = Options::parse(&format!("{}/", server.origin()))?;
                device.insert(Opener::new("web:names", options).open()?)
            }
        };
        let seen = step(device, Action::Reset(1), &Stop::default())?;
        for expected in page["expect"].as_array().context("a page without names")? {
            let id = expected["id"].as_str().context("an element without an id")?;
            let name = expected["name"].as_str().context("an element without a name")?;
            let hidden = || seen.screen.elements.iter().find(|element| element.id == id);
            let element = seen.screen.first(&Selector::id(id)).or_else(hidden);
            of += 1;
            match element.map(|element| element.text.as_str()) {
                Some(called) if called == name => right += 1,
                called => println!("{file} #{id}: expected {name:?}, seen {called:?}"),
            }
        }
    }
    println!("{}", json!({"right": right, "of": of}));
    Ok(())
}
