//! A pocket calculator with a memory.
//!
//! What is hard about it: all keys can be pressed at all times, so nothing that can be done tells
//! one state from another; only the history is out of reach until something was computed. What is
//! wrong with it: dividing by a memory that is zero again crashes, where any other division by zero
//! says Error.

use capuchin_sim::{App, Input, Os, Page, numbered};
use capuchin_ui::Crash;

/// The rows of keys: the id of each, and what it says.
const KEYS: [[(&str, &str); 4]; 6] = [
    [("mc", "MC"), ("mr", "MR"), ("minus-memory", "M-"), ("plus-memory", "M+")],
    [("digit-7", "7"), ("digit-8", "8"), ("digit-9", "9"), ("divide", "÷")],
    [("digit-4", "4"), ("digit-5", "5"), ("digit-6", "6"), ("times", "×")],
    [("digit-1", "1"), ("digit-2", "2"), ("digit-3", "3"), ("minus", "-")],
    [("digit-0", "0"), ("sign", "±"), ("percent", "%"), ("plus", "+")],
    [("all-clear", "AC"), ("clear", "C"), ("delete", "⌫"), ("equals", "=")],
];
const MOST: i64 = 999_999_999;
const REMEMBERED: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Divide,
}

/// The calculator.
#[derive(Clone, Debug, Default)]
pub struct Calculator {
    bugs: bool,
    shows_history: bool,
    shown: i64,
    error: bool,
    /// Whether the next digit begins a new number.
    fresh: bool,
    pending: Option<(i64, Operator)>,
    memory: Option<i64>,
    /// Whether the memory was something else than zero since it was cleared.
    filled: bool,
    /// Whether the number that is shown came from the memory.
    recalled: bool,
    history: Vec<i64>,
}

impl Calculator {
    /// The app, with its bug or without.
    pub fn new(bugs: bool) -> Self {
        Calculator { bugs, ..Calculator::default() }
    }

    fn show(&mut self, number: Option<i64>) {
        let fitting = number.filter(|number| number.abs() <= MOST);
        self.error = fitting.is_none();
        self.shown = fitting.unwrap_or(0);
        self.fresh = true;
        self.recalled = false;
    }

    fn digit(&mut self, digit: i64) {
        let before = if self.fresh { 0 } else { self.shown };
        if before.abs() <= MOST / 100 {
            self.shown = before * 10 + if before < 0 { -digit } else { digit };
        }
        self.fresh = false;
        self.error = false;
        self.recalled = false;
    }

    /// Computes what is pending, if anything is.
    fn compute(&mut self) -> Result<(), Crash> {
        let Some((left, operator)) = self.pending.take() else { return Ok(()) };
        let right = self.shown;
        let is_division = operator == Operator::Divide;
        if self.bugs && is_division && right == 0 && self.recalled && self.filled {
            let what = "java.lang.ArithmeticException: divide by zero";
            return Err(Crash::new(what).at("Memory.divide"));
        }
        self.show(match operator {
            Operator::Plus => left.checked_add(right),
            Operator::Minus => left.checked_sub(right),
            Operator::Times => left.checked_mul(right),
            Operator::Divide => left.checked_div(right),
        });
        if !self.error {
            self.history.push(self.shown);
            self.history.drain(..self.history.len().saturating_sub(REMEMBERED));
        }
        Ok(())
    }

    fn operate(&mut self, operator: Operator) -> Result<(), Crash> {
        if !self.fresh || self.recalled {
            self.compute()?;
        }
        self.pending = Some((self.shown, operator));
        self.fresh = true;
        self.recalled = false;
        Ok(())
    }

    fn remember(&mut self, change: i64) {
        let memory = self.memory.unwrap_or(0) + change;
        self.memory = Some(memory.clamp(-MOST, MOST));
        self.filled |= memory != 0;
        self.fresh = true;
    }

    fn view_history(&self, page: &mut Page<'_>) {
        page.heading("title", "History");
        page.row(|page| {
            page.button("close", "Close");
            page.button("forget", "Forget");
        });
        page.list("results", 400, 44, self.history.len(), |page, index| {
            let text = numbered("", self.history[index]);
            page.item(numbered("result-", index as i64 + 1), text);
        });
    }

