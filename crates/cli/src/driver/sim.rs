//! `sim:NAME`: the sample apps, which need nothing to be installed.

use super::{Driver, NameOptions, OpenDevice, OpenRequest};
use crate::args::parse_size;
use crate::exit::Problem;

pub(super) struct Sim;

impl Driver for Sim {
    fn scheme(&self) -> &'static str {
        "sim"
    }

    fn devices(&self) -> String {
        let samples = capuchin_apps::all();
        let width = samples.iter().map(|sample| sample.name.len()).max().unwrap_or_default();
        let mut text = String::from("Simulated apps, nothing to install:\n");
        for sample in samples {
            text.push_str(&format!("  sim:{:width$}  {}\n", sample.name, sample.about));
        }
        text.push_str("Each app with bugs is also there without them: sim:music-fixed\n");
        text
    }

    fn name_with(&self, name: &str, options: &NameOptions<'_>) -> Result<String, Problem> {
        options.only_viewport(name)?;
        Ok(match options.viewport {
            Some(size) => format!("{}@{size}", self.app(name)),
            None => name.to_owned(),
        })
    }

    fn needs_trust(&self, _: &str) -> Vec<String> {
        // A simulated app does nothing beyond itself.
        Vec::new()
    }

    fn app<'n>(&self, name: &'n str) -> &'n str {
        name.split_once('@').map_or(name, |(app, _)| app)
    }

    fn opener(&self, request: &OpenRequest<'_>) -> Result<OpenDevice, Problem> {
        let app = self.app(request.address).to_owned();
        let viewport = match request.address.split_once('@') {
            Some((_, size)) => Some(parse_size(size).map_err(Problem::request)?),
            None => None,
        };
        let name = request.name.to_owned();
        Ok(Box::new(move |_| {
            let opened = match viewport {
                Some(size) => capuchin_apps::open_with(&app, size),
                None => capuchin_apps::open(&app),
            };
            opened.ok_or_else(|| {
                let names = capuchin_apps::all().iter().map(|sample| sample.name);
                Problem::request(format!("unknown device `{name}`: there is no app `{app}`"))
                    .suggest(&app, names)
            })
        }))
    }
}
