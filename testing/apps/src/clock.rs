//! A clock with alarms, a stopwatch and a timer.
//!
//! What is hard about it: texts change with time alone, so no two screens look the same, and the
//! timer asks for attention wherever the user happens to be. What is wrong with it: a timer that
//! was put off and rings again while an alarm is being edited crashes.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::{Crash, Str};

/// By how much the timer is set, in seconds; also how long it is put off.
const STEP: i64 = 5;
const ALARMS: usize = 5;
const TABS: [(&str, &str); 4] =
    [("clock", "Clock"), ("alarms", "Alarms"), ("stopwatch", "Stopwatch"), ("timer", "Timer")];

/// At which hour, and whether it is on.
type Alarm = (i64, bool);

/// The clock.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    bugs: bool,
    tab: usize,
    seconds: i64,
    alarms: Vec<Alarm>,
    /// The alarm that is being edited.
    edited: Option<usize>,
    tenths: i64,
    running: bool,
    laps: i64,
    /// To how many seconds the timer is set.
    set: i64,
    left: Option<i64>,
    ringing: bool,
    put_off: bool,
}

impl Clock {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Clock { bugs, set: STEP, ..Clock::default() }
    }

    fn view_alarms(&self, page: &mut Page<'_>) {
        if let Some((hour, _)) = self.edited.and_then(|index| self.alarms.get(index)) {
            page.place("AlarmEditor");
            page.row(|page| {
                page.button("earlier", "-").size(48, 36);
                page.label("hour", numbered("Hour ", *hour));
                page.button("later", "+").size(48, 36);
            });
            page.button("close", "Close");
            return;
        }
        page.place("Alarms");
        page.button("add", "Add").enabled(self.alarms.len() < ALARMS);
        page.list("all-alarms", 300, 40, self.alarms.len(), |page, index| {
            let (number, (hour, on)) = (index as i64 + 1, self.alarms[index]);
            page.row(|page| {
                page.switch(numbered("alarm-", number), numbered("Hour ", hour), on);
                page.button(numbered("edit-", number), "Edit").size(64, 32);
                page.button(numbered("remove-", number), "Remove").size(64, 32);
            });
        });
    }

    fn view_stopwatch(&self, page: &mut Page<'_>) {
        page.place("Stopwatch");
        page.label("tenths", numbered("Tenths ", self.tenths));
        page.row(|page| {
            if self.running {
                page.button("stop", "Stop");
                page.button("lap", "Lap");
            } else {
                page.button("start", "Start");
                page.button("reset", "Reset").enabled(self.tenths > 0);
            }
        });
        page.label("laps", numbered("Laps ", self.laps));
    }

    fn view_timer(&self, page: &mut Page<'_>) {
        page.place("Timer");
        page.label("left", numbered("Seconds ", self.left.unwrap_or(self.set)));
        page.row(|page| {
            if self.left.is_some() {
                page.button("stop-timer", "Stop");
            } else {
                page.button("less", "-").enabled(self.set > STEP);
                page.button("more", "+").enabled(self.set < 60);
                page.button("start-timer", "Start");
            }
        });
    }

    fn second(&mut self) -> Result<(), Crash> {
        self.seconds += 1;
        self.left = self.left.map(|left| left - 1);
        if self.left == Some(0) {
            if self.bugs && self.put_off && self.edited.is_some() && self.tab == 1 {
                let what = "java.lang.IllegalStateException: the window has another dialog";
                return Err(Crash::new(what).at("AlarmEditor.onRing"));
            }
            self.left = None;
            self.ringing = true;
        }
        Ok(())
    }

    fn run_timer(&mut self, seconds: i64, put_off: bool) {
        self.ringing = false;
        self.left = Some(seconds);
        self.put_off = put_off;
    }

    fn turn(&mut self, hours: i64) {
        if let Some((hour, _)) = self.edited.and_then(|index| self.alarms.get_mut(index)) {
            *hour = (*hour + hours).rem_euclid(24);
        }
    }

    fn click(&mut self, id: &str) {
        let alarm = |prefix| {
            crate::number_of(id, prefix).filter(|number| (1..=self.alarms.len()).contains(number))
        };
        if let Some(number) = alarm("alarm-") {
            self.alarms[number - 1].1 = !self.alarms[number - 1].1;
        } else if let Some(number) = alarm("edit-") {
            self.edited = Some(number - 1);
        } else if let Some(number) = alarm("remove-") {
            self.alarms.remove(number - 1);
        }
        self.tab = TABS.iter().position(|(tab, _)| *tab == id).unwrap_or(self.tab);
    }
}