    fn view_keys(&self, page: &mut Page<'_>) {
        page.heading("title", "Calculator");
        if self.error {
            page.label("display", "Error");
        } else {
            page.label("display", numbered("", self.shown));
        }
        // Four of them stand side by side, more if the device is turned.
        page.row(|page| {
            for (id, text) in KEYS.as_flattened() {
                page.button(*id, *text).size(80, 48);
            }
        });
        page.button("history", "History").enabled(!self.history.is_empty());
    }
}

impl App for Calculator {
    fn view(&self, page: &mut Page<'_>) {
        if self.shows_history {
            page.place("History");
            self.view_history(page);
        } else {
            page.place("Calculator");
            self.view_keys(page);
        }
    }

    fn handle(&mut self, input: Input<'_>, os: &mut Os) -> Result<(), Crash> {
        match input {
            Input::Click("plus") => self.operate(Operator::Plus)?,
            Input::Click("minus") => self.operate(Operator::Minus)?,
            Input::Click("times") => self.operate(Operator::Times)?,
            Input::Click("divide") => self.operate(Operator::Divide)?,
            Input::Click("equals") | Input::Key("Enter") => self.compute()?,
            Input::Click("sign") => self.shown = -self.shown,
            Input::Click("percent") => self.show(Some(self.shown / 100)),
            Input::Click("delete") => self.shown /= 10,
            Input::Click("clear") => self.show(Some(0)),
            Input::Click("all-clear") => {
                self.show(Some(0));
                self.pending = None;
            }
            Input::Click("mc") => (self.memory, self.filled) = (None, false),
            Input::Click("plus-memory") => self.remember(self.shown),
            Input::Click("minus-memory") => self.remember(-self.shown),
            Input::Click("mr") => {
                if let Some(memory) = self.memory {
                    self.show(Some(memory));
                    self.recalled = true;
                }
            }
            Input::Click("history") => self.shows_history = true,
            Input::Click("forget") => self.history.clear(),
            Input::Click(id) => {
                if let Some(digit) = crate::number_of(id, "digit-") {
                    self.digit(digit as i64);
                } else if let Some(number) = crate::number_of(id, "result-") {
                    let result = self.history.get(number.wrapping_sub(1)).copied();
                    self.show(Some(result.unwrap_or(0)));
                    self.shows_history = false;
                } else if id == "close" {
                    self.shows_history = false;
                }
            }
            Input::Back if self.shows_history => self.shows_history = false,
            Input::Back => os.leave(),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::walk::{Walk, crashes_unless_fixed};

    #[test]
    fn it_computes() {
        let check = |keys: &str, shown: &str| {
            let walk = Walk::on("calculator").clicks(keys).at("Calculator");
            assert_eq!(walk.text("display"), Some(shown), "{keys}");
        };
        check("digit-1 digit-2 plus digit-3 equals", "15");
        check("digit-2 times digit-3 minus digit-1 equals", "5");
        check("digit-7 divide digit-0 equals", "Error");
        check("digit-5 plus-memory digit-8 minus mr equals", "3");
        check("digit-9 sign digit-1 delete sign", "9");
        check("digit-4 divide mr equals", "1");
    }

    #[test]
    fn the_history_is_there_once_something_was_computed() {
        let fresh = Walk::on("calculator");
        let keys = fresh.enabled().len();
        let typed = fresh.clicks("digit-1 plus digit-1 mr sign all-clear");
        assert_eq!(typed.enabled().len(), keys);
        let computed = typed.clicks("digit-1 plus digit-1 equals");
        assert_eq!(computed.enabled().len(), keys + 1);
        let recalled = computed.clicks("all-clear history").at("History").clicks("result-1");
        assert_eq!(recalled.at("Calculator").text("display"), Some("2"));
    }

    #[test]
    fn a_memory_that_is_zero_again_cannot_be_divided_by() {
        crashes_unless_fixed("calculator", "Calculator", |walk| {
            walk.clicks("digit-5 plus-memory minus-memory digit-8 divide mr equals")
        });
    }
}
