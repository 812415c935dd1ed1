//! Many cases over many devices; the run directory.
