//! Apps written as small models; nothing to install, deterministic.
