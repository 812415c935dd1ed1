//! A run as terminal text, JUnit and JSON.
