//! The six devices of the benchmark, in two sets of three.
//!
//! On its own because a device is a line of a table.

/// A device: what it is called, how apps lay themselves out on it, its size, and whether it is
/// touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BenchDevice {
    pub(super) name: &'static str,
    pub(super) layout: &'static str,
    size: &'static str,
    pub(super) is_mobile: bool,
}

const fn device(
    name: &'static str,
    layout: &'static str,
    size: &'static str,
    is_mobile: bool,
) -> BenchDevice {
    BenchDevice { name, layout, size, is_mobile }
}

/// Those of the paper, in device-independent pixels.
pub(super) const PAPER: [BenchDevice; 3] = [
    device("A", "phone", "411x731", true),
    device("B", "phone", "411x846", true),
    device("C", "desktop", "1280x900", false),
];

/// A phone held in both ways, and a desktop.
pub(super) const MOBILE: [BenchDevice; 3] = [
    device("P2", "phone", "412x915", true),
    device("L2", "landscape", "915x412", true),
    device("D2", "desktop", "1280x800", false),
];

/// One desktop for two versions of an app; a version is a layout.
pub(super) const OLD: BenchDevice = device("old", "old", "1280x900", false);
pub(super) const NEW: BenchDevice = device("new", "new", "1280x900", false);

impl BenchDevice {
    /// What is written after the address.
    pub(super) fn options(&self) -> String {
        let kind = if self.is_mobile { "phone scale=1" } else { "scale=1" };
        format!("{kind} viewport={} locale=en-US timezone=UTC", self.size)
    }
}
