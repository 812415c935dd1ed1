//! The trace language as text: parser, diagnostics, printer.
