//! solve
use capuchin_plan::*;
fn cpu() -> f64 {
    let t = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = t.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t0 = std::time::Instant::now();
    let d = std::fs::read_to_string(&a[1]).unwrap();
    let p = std::fs::read_to_string(&a[2]).unwrap();
    let model = match Model::parse(&d, &p) {
        Ok(m) => m,
        Err(e) => {
            println!("{e}");
            return;
        }
    };
    let t1 = t0.elapsed();
    let task = match Task::ground(&model, &GroundLimits::default()) {
        Ok(m) => m,
        Err(e) => {
            println!("{e}");
            return;
        }
    };
    let t2 = t0.elapsed();
    let mut stop = || cpu() > a.get(3).map_or(30.0, |x| x.parse().unwrap());
    let found = task.solve(&mut Limits { stop: Some(&mut stop), ..Limits::default() });
    let t3 = t0.elapsed();
    match found {
        Ok(f) => {
            let v = f.plan.as_ref().map(|p| model.validate(p));
            println!(
                "facts {} ops {} parse {:.3} ground {:.3} search {:.3} validate {:.3} evals {} length {:?} (was {}) {:?}",
                task.fact_count(),
                task.operator_count(),
                t1.as_secs_f64(),
                (t2 - t1).as_secs_f64(),
                (t3 - t2).as_secs_f64(),
                (t0.elapsed() - t3).as_secs_f64(),
                f.evaluated,
                f.plan.as_ref().map(Vec::len),
                f.found_length,
                v
            );
            if std::env::var("SHOW").is_ok() {
                for s in f.plan.into_iter().flatten() {
                    println!("{}", model.step_text(&s));
                }
            }
        }
        Err(e) => println!(
            "facts {} ops {} ground {:.3} {e}",
            task.fact_count(),
            task.operator_count(),
            (t2 - t1).as_secs_f64()
        ),
    }
}