/// What the clock shows: it is eight when the device starts.
fn time_of_day(seconds: i64) -> Str {
    let (hours, minutes) = ((8 + seconds / 3600) % 24, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}", seconds % 60).into()
}

impl App for Clock {
    fn view(&self, page: &mut Page<'_>) {
        page.row(|page| {
            for (index, (id, text)) in TABS.iter().enumerate() {
                page.tab(*id, *text).selected(index == self.tab);
            }
        });
        match self.tab {
            0 => {
                page.place("Clock");
                page.label("time", time_of_day(self.seconds));
            }
            1 => self.view_alarms(page),
            2 => self.view_stopwatch(page),
            _ => self.view_timer(page),
        }
        if self.ringing {
            page.dialog("ring", "Time is up", |page| {
                page.button("dismiss", "Dismiss");
                page.button("snooze", "Later");
            });
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Launch => {
                self.seconds = (os.now() / 1000) as i64;
                os.every(1000, "second");
            }
            Input::Timer("second") => self.second()?,
            Input::Timer("tenth") => self.tenths += 1,
            Input::Click("add") if self.edited.is_none() && self.alarms.len() < ALARMS => {
                self.edited = Some(self.alarms.len());
                self.alarms.push((7, true));
            }
            Input::Click("earlier") => self.turn(-1),
            Input::Click("later") => self.turn(1),
            Input::Click("close") => self.edited = None,
            Input::Click("start") if !self.running => {
                self.running = true;
                os.every(100, "tenth");
            }
            Input::Click("stop") => {
                self.running = false;
                os.cancel("tenth");
            }
            Input::Click("lap") => self.laps += 1,
            Input::Click("reset") => (self.tenths, self.laps) = (0, 0),
            Input::Click("less") => self.set = (self.set - STEP).max(STEP),
            Input::Click("more") => self.set = (self.set + STEP).min(60),
            Input::Click("start-timer") => self.run_timer(self.set, false),
            Input::Click("stop-timer") => self.left = None,
            Input::Click("dismiss") => self.ringing = false,
            Input::Click("snooze") => self.run_timer(STEP, true),
            Input::Click(id) => self.click(id),
            Input::Back if self.ringing => self.ringing = false,
            Input::Back if self.edited.is_some() && self.tab == 1 => self.edited = None,
            Input::Back if self.tab != 0 => self.tab = 0,
            Input::Back => os.leave(),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::{Walk, crashes_unless_fixed};
    use capuchin_ui::Event;

    #[test]
    fn time_passes() {
        let later = Walk::on("clock").go(&Event::Sleep(61_000));
        assert_eq!(later.text("time"), Some("08:01:01"));
        let watch = later.clicks("stopwatch start").go(&Event::Sleep(900)).clicks("lap stop");
        assert_eq!(watch.text("tenths"), Some("Tenths 11"));
    }

    #[test]
    fn alarms_are_added_changed_and_removed() {
        let two = Walk::on("clock").clicks("alarms add later close add close");
        assert_eq!(two.text("alarm-1"), Some("Hour 8"));
        let one = two.clicks("alarm-1 remove-2 edit-1 earlier close").at("Alarms");
        assert_eq!((one.text("alarm-1"), one.text("alarm-2")), (Some("Hour 7"), None));
    }

    #[test]
    fn a_timer_that_was_put_off_rings_while_an_alarm_is_edited() {
        crashes_unless_fixed("clock", "AlarmEditor", |walk| {
            let set = walk.clicks("timer start-timer").go(&Event::Sleep(5_000));
            set.clicks("snooze alarms add later").go(&Event::Sleep(5_000))
        });
        let first = Walk::on("clock").clicks("timer start-timer alarms add");
        let rings = first.go(&Event::Sleep(5_000)).at("AlarmEditor").clicks("dismiss close");
        rings.at("Alarms");
    }
}
