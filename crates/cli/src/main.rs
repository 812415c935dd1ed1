//! The `capuchin` command.
fn main() {}
