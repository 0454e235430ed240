//! Stage `pictures`: `kymo report` and `kymo view` on traces that are long or have many locations.

use crate::analysis::stencil;
use crate::measure::{Spread, resident_of};
use crate::printing;
use crate::table::{Table, figure};
use crate::{Bench, Result};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// The traces: locations, and events of each.
const TRACES: [(u64, u64); 3] = [(16, 387_000), (16, 6_250_000), (10_000, 10_000)];
/// The number of tiles that are asked for.
const TILES: u64 = 40;

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Pictures\n\n{ABOUT}\n");
    let kymo = bench.build("kymo", "kymo")?;
    let mut table = Table::new(&[
        "trace",
        "report, CPU ns per event (goal 20)",
        "page, MB (goal 8)",
        "first start of view, s",
        "index, % of the archive (goal 5)",
        "start with index, s (goal 1)",
        "memory, MiB",
        "tile, cold, ms (goal 100)",
        "longest",
        "the same again (goal 20)",
        "longest",
    ]);
    for (locations, events) in TRACES {
        let folder = bench.folder()?;
        let events = if bench.quick { events / 100 } else { events };
        let (anchor, events) = stencil(folder.path(), locations, events)?;
        let page = folder.path().join("page.html");
        let command = format!(
            "{} report -q --no-check -j 1 -o {} {}",
            kymo.display(),
            page.display(),
            anchor.display()
        );
        let times = (0..bench.repetitions.min(3)).map(|_| printing::cpu(&command));
        let times = times.collect::<Result<Vec<_>>>()?.into_iter().map(|it| it * 1e9 / events as f64);
        let mut row = vec![
            format!("{locations} locations, {:.1} million events", events as f64 / 1e6),
            Spread::of(times.collect()).to_string(),
            figure(Some(page.metadata()?.len() as f64 / 1e6), 2),
        ];
        std::fs::remove_file(&page)?;
        let size = crate::analysis::size(folder.path())?;
        let first = Server::start(&kymo, &anchor)?;
        row.push(figure(Some(first.started), 2));
        drop(first);
        let index = anchor.with_extension("kymo-view").metadata().map_or(0, |it| it.len());
        row.push(figure((index > 0).then_some(index as f64 * 100.0 / size as f64), 2));
        let server = Server::start(&kymo, &anchor)?;
        row.push(figure(Some(server.started), 3));
        let (cold, warm) = (server.tiles()?, server.tiles()?);
        row.push(figure(Some(resident_of(&server.process.id().to_string()) as f64 / 1024.0), 0));
        for times in [cold, warm] {
            let times = Spread::of(times);
            row.extend([figure(Some(times.median), 1), figure(Some(times.most), 1)]);
        }
        table.row(row);
    }
    println!("{table}");
    Ok(())
}

/// A running `kymo view`.
struct Server {
    process: Child,
    host: String,
    path: String,
    /// Seconds until the page was there.
    started: f64,
}

impl Server {
    fn start(kymo: &Path, anchor: &Path) -> Result<Self> {
        let begin = Instant::now();
        let mut command = Command::new(kymo);
        command.args(["view", "-q", "--print-url", "--no-open"]).arg(anchor).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let mut address = String::new();
        BufReader::new(process.stdout.take().ok_or("no output")?).read_line(&mut address)?;
        let (host, path) =
            address.trim().trim_start_matches("http://").split_once('/').ok_or("no address")?;
        let (host, path) = (host.to_owned(), format!("/{path}"));
        let mut server = Self { process, host, path, started: 0.0 };
        server.get("")?;
        server.started = begin.elapsed().as_secs_f64();
        Ok(server)
    }

    fn get(&self, rest: &str) -> Result<usize> {
        let mut stream = TcpStream::connect(&self.host)?;
        let (host, path) = (&self.host, &self.path);
        write!(stream, "GET {path}{rest} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        match answer.starts_with(b"HTTP/1.1 200") {
            true => Ok(answer.len()),
            false => {
                Err(format!("{rest}: {}", String::from_utf8_lossy(&answer[..answer.len().min(100)])).into())
            }
        }
    }

    /// Returns the milliseconds of tiles of all levels and places.
    fn tiles(&self) -> Result<Vec<f64>> {
        let mut times = Vec::new();
        for number in 0..TILES {
            let level = 1 + number % 3;
            // Spread over the level, which has at least twice this many tiles.
            let at = (number * 7) % (1 << (2 * level).min(5));
            let begin = Instant::now();
            self.get(&format!("tile?level={level}&at={at}&block=0"))?;
            times.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        Ok(times)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const ABOUT: &str = "\
The stencil trace of the stage `analysis`, with more locations or more events. `kymo report` and the
first start of `kymo view` read every event; a page is complete when its last byte is there. Tiles
have 512 buckets of up to 64 rows, from three levels below the page; a row of the trace with 10,000
locations shows up to 30 of them. Cold: not asked for before, files in memory.";
