//! Run traces on a device, judge them, shrink the bad ones; what Rust tests use.
