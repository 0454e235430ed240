//! `kymo recover` on files that processes leave, built byte by byte.

mod communicators;
mod damage;
mod faults;
mod finding;
mod folders;
mod run;
mod streams;
mod trust;
