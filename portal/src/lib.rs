//! Portals, sessions, messages and transports (in work).
pub mod call;
pub mod capability;
pub mod portal;
