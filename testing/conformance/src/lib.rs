//! The Device contract as one test suite that every driver runs.
