//! The problems of the planning competitions: solved, validated, and compared with Fast Downward.

use super::{Asked, PACKAGES};
use anyhow::{Context, Result, bail};
use capuchin_plan::{GroundLimits, Limits, Model, Task};
use nix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const VALIDATOR: &str = include_str!("validate.py");
const FAST_DOWNWARD: &str = include_str!("lama_first.py");
/// What a process may take, in kilobytes.
const MEMORY: u64 = 8 << 20;

/// What one planner did on one problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved {
    pub(super) seconds: f64,
    length: usize,
}

/// A problem, and what became of it.
pub(super) struct Row {
    name: String,
    domain: PathBuf,
    problem: PathBuf,
    plan: PathBuf,
    pub(super) ours: Option<Solved>,
    said: String,
    pub(super) fast_downward: Option<Solved>,
    is_valid: bool,
}

impl Row {
    pub(super) fn new(name: String, domain: PathBuf, problem: PathBuf, plans: &Path) -> Self {
        let plan = plans.join(format!("{}.plan", name.replace(['/', '.'], "-")));
        let (ours, said, fast_downward, is_valid) = (None, String::new(), None, false);
        Row { name, domain, problem, plan, ours, said, fast_downward, is_valid }
    }

    /// Solves it with both planners, and prints what came of it.
    pub(super) fn solve(&mut self, asked: &Asked, python: &Path, scratch: &Path) -> Result<()> {
        (self.ours, self.said) = ours(self, asked.seconds)?;
        self.fast_downward = fast_downward(self, asked.seconds, python, scratch)?;
        self.print();
        Ok(())
    }

    fn print(&self) {
        let seconds = |it: Option<Solved>| it.map_or("-".into(), |it| format!("{:.2}", it.seconds));
        let length = |it: Option<Solved>| it.map_or("-".into(), |it| it.length.to_string());
        println!(
            "{:<44}{:>9}{:>9}{:>8}{:>8}  {}",
            self.name,
            seconds(self.ours),
            seconds(self.fast_downward),
            length(self.ours),
            length(self.fast_downward),
            self.said
        );
    }
}

/// Solves one problem, in a process of its own: prints the seconds and the length of the plan.
pub(super) fn solve(domain: &str, problem: &str, plan: &str, seconds: f64) -> Result<()> {
    let read = |path: &str| std::fs::read_to_string(path).with_context(|| path.to_owned());
    let model = Model::parse(&read(domain)?, &read(problem)?)?;
    let task = Task::ground(&model, &GroundLimits::default())?;
    let mut stop = || processor_seconds() > seconds;
    let found = task.solve(&mut Limits { stop: Some(&mut stop), ..Limits::default() })?;
    let Some(steps) = found.plan else { bail!("there is no plan") };
    model.validate(&steps)?;
    let lines: String = steps.iter().map(|step| model.step_text(step) + "\n").collect();
    std::fs::write(plan, lines)?;
    println!("{} {}", processor_seconds(), steps.len());
    Ok(())
}

/// To three digits.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The processor time of this process.
pub(super) fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID);
    time.map_or(0.0, |time| time.tv_sec() as f64 + time.tv_nsec() as f64 / 1e9)
}

pub(super) fn run(asked: &Asked, field: &Path, scratch: &Path) -> Result<Value> {
    let mut rows = rows(asked, field, scratch)?;
    let needs_python = asked.validates || asked.runs_fast_downward;
    let python =
        if needs_python { super::super::python(scratch, PACKAGES)? } else { PathBuf::new() };
    let known = if asked.runs_fast_downward { BTreeMap::new() } else { index(field)? };
    println!("{:<44}{:>9}{:>9}{:>8}{:>8}", "problem", "ours s", "FD s", "ours", "FD");
    for row in &mut rows {
        if asked.runs_fast_downward {
            row.solve(asked, &python, scratch)?;
            continue;
        }
        (row.ours, row.said) = ours(row, asked.seconds)?;
        row.fast_downward = known.get(&row.name).copied();
        row.print();
    }
    if asked.validates {
        validate(&mut rows, &python, scratch)?;
    }
    Ok(figures(&rows))
}

/// The figures over all problems; times and lengths over those that both solve.
fn figures(rows: &[Row]) -> Value {
    let both = || rows.iter().filter_map(|row| Some((row.ours?, row.fast_downward?)));
    let seconds: f64 = both().map(|(ours, _)| ours.seconds).sum();
    let fd_seconds: f64 = both().map(|(_, theirs)| theirs.seconds).sum();
    let steps: usize = both().map(|(ours, _)| ours.length).sum();
    let fd_steps: usize = both().map(|(_, theirs)| theirs.length).sum();
    let longer = steps as f64 / fd_steps.max(1) as f64;
    println!("\nsteps of all plans that both found: {steps}, Fast Downward's {fd_steps}");
    json!({
        "problems": rows.len(),
        "solved": rows.iter().filter(|row| row.ours.is_some()).count(),
        "valid": rows.iter().filter(|row| row.is_valid).count(),
        "seconds": rounded(seconds),
        "fd_seconds": rounded(fd_seconds),
        "longer": rounded(longer),
    })
}

