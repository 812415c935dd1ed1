//! The readers of a run's events: the terminal, the run directory, the page, the progress line.
//!
//! On its own because a check and an exploration have the same ones.

use crate::exit::{say, warn};
use crate::progress::ProgressLine;
use capuchin::log::{Observer, RunEvent};
use capuchin::ui::CodeCoverage;
use capuchin_explore::ModelError;
use capuchin_mission::RunDirectory;
use capuchin_report::{HtmlReport, Terminal, exploration_json, istanbul, junit, lcov, quoted};
use std::path::Path;

/// The readers of the run's events.
pub(crate) struct Readers {
    terminal: Terminal<anstream::AutoStream<std::io::Stdout>>,
    directory: RunDirectory,
    progress: ProgressLine,
    page: HtmlReport,
    events: Vec<RunEvent>,
    /// Whether a saved failure names a device that is opened only if it is trusted.
    needs_trust: bool,
}

impl Observer for Readers {
    fn observe(&mut self, event: &RunEvent) {
        self.directory.observe(event);
        self.page.observe(event);
        // Cases come by the million: only the log keeps each of them.
        if !matches!(event, RunEvent::CaseFinished { .. }) {
            let mut event = event.clone();
            if let RunEvent::FailureFound(failure) | RunEvent::FailureShrunk(failure) = &mut event {
                // They are on disk: a long run with many failures must not keep them in memory.
                failure.film.iter_mut().for_each(|frame| frame.image = None);
            }
            self.events.push(event);
        }
        // What is not printed leaves the line of the progress where it is.
        if !matches!(event, RunEvent::CaseFinished { .. } | RunEvent::Explored(_)) {
            self.progress.clear();
        }
        self.terminal.observe(event);
        self.progress.observe(event);
    }
}

impl Readers {
    pub(crate) fn new(directory: RunDirectory, progress: ProgressLine, needs_trust: bool) -> Self {
        Readers {
            terminal: Terminal::new(anstream::stdout()),
            directory,
            progress,
            page: HtmlReport::default(),
            events: Vec::new(),
            needs_trust,
        }
    }

    /// Keeps what ran of the app's code, in the formats that other tools read.
    pub(crate) fn add_coverage(&mut self, coverage: &CodeCoverage) {
        self.directory.add_coverage("lcov.info", lcov(coverage));
        self.directory.add_coverage("coverage-final.json", istanbul(coverage));
    }

    /// What was learned could not be kept.
    pub(crate) fn lost(&mut self, problem: ModelError) {
        if let ModelError::Unwritable { path, source } = problem {
            self.directory.note(path, Err(source));
        }
    }

    /// Writes the reports, and says where they are.
    pub(crate) fn finish(&mut self, quiet: bool) {
        self.progress.clear();
        self.directory.add(RunDirectory::JUNIT, junit(&self.events));
        if let Some(exploration) = exploration_json(&self.events) {
            self.directory.add(RunDirectory::EXPLORATION, exploration);
        }
        let pictures = |name: &str| RunDirectory::read_picture(self.directory.path(), name);
        let path = self.directory.path().display().to_string();
        let page = self.page.render(&path, &pictures);
        self.directory.add(RunDirectory::REPORT, page);
        let report = RunDirectory::REPORT;
        let first = self.events.iter().find_map(|event| match event {
            RunEvent::FailureFound(failure) => Some(RunDirectory::failure_file(failure)),
            _ => None,
        });
        if !quiet {
            say("");
            say(&format!("saved in {path}; look at {path}/{report}"));
            if let Some(first) = first {
                let trust = if self.needs_trust { " --trust" } else { "" };
                say(&format!(
                    "reproduce: capuchin run{trust} {}",
                    quoted(&format!("{path}/{first}"))
                ));
            }
        }
        match self.terminal.problem() {
            Some(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                warn(&format!("cannot write the report: {error}"));
            }
            _ => {}
        }
        if let Some(warning) = missing(&self.directory) {
            warn(&warning);
        }
    }
}

/// What the run directory lacks, and what that means.
fn missing(directory: &RunDirectory) -> Option<String> {
    let missing = directory.missing();
    let (first, error) = missing.first()?;
    let count = match missing.len() {
        1 => String::new(),
        count => format!("; {count} files are missing in all"),
    };
    let is_model = |path: &Path| {
        let model = Path::new(RunDirectory::MODEL);
        path.ends_with(model) || path.parent().is_some_and(|it| it.ends_with(RunDirectory::MODELS))
    };
    let resumed = match missing.iter().any(|(path, _)| is_model(path)) {
        true => "; the run cannot be resumed",
        false => "",
    };
    let first = first.display();
    Some(format!("cannot write {first}: {error}{count}; the verdicts do not depend on it{resumed}"))
}
