//! Runs that are killed at random times: what was saved is whole, what was reported is there, and
//! nothing is left running.

use super::Damage;
use super::process::{left_behind, watch};
use anyhow::Result;
use capuchin::ui::Rng;
use capuchin_explore::{Abstractions, Keeper};
use capuchin_mission::{Log, LogError, RunDirectory, read_log};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// One in so many runs is in a browser.
const ONE_IN_WEB: u64 = 10;

const CHECK: &str = "\
device \"sim:music\"
check a = Click(#enter) :>> monkey 20
check b = relevantMonkey 30 :>> assert isDisplayed(\"nowhere\")";

const PAGE: &str = "<title>a</title><input id=a><button id=b onclick='n++ > 2 && nothing()'>b</button>\
    <script>let n = 0</script>";

/// Kills so many runs.
pub(super) fn run(kills: u32, mut rng: Rng, scratch: &Path, command: &Path) -> Result<Damage> {
    println!("\nkills: {kills}");
    let mut damage = Damage::default();
    for number in 0..kills {
        let home = scratch.join(format!("kill-{number}"));
        std::fs::create_dir_all(home.join("page"))?;
        std::fs::write(home.join("a.capu"), CHECK)?;
        std::fs::write(home.join("page/index.html"), PAGE)?;
        let out = home.join("out");
        let web = rng.below(ONE_IN_WEB) == 0;
        let mut killed = Command::new(command);
        match (rng.below(2), web) {
            (0, false) => killed.arg("check").arg(home.join("a.capu")).args(["--cases", "1000000"]),
            (_, false) => killed.args(["explore", "sim:shop", "--events", "10000000"]),
            (_, true) => killed.arg("explore").arg(home.join("page")).args(["--events", "100000"]),
        };
        killed.arg("--out").arg(&out).args(["--seed", &number.to_string()]);
        let longest = if web { 4000 } else { 400 };
        let watched = watch(killed, &home, Duration::from_millis(rng.below(longest)))?;
        damage.inputs += 1;
        let before = (damage.panics, damage.lost, damage.orphans);
        if watched.status.is_some() && watched.has_panicked() {
            Damage::note(&mut damage.panics, &format!("kill {number}: it panicked"));
        }
        for loss in losses(&out, &watched.said) {
            Damage::note(&mut damage.lost, &format!("kill {number}: {loss}"));
        }
        let left = left_behind(&home);
        if !left.is_empty() {
            let left = left.join(", ");
            Damage::note(&mut damage.orphans, &format!("kill {number}: left behind: {left}"));
        }
        if before == (damage.panics, damage.lost, damage.orphans) {
            std::fs::remove_dir_all(&home)?;
        }
    }
    Ok(damage)
}

/// What is not there, or is there and cannot be used.
fn losses(out: &Path, said: &str) -> Vec<String> {
    let mut losses = Vec::new();
    let reported: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix('[')?.split_once(']'))
        .map(|(number, _)| number)
        .collect();
    let failures = files(&out.join("failures"));
    for number in &reported {
        let wanted = format!("{number}-");
        let is_saved = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&wanted) && name.ends_with(".capu")
        };
        if !failures.iter().any(is_saved) {
            losses.push(format!("failure [{number}] was reported and is not saved"));
        }
    }
    for file in failures.iter().filter(|file| file.extension() == Some("capu".as_ref())) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if capuchin_spec::parse("saved.capu", &text).spec.is_none_or(|spec| spec.checks.is_empty())
        {
            losses.push(format!("{} cannot be read", file.display()));
        }
    }
    match read_log(out) {
        Ok(_) => {}
        // It was killed before its first line, and has reported nothing.
        Err(LogError::Missing { .. }) if reported.is_empty() => {}
        Err(LogError::NotALog { .. }) if reported.is_empty() => {
            let cut = std::fs::read(out.join(Log::FILE)).unwrap_or_default();
            if cut.contains(&b'\n') {
                losses.push("its log cannot be read".to_owned());
            }
        }
        Err(error) => losses.push(error.to_string()),
    }
    let model = out.join(RunDirectory::MODEL);
    if model.metadata().is_ok_and(|model| model.len() > 0)
        && let Err(error) = Keeper::load(&model, &Abstractions::default())
    {
        let text = std::fs::read(&model).unwrap_or_default();
        if text.contains(&b'\n') {
            losses.push(error.to_string());
        }
    }
    losses
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}
