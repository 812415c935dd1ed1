//! The simulator keeps the device contract.

use capuchin_apps::contract::Contract;
use capuchin_sim::SimDevice;

capuchin_conformance::device_contract!(|| SimDevice::new("sim:contract", Contract::default()));
