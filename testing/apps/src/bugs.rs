//! Who must find which bug.

/// How a run ends that finds a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The app crashed.
    Crashed,
    /// An assertion failed.
    Failed,
    /// An event could not be performed.
    Blocked,
}

/// A planted bug and the specification that must find it.
#[derive(Clone, Copy, Debug)]
pub struct Bug {
    /// The app with the bug in it.
    pub app: &'static str,
    /// What is wrong.
    pub bug: &'static str,
    /// The specification that must find it: a file under `examples/`.
    pub spec: &'static str,
    /// How the run ends that finds it.
    pub verdict: Verdict,
    /// Within how many events, over all cases until then, it must be found.
    pub within: u32,
    /// The events of the smallest trace that shows it; where several are equally small, each of
    /// them. `*` stands for any characters: any other page crashes the clock.
    pub minimal: &'static [&'static str],
}

/// Every planted bug.
pub const BUGS: &[Bug] = &[
    Bug {
        app: "music",
        bug: "Home before the user name was touched crashes on the way back",
        spec: "music-signin.capu",
        verdict: Verdict::Crashed,
        within: 1000,
        minimal: &["Click(#enter) :>> ClickHome"],
    },
    Bug {
        app: "music",
        bug: "a turn loses the user name",
        spec: "music-signin.capu",
        verdict: Verdict::Failed,
        within: 1000,
        minimal: &["Click(#enter) :>> Type(#username, \"test\") :>> Rotate :>> \
                  Type(#password, \"1234\") :>> Click(#signin)"],
    },
    Bug {
        app: "music",
        bug: "a turn before the user name was touched leaves a veil",
        spec: "music-signin.capu",
        verdict: Verdict::Blocked,
        within: 1000,
        minimal: &["Click(#enter) :>> Rotate"],
    },
    Bug {
        app: "music",
        bug: "a turn while music plays shows the Play button again",
        spec: "music-player.capu",
        verdict: Verdict::Failed,
        within: 1000,
        minimal: &[
            "Click(#enter) :>> Type(#username, \"test\") :>> Type(#password, \"1234\") :>> \
                  Click(#signin) :>> Click(#play) :>> Rotate",
        ],
    },
    Bug {
        app: "music",
        bug: "a turn while music plays takes the Stop button away",
        spec: "music-player.capu",
        verdict: Verdict::Blocked,
        within: 1000,
        minimal: &[
            "Click(#enter) :>> Type(#username, \"test\") :>> Type(#password, \"1234\") :>> \
                  Click(#signin) :>> Click(#play) :>> Rotate :>> Sleep(0)",
            "Click(#enter) :>> Type(#username, \"test\") :>> Type(#password, \"1234\") :>> \
                  Click(#signin) :>> Click(#play) :>> Sleep(0) :>> Rotate",
        ],
    },
    Bug {
        app: "music",
        bug: "at the end of a track the player stops and the button still says Stop",
        spec: "music-track.capu",
        verdict: Verdict::Failed,
        within: 1000,
        minimal: &[
            "Click(#enter) :>> Type(#username, \"test\") :>> Type(#password, \"1234\") :>> \
                  Click(#signin) :>> Click(#play) :>> Sleep(4000)",
        ],
    },
    Bug {
        app: "reply",
        bug: "a turn loses what was written",
        spec: "reply.capu",
        verdict: Verdict::Failed,
        within: 3,
        minimal: &["Click(#reply) :>> Type(#edit_area, \"Hi\") :>> Rotate"],
    },
    Bug {
        app: "picker",
        bug: "a turn in the folder picker crashes",
        spec: "picker.capu",
        verdict: Verdict::Crashed,
        within: 1000,
        minimal: &[
            "Type(#username, \"test\") :>> Type(#password, \"1234\") :>> Click(#login) :>> \
                  LongClick(#linearlayout) :>> Click(\"Move\") :>> Rotate",
        ],
    },
    Bug {
        app: "score",
        bug: "the clock ticks on another page and crashes",
        spec: "score.capu",
        verdict: Verdict::Crashed,
        within: 5000,
        minimal: &["Click(#clock) :>> Click(#drawer) :>> Click(#nav-*)"],
    },
    Bug {
        app: "courses",
        bug: "a turn during a download crashes",
        spec: "courses.capu",
        verdict: Verdict::Crashed,
        within: 2000,
        minimal: &["Click(#course-*) :>> Click(\"Login\") :>> Type(\"User\", \"test\") :>> \
                  Type(\"Password\", \"1234\") :>> Click(\"Sign-in\") :>> \
                  Swipe(#content, Up) :>> Swipe(#content, Up) :>> Swipe(#content, Up) :>> \
                  Swipe(#content, Up) :>> Swipe(#content, Up) :>> Click(\"Select SD Card\") :>> Rotate"],
    },
    Bug {
        app: "nearby",
        bug: "a location that arrives in the middle of the login crashes",
        spec: "nearby.capu",
        verdict: Verdict::Crashed,
        within: 200,
        minimal: &["Type(#username, \"test\") :>> locUpdate(41.334, 2.1567)"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_app_with_bugs_is_in_the_table_unless_it_is_for_exploration() {
        for sample in crate::all() {
            let listed = BUGS.iter().any(|bug| bug.app == sample.name);
            assert_eq!(listed, sample.has_bugs && !sample.for_exploration, "{}", sample.name);
        }
        assert!(BUGS.iter().all(|bug| crate::open(bug.app).is_some()));
    }
}
