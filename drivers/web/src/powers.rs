//! What a web device can do beyond the contract: answer predicates, take pictures, tell what was
//! said.

use crate::device::WebDevice;
use crate::failure::Failure;
use crate::protocol_types::Evaluated;
use base64::Engine;
use capuchin_ui::{
    AppLog, Camera, Coverage, DeviceError, LogEntry, Picture, PictureFormat, Powers, Predicates,
    Recorder, Stop, Stoppable, Str, Value as Argument,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

impl Powers for WebDevice {
    fn predicates(&mut self) -> Option<&mut dyn Predicates> {
        Some(self)
    }

    fn camera(&mut self) -> Option<&mut dyn Camera> {
        Some(self)
    }

    fn app_log(&mut self) -> Option<&mut dyn AppLog> {
        Some(self)
    }

    fn coverage(&mut self) -> Option<&mut dyn Coverage> {
        if self.counts.is_some() { Some(self) } else { None }
    }

    fn recorder(&mut self) -> Option<&mut dyn Recorder> {
        if self.options.record { Some(self) } else { None }
    }

    fn stoppable(&mut self) -> Option<&mut dyn Stoppable> {
        Some(self)
    }
}

impl Stoppable for WebDevice {
    fn stop_when(&mut self, stop: &Stop) {
        self.link.stop_when(stop);
    }
}

impl Camera for WebDevice {
    fn picture(&mut self) -> Result<Picture, DeviceError> {
        let device = self.info.name.clone();
        let failed = |why: String| DeviceError::NoAnswer {
            device: device.clone(),
            what: format!("a picture: {why}"),
        };
        let taken = match self.screenshot() {
            Ok(taken) => taken,
            Err(Failure::Device(error)) => return Err(error),
            Err(failure) => return Err(failed(format!("{failure:?}"))),
        };
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(taken)
            .map_err(|error| failed(error.to_string()))?;
        Ok(Picture { format: PictureFormat::Jpeg, bytes })
    }
}

impl AppLog for WebDevice {
    fn entries(&mut self) -> Result<Vec<LogEntry>, DeviceError> {
        Ok(self.log.take())
    }
}

/// Where an app keeps the predicates that it answers itself.
const OWN_PREDICATES: &str = "window.capuchin?.predicates";

/// The value that every page has: a digest of what it keeps in cookies and in its storage. (Not of
/// its databases: those answer later.) No script of a spec can have this name.
const STORED: &str = "capuchin:stored";
const DIGEST_OF_STORED: &str = "\
    (() => {
        let digest = 0x811c9dc5;
        const add = text => {
            for (let i = 0; i < text.length; i++)
                digest = Math.imul(digest ^ text.charCodeAt(i), 0x01000193);
        };
        add(document.cookie);
        for (const storage of [localStorage, sessionStorage])
            for (const key of Object.keys(storage).sort()) add(key + '\\0' + storage.getItem(key) + '\\0');
        return String(digest >>> 0);
    })()";

impl Predicates for WebDevice {
    fn holds(&mut self, name: &str, args: &[Argument]) -> Result<bool, DeviceError> {
        let expression = match self.script(name, args) {
            Some(expression) => expression,
            None if self.info.predicates.iter().any(|known| known == name) => {
                format!("{OWN_PREDICATES}[{}](...{})", json!(name), arguments(args))
            }
            None => return Err(self.info.unsupported(format!("predicate {name}"))),
        };
        self.in_page(&format!("!!({expression})"), name)
    }

    fn value(&mut self, name: &str, args: &[Argument]) -> Result<Option<Argument>, DeviceError> {
        let expression = match self.script(name, args) {
            Some(expression) => expression,
            None if name == STORED => DIGEST_OF_STORED.to_owned(),
            None => return Err(self.info.unsupported(format!("value {name}"))),
        };
        Ok(match self.in_page::<Value>(&expression, name)? {
            Value::Null => None,
            Value::Number(number) => number.as_f64().map(Argument::Number),
            Value::String(text) => Some(Argument::Text(text.into())),
            other => Some(Argument::Text(other.to_string().into())),
        })
    }
}

fn arguments(args: &[Argument]) -> Value {
    args.iter().map(argument).collect()
}

fn argument(value: &Argument) -> Value {
    match value {
        Argument::Number(number) => json!(number),
        Argument::Text(text) => json!(text.as_str()),
    }
}

impl WebDevice {
    /// Asks the app which predicates it answers.
    pub(crate) fn ask_for_predicates(&mut self) -> Result<(), DeviceError> {
        let names =
            self.in_page(&format!("Object.keys({OWN_PREDICATES} ?? {{}})"), "its predicates");
        let names: Vec<String> = match names {
            Err(error @ (DeviceError::Lost { .. } | DeviceError::Stopped { .. })) => {
                return Err(error);
            }
            names => names.unwrap_or_default(),
        };
        self.info.predicates = names.into_iter().map(Str::from).collect();
        Ok(())
    }

    /// A script of the spec as an expression, with its arguments.
    fn script(&self, name: &str, args: &[Argument]) -> Option<String> {
        let script = self.options.scripts.iter().find(|script| script.name == name)?;
        let parameters = script.parameters.join(", ");
        let source = &script.source;
        Some(format!("(({parameters}) => (\n{source}\n))(...{})", arguments(args)))
    }

    /// Evaluates in the page's own world.
    fn in_page<T: DeserializeOwned + Default>(
        &mut self,
        expression: &str,
        question: &str,
    ) -> Result<T, DeviceError> {
        let device = self.info.name.clone();
        let no_answer = |why: &str| DeviceError::NoAnswer {
            device: device.clone(),
            what: format!("{question}: {why}"),
        };
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let received = self.receive_counts();
        let evaluated: Evaluated = match received.and_then(|_| self.ask("Runtime.evaluate", params))
        {
            Ok(evaluated) => evaluated,
            Err(Failure::Device(error)) => return Err(error),
            Err(Failure::Dialog) => return Err(no_answer("a dialog is open")),
            Err(Failure::Refused(reason)) => return Err(no_answer(&reason)),
            Err(Failure::TabGone | Failure::Hangs | Failure::Fleeting) => {
                return Err(no_answer("the page does not answer"));
            }
        };
        evaluated.value().map_err(|thrown| no_answer(thrown.lines().next().unwrap_or_default()))
    }
}
