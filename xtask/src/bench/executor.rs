//! How many steps a second the executor makes on the simulated device, and what the rest costs.

use anyhow::{Context, Result};
use capuchin::trace::{Gen, Trace};
use capuchin::ui::{Device, Event, Rng, Stop, Target};
use capuchin::{Action, Rules, execute, step};
use serde_json::json;
use std::hint::black_box;
use std::time::Instant;

const EVENTS: u32 = 5000;
/// How often each is done before the clock is read.
const ROUNDS: u32 = 6;

pub(super) fn run() -> Result<()> {
    let mut device = capuchin_apps::open("score-fixed").context("no app `score-fixed`")?;
    let device = device.as_mut();
    let samples: Vec<_> =
        (0..8).map(|seed| Gen::RelevantMonkey(EVENTS).sample(Rng::new(seed))).collect();
    let traces: Vec<Trace> = samples.iter().map(capuchin::trace::Sample::to_trace).collect();
    let concrete: Vec<Trace> = traces
        .iter()
        .map(|trace| execute(trace, device, &Rules::seed(1)).map(|run| run.trace()))
        .collect::<Result<_, _>>()?;

    println!("relevantMonkey {EVENTS} on sim:score-fixed, one core, best of three\n");
    let wild = rate("executed, wildcards chosen on the screen", || run_all(&traces, device))?;
    let fixed = rate("executed, the same events made concrete", || run_all(&concrete, device))?;
    rate("the device alone, the same events", || {
        let mut events = 0;
        for trace in &concrete {
            step(device, Action::Reset(1), &Stop::default())?;
            if let Trace::Seq(parts) = trace {
                for part in parts {
                    if let Trace::Event(_, event) = part {
                        black_box(step(device, Action::Perform(event), &Stop::default())?);
                        events += 1;
                    }
                }
            }
        }
        Ok(events)
    })?;
    rate("an event that changes nothing", || {
        let nothing = Event::Click(Target::id("nowhere"));
        for _ in 0..EVENTS {
            black_box(step(device, Action::Perform(&nothing), &Stop::default())?);
        }
        Ok(EVENTS as usize)
    })?;
    rate("drawn from the generator", || {
        for seed in 0..8 {
            black_box(Gen::RelevantMonkey(EVENTS).sample(Rng::new(seed)));
        }
        Ok(8 * EVENTS as usize)
    })?;
    rate("resets", || {
        for seed in 0..1000 {
            black_box(step(device, Action::Reset(seed), &Stop::default())?);
        }
        Ok(1000)
    })?;
    println!("\nsteps: events tried, blocked ones included");
    println!("{}", json!({ "steps_per_s": wild as u64, "concrete_steps_per_s": fixed as u64 }));
    Ok(())
}

fn run_all(traces: &[Trace], device: &mut dyn Device) -> Result<usize> {
    let mut attempts = 0;
    for trace in traces {
        attempts += execute(trace, device, &Rules::seed(1))?.attempts;
    }
    Ok(attempts)
}

/// Runs it again and again, prints its rate, and returns the best of three.
fn rate(what: &str, mut work: impl FnMut() -> Result<usize>) -> Result<f64> {
    let mut best: f64 = 0.0;
    for _ in 0..3 {
        let start = Instant::now();
        let mut done = 0;
        for _ in 0..ROUNDS {
            done += work()?;
        }
        best = best.max(done as f64 / start.elapsed().as_secs_f64());
    }
    println!("{what:<44} {best:>12.0} /s   {:>8.0} ns each", 1e9 / best);
    Ok(best)
}
