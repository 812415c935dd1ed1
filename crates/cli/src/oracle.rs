//! What a specification says of a planning model: read, told about, and handed to the run.
//!
//! On its own because every command that runs a specification does the same with it. The files are
//! read here; what they mean is the oracle's business.

use crate::exit::Problem;
use crate::extensions::Extensions;
use crate::source;
use capuchin::Monitors;
use capuchin::steering::Pilots;
use capuchin::ui::Quoted;
use capuchin_oracle::{NAME, Oracle, load};
use capuchin_spec::{Level, ModelFiles, Spec};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The model of a specification, if it has one.
#[derive(Default)]
pub(crate) struct SpecModel {
    oracle: Option<Arc<Oracle>>,
    /// The file that has the mapping.
    pub(crate) mapping: PathBuf,
    /// What the specification verifies, if it takes the mapping from another file.
    levels: Option<Vec<(Level, u32)>>,
}

impl SpecModel {
    /// Reads the model of a specification, and adds the checks that its test cases are.
    pub(crate) fn read(path: &Path, spec: &mut Spec) -> Result<Self, Problem> {
        let loaded = load(spec, path, &source::read_text).map_err(|wrong| {
            source::render(&wrong);
            Problem::request(format!("the model of {} cannot be used", path.display()))
                .help("`capuchin help spec` describes mappings, under \"Models\"")
        })?;
        let Some(loaded) = loaded else { return Ok(SpecModel::default()) };
        spec.checks.extend(loaded.checks);
        let own = spec.mapping.as_ref();
        let own = own.filter(|it| matches!(it.model().0, ModelFiles::Mapping(_)));
        let levels = own.and_then(|it| it.verify()).map(<[_]>::to_vec);
        Ok(SpecModel { oracle: Some(Arc::new(loaded.oracle)), mapping: loaded.mapping, levels })
    }

    /// The model, bound to the app.
    pub(crate) fn oracle(&self) -> Option<&Arc<Oracle>> {
        self.oracle.as_ref()
    }

    /// Who watches every run: what the specification says, and its model.
    pub(crate) fn watching(
        &self,
        spec: &Spec,
        named: &[String],
        extensions: &Extensions,
    ) -> Result<Vec<Arc<dyn Monitors>>, Problem> {
        let (mut known, mut named) = (extensions.monitors.clone(), named.to_vec());
        if let Some(oracle) = &self.oracle {
            known.push(Arc::clone(oracle) as Arc<dyn Monitors>);
            named.push(NAME.to_owned());
        }
        Ok(spec.watching(&named, &known)?)
    }

    /// Where the pilots come from: the model's planner, and others.
    pub(crate) fn pilots(&self, others: impl Pilots + 'static) -> Arc<dyn Pilots> {
        let others: Arc<dyn Pilots> = Arc::new(others);
        match &self.oracle {
            Some(oracle) => Arc::new(capuchin_oracle::PlanPilots::new(Arc::clone(oracle), others)),
            None => others,
        }
    }

    /// The name that a saved failure needs to be watched again, and the lines that declare it in a
    /// file of this directory.
    pub(crate) fn declaration(&self, directory: &Path) -> Option<(String, String)> {
        self.oracle.as_ref()?;
        let mut lines = format!("{NAME} {}", Quoted(&relative(&self.mapping, directory)));
        if let Some(levels) = &self.levels {
            let level = |(level, every): &(Level, u32)| match every {
                1 => level.to_string(),
                every => format!("{level} every {every}"),
            };
            let levels: Vec<String> = levels.iter().map(level).collect();
            lines += &format!("\nverify {}", levels.join(", "));
        }
        Some((NAME.to_owned(), lines))
    }
}

/// The path of a file as a file in a directory names it.
pub(crate) fn relative(file: &Path, directory: &Path) -> String {
    let (Some(file), Some(directory)) = (whole(file), whole(directory)) else {
        return file.display().to_string();
    };
    let shared = file.components().zip(directory.components()).take_while(|(a, b)| a == b).count();
    let up = directory.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(file.components().skip(shared)).collect();
    path.display().to_string()
}

/// The whole path, without `.` and `..`.
fn whole(path: &Path) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in std::path::absolute(path).ok()?.components() {
        match part {
            Component::ParentDir => _ = whole.pop(),
            part => whole.push(part),
        }
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_from_where_it_is_needed() {
        let check = |file: &str, directory: &str, expected: &str| {
            assert_eq!(relative(Path::new(file), Path::new(directory)), expected);
        };
        check("a/b.capu", "a", "b.capu");
        check("a/b.capu", "out/x/failures", "../../../a/b.capu");
        check("./b.capu", "a/../out", "../b.capu");
    }
}
