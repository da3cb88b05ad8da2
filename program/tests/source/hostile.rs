//! Random sources.
