//! Sample apps with planted bugs, and who must find which.

pub mod contract;