/// All problems: whatever is beside a `domain.pddl`, or has a domain file of its own name.
fn rows(asked: &Asked, field: &Path, scratch: &Path) -> Result<Vec<Row>> {
    let plans = scratch.join("plans");
    std::fs::create_dir_all(&plans)?;
    let sorted = |directory: &Path| -> Result<Vec<PathBuf>> {
        let entries =
            std::fs::read_dir(directory).with_context(|| directory.display().to_string())?;
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        paths.sort();
        Ok(paths)
    };
    let text = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut rows = Vec::new();
    for directory in sorted(field)?.into_iter().filter(|path| path.is_dir()) {
        let domain_name = text(&directory);
        let wanted = |only: &String| domain_name.contains(only.as_str());
        if !asked.only.is_empty() && !asked.only.iter().any(wanted) {
            continue;
        }
        for problem in sorted(&directory)? {
            let file = text(&problem);
            if !file.ends_with(".pddl") || file.contains("domain") {
                continue;
            }
            let stem = file.trim_end_matches(".pddl");
            let own =
                [format!("{stem}-domain.pddl"), format!("domain_{file}"), format!("domain-{file}")];
            let own = own.iter().map(|name| directory.join(name)).find(|path| path.exists());
            let domain = own.unwrap_or_else(|| directory.join("domain.pddl"));
            rows.push(Row::new(format!("{domain_name}/{file}"), domain, problem, &plans));
        }
    }
    if rows.is_empty() {
        bail!("there is no problem in {}", field.display());
    }
    Ok(rows)
}

/// Our planner, with a limit on its processor time that it cannot overrun.
fn ours(row: &Row, seconds: u64) -> Result<(Option<Solved>, String)> {
    let _ = std::fs::remove_file(&row.plan);
    let script = format!("ulimit -t {}; ulimit -v {MEMORY}; exec \"$0\" \"$@\"", seconds + 1);
    let output = Command::new("sh")
        .args(["-c", &script])
        .arg(std::env::current_exe()?)
        .args(["bench", "oracle", "--solve"])
        .args([&row.domain, &row.problem, &row.plan])
        .arg(seconds.to_string())
        .output()?;
    let solved = pair(&String::from_utf8_lossy(&output.stdout));
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or_default().to_owned();
    let said = if solved.is_none() && said.is_empty() { output.status.to_string() } else { said };
    Ok((solved.filter(|it| it.seconds <= seconds as f64), said))
}

/// `SECONDS LENGTH`.
fn pair(text: &str) -> Option<Solved> {
    let (seconds, length) = text.lines().last()?.split_once(' ')?;
    Some(Solved { seconds: seconds.parse().ok()?, length: length.parse().ok()? })
}

fn fast_downward(row: &Row, seconds: u64, python: &Path, scratch: &Path) -> Result<Option<Solved>> {
    let script = scratch.join("lama_first.py");
    std::fs::write(&script, FAST_DOWNWARD)?;
    let output = Command::new(python)
        .args([&script, &row.domain, &row.problem])
        .arg(seconds.to_string())
        .output()?;
    Ok(pair(&String::from_utf8_lossy(&output.stdout)))
}

/// What the index of the problems says about Fast Downward's LAMA-first.
fn index(field: &Path) -> Result<BTreeMap<String, Solved>> {
    let path = field.join("INDEX.csv");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{}; or pass --run-fd", path.display()))?;
    let mut lines = text.lines().map(cells);
    let head = lines.next().context("INDEX.csv is empty")?;
    let column = |name: &str| {
        head.iter().position(|known| known == name).with_context(|| format!("no column {name}"))
    };
    let (file, translate) = (column("file")?, column("translate_s")?);
    let (search, length) = (column("lama_search_s")?, column("lama_plan_length")?);
    let solved = lines.filter_map(|cells| {
        let number = |at: usize| cells.get(at)?.parse::<f64>().ok();
        let seconds = number(translate)? + number(search)?;
        Some((cells.get(file)?.clone(), Solved { seconds, length: number(length)? as usize }))
    });
    Ok(solved.collect())
}

/// The cells of a line of a CSV file. A quoted cell may hold commas.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            _ => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(letter);
                }
            }
        }
    }
    cells
}

/// Asks unified-planning about every plan.
fn validate(rows: &mut [Row], python: &Path, scratch: &Path) -> Result<()> {
    println!("\nvalidating with unified-planning");
    let (script, list) = (scratch.join("validate.py"), scratch.join("plans.tsv"));
    std::fs::write(&script, VALIDATOR)?;
    let mut lines = String::new();
    for row in rows.iter().filter(|row| row.ours.is_some()) {
        let paths = [&row.domain, &row.problem, &row.plan].map(|path| path.display().to_string());
        let _ = writeln!(lines, "{}", paths.join("\t"));
    }
    std::fs::write(&list, lines)?;
    let mut command = Command::new(python);
    command.args([&script, &list]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut validator = command.spawn().context("the validator cannot be started")?;
    let output = validator.stdout.take().context("the validator says nothing")?;
    let mut verdicts = BufReader::new(output).lines();
    // It takes minutes for the large ones, so each verdict is told when it is there.
    for row in rows.iter_mut().filter(|row| row.ours.is_some()) {
        let verdict = verdicts.next().unwrap_or_else(|| Ok("the validator has ended".into()))?;
        row.is_valid = verdict == "valid";
        println!("{:<44}{verdict}", row.name);
    }
    validator.wait()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_cells_hold_commas() {
        assert_eq!(cells("a,\"b, c\",,d"), ["a", "b, c", "", "d"]);
    }

    #[test]
    fn a_result_is_two_numbers() {
        assert!(pair("0.5 12\n").is_some_and(|it| it.seconds == 0.5 && it.length == 12));
        assert!(pair("0.5 none").is_none());
        assert!(pair("").is_none());
    }
}
