//! Scripts: the sandbox they run in and the door through which they declare and answer.

pub mod limits;
pub mod sandbox;
