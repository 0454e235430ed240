//! The page that shows a trace.
//!
//! `src/*.js` are the modules of the page, `page.html` its skeleton and `style.css` its style. This
//! crate puts them and a [`Pack`] of data into one file. Invariants: the page needs no network, and
//! its content policy allows no script but its own.

#![forbid(unsafe_code)]

mod pack;
mod page;

pub use pack::Pack;
pub use page::page;
