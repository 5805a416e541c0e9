//! Users, roles, API tokens and sessions: the records of people and of programs.

pub mod role;
pub mod second_factor;
pub mod session;
pub mod token;
pub mod user;
