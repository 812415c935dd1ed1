//! The simulator keeps the device contract.

use capuchin_apps::contract::Contract;
use capuchin_sim::SimDevice;
use capuchin_ui::{Event, Target};

capuchin_conformance::device_contract!(|| {
    SimDevice::new("sim:contract", Contract::default())
        .person([Event::Click(Target::id("increment"))])
});
