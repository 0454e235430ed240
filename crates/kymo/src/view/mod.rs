//! `kymo view`: the page of `kymo report` from a server on this machine, which adds detail as one
//! zooms in.
//!
//! [`index`] has the results of reading the trace once: the page, a pyramid of cells, and the
//! checkpoints from which parts of locations can be read. [`tiles`] makes the cells below the page,
//! [`server`] answers browsers. [`text`] draws for terminals. Invariants: a request without the
//! token is refused, and a tile has the cells that a finer level of the page would have.

mod browser;
mod fingerprint;
mod index;
mod pyramid;
mod server;
mod text;
mod tiles;

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use clap::Args;

use self::index::Index;
use self::server::Site;
use self::tiles::Tiles;
use crate::interruption;
use crate::mistake::report_mistake;
use crate::output::{inform, print};
use crate::problem::Problem;
use crate::selected::Selected;
use crate::status::Status;
use crate::trace;

/// Show a trace in a browser, in all detail
#[derive(Debug, Args)]
#[command(
    after_help = "The server listens on this machine only, and ends with Ctrl-C. Exit status: 0 success, \
                  2 invalid arguments, 3 a location was not readable to its end, 4 I/O error"
)]
pub(crate) struct Arguments {
    /// Print a time line for the terminal, and end
    #[arg(long, conflicts_with_all = ["print_url", "no_open", "port"])]
    text: bool,
    /// Print the address of the page to standard output, for a browser elsewhere
    #[arg(long)]
    print_url: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Listen on this port; a free one by default
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    #[command(flatten)]
    selected: Selected,
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    archive: PathBuf,
}

impl Arguments {
    /// Serves the page until the process is ended.
    pub(crate) fn run(self) -> Status {
        match self.selected.mistake() {
            Some(mistake) => report_mistake(mistake),
            None => self.view().unwrap_or_else(|problem| problem.report()),
        }
    }

    fn view(&self) -> Result<Status, Problem> {
        let trace = trace::open(&self.archive)?;
        let selection = self.selected.of(&trace)?;
        if self.text {
            return text::print_timeline(&trace, &selection);
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).map_err(|error| {
            Problem::environment(format!("cannot listen on port {} of this machine: {error}", self.port))
        })?;
        let index = Index::of(&trace, &selection, &self.archive, self.selected.is_everything())?;
        let port = listener.local_addr().map_err(Problem::environment)?.port();
        let site = Site::new(trace, Tiles::new(index, selection), port).map_err(Problem::environment)?;
        match self.announce(&site) {
            Status::Done => server::run(listener, site).map_err(Problem::environment).map(|()| Status::Done),
            status => Ok(status),
        }
    }

    /// Opens the browser and names the address.
    fn announce(&self, site: &Site) -> Status {
        let is_open = !self.no_open && browser::open(&site.address_for_browser());
        let address = site.address();
        if self.print_url {
            return print(format!("{address}\n"));
        }
        let hint = if is_open { "" } else { "; from elsewhere: see ssh in 'man kymo-view'" };
        inform(&format!("view: {address} (Ctrl-C ends{hint})"));
        Status::Done
    }
}

/// Shows a trace that was just recorded, for `kymo record --view`.
pub(crate) fn show(archive: PathBuf) -> Status {
    // Signals were passed on to the program. From now on they end this process again.
    interruption::start();
    let selected = Selected::default();
    Arguments { text: false, print_url: false, no_open: false, port: 0, selected, archive }.run()
}
