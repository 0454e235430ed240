//! The data of the page: a header in JSON with arrays of numbers.
//!
//! `crates/viewer/README.md` describes the fields. Invariant: sums over all slices are those of
//! `kymo profile --tree`.

use super::add;
use std::collections::HashMap;
use std::io;

use kymo_analysis::overview::{Overview, Shape};
use kymo_analysis::profile::{self, Counting, counting};
use kymo_analysis::statistics::Statistics;
use kymo_analysis::waits::WaitKind;
use kymo_analysis::{Class, ContextId, Trace};
use kymo_otf2::references::{LocationGroupRef, LocationRef, RegionRef};
use kymo_viewer::Pack;
use serde_json::{Value, json};

use super::arrangement::{self, Arrangement, Row};
use super::labels::Labels;
use super::messages::{Joined, Messages};
use super::palette::{OUTSIDE, Palette};
use super::slices::Slices;
use super::waiting::Waiting;
use super::{cells, curves, strip};
use crate::date;
use crate::number;
use crate::stats;

/// Everything that a page shows.
#[derive(Debug)]
pub(crate) struct Report<'t> {
    /// The name of the trace, for people.
    pub(crate) name: String,
    pub(crate) trace: &'t Trace,
    pub(crate) shape: Shape,
    pub(crate) statistics: Statistics,
    pub(crate) overview: Overview,
    pub(crate) messages: Messages,
    pub(crate) waiting: Waiting,
    /// The summary of `kymo check`, unless it was not wanted.
    pub(crate) check: Option<Value>,
    /// How a server divides the time below the levels of the page, if there is a server.
    pub(crate) tiles: Option<Value>,
}

/// The largest size of a page, in bytes.
const LARGEST: usize = 8_000_000;
/// The largest number of rows of tables that grow with the square of the processes, and of others.
const MOST_ROWS: usize = 2_000;
/// The regions with most imbalance whose times are shown by location.
const MOST_SPREADS: usize = 30;
/// The largest number of rows of the message matrix.
const MOST_PROCESSES: usize = 256;
/// The largest number of metrics.
const MOST_METRICS: usize = 50;

impl Report<'_> {
    /// Returns the page. Its finest level is left out as long as the page is too large.
    pub(crate) fn page(&self) -> io::Result<String> {
        let arrangement = Arrangement::of(self.trace, &self.overview, arrangement::MOST_ROWS);
        let slices = Slices::of(&self.overview, &arrangement, self.shape.slices);
        let palette = Palette::of(self.trace, &self.overview);
        let last = self.shape.levels().count() - 1;
        let mut finest = 0;
        loop {
            let page = kymo_viewer::page(
                &self.pack(&arrangement, &slices, &palette, finest)?,
                self.tiles.is_some(),
            )?;
            // Tiles are below the finest level.
            if page.len() <= LARGEST || finest == last || self.tiles.is_some() {
                return Ok(page);
            }
            finest += 1;
        }
    }

    fn pack(
        &self,
        arrangement: &Arrangement,
        slices: &Slices,
        palette: &Palette,
        finest: usize,
    ) -> io::Result<Vec<u8>> {
        let mut pack = Pack::default();
        let labels = Labels::of(self.trace, &self.overview);
        let mut notes = arrangement.notes.clone();
        let mut stats = stats::value(self.trace, &self.statistics)?;
        shorten(&mut stats, &mut notes);
        let levels = self.levels(&mut pack, arrangement, finest);
        let width = self.shape.slice_width() * slices.joined as u64;
        notes.push(format!(
            "The time line has buckets of at least {}, call paths have slices of {}.",
            number::time(levels[0]["width"].as_f64().unwrap_or_default()),
            number::time(width as f64)
        ));
        if self.has_tasks() {
            notes.push(
                "The time of tasks belongs to call paths of their own, and not to the inclusive time of the \
                 calls in which they run."
                    .to_owned(),
            );
        }
        if slices.groups.len() < arrangement.sets.len() {
            notes.push(format!(
                "Call paths are known for {} groups of rows, each of up to {} rows.",
                slices.groups.len(),
                arrangement.sets.len().div_ceil(slices.groups.len())
            ));
        }
        if palette.regions.len() >= usize::from(OUTSIDE) {
            notes.push("The time line has one colour for the regions with the least time.".to_owned());
        }
        let header = json!({
            "version": 1,
            "generator": concat!("kymo ", env!("CARGO_PKG_VERSION")),
            "trace": self.facts(&labels),
            "classes": Class::ALL.map(Class::name),
            "outsideName": format!("({})", profile::OUTSIDE),
            "regions": self.regions(palette),
            "rows": arrangement.rows.iter().map(|row| self.row(row, slices, &labels)).collect::<Vec<_>>(),
            "groups": self.groups(arrangement, slices, &labels),
            "levels": levels,
            "tiles": self.tiles,
            "contexts": self.contexts(&mut pack, palette),
            "slices": slices_of(&mut pack, slices, width),
            "outside": self.outside(&mut pack, arrangement, slices),
            "strip": strip::of(&self.overview, slices).map(|strip| strip_of(&mut pack, &strip, slices.count)),
            "messages": self.messages(&mut pack, arrangement),
            "waits": self.waits(&mut pack, arrangement, &mut notes),
            "path": self.path(&mut pack, arrangement),
            "matrix": self.matrix(&mut pack, &mut notes),
            "metrics": self.metrics(&mut pack, &mut notes),
            "spread": self.spread(&mut pack, arrangement, slices, palette),
            "stats": stats,
            "check": self.check,
            "notes": notes,
        });
        Ok(pack.finish(&header))
    }

    /// Whether there are explicit tasks.
    fn has_tasks(&self) -> bool {
        ["ThreadTaskSwitch", "OmpTaskSwitch"].iter().any(|it| self.statistics.kinds.contains_key(*it))
    }

    fn facts(&self, labels: &Labels<'_>) -> Value {
        let trace = self.trace;
        let (mut groups, mut nodes) = (Vec::new(), Vec::new());
        for location in trace.locations() {
            groups.push(location.group);
            nodes.push(trace.node_of(location.group));
        }
        groups.sort_unstable();
        groups.dedup();
        nodes.sort_unstable();
        nodes.dedup();
        json!({
            "name": self.name,
            "command": labels.command(),
            "date": trace.clock().date().map(date::text),
            "from": self.shape.from,
            "length": self.shape.length,
            "events": self.statistics.events,
            "lost": trace.events_lost().unwrap_or(0),
            "locations": trace.locations().len(),
            "processes": groups.len(),
            "nodes": nodes.len(),
        })
    }

    fn regions(&self, palette: &Palette) -> Vec<Value> {
        let region = |(place, id): (usize, &RegionRef)| {
            let region = self.trace.region(*id);
            let file = region.and_then(|it| self.trace.string(it.source_file)).unwrap_or_default();
            json!({
                "name": self.trace.region_name(*id),
                "class": palette.class(place),
                "file": file,
                "line": region.map_or(0, |it| it.line),
            })
        };
        palette.regions.iter().enumerate().map(region).collect()
    }

    pub(crate) fn process_name(&self, group: LocationGroupRef) -> String {
        self.trace.location_group_name(group).into_owned()
    }

    fn row(&self, row: &Row, slices: &Slices, labels: &Labels<'_>) -> Value {
        let trace = self.trace;
        let id = self.overview.lanes[row.lanes[0]].0;
        let group = slices.groups.iter().position(|sets| sets.contains(&row.set));
        let location = trace.location(id);
        let name = location.map_or_else(String::new, |it| trace.location_name(it).into_owned());
        let process = location.map_or_else(String::new, |it| self.process_name(it.group));
        let node = location.and_then(|it| trace.system_tree_node(trace.node_of(it.group)));
        let is_one = row.lanes.len() == 1;
        let label = location.map_or_else(String::new, |it| labels.process(it.group));
        let spans = row.lanes.iter().filter_map(|lane| self.overview.lanes[*lane].1.span);
        let life = spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let life = life.map(|(begin, end)| [self.since_start(begin), self.since_start(end)]);
        json!({
            "name": if is_one { name } else { format!("{} locations", row.lanes.len()) },
            "kind": row.kind.name(),
            "location": if is_one { id.0.to_string() } else { String::new() },
            "process": if is_one { process } else { String::new() },
            "label": if is_one { label } else { String::new() },
            "life": life,
            "node": node.and_then(|it| trace.string(it.name)).unwrap_or_default(),
            "members": row.lanes.len(),
            "group": group,
        })
    }

    fn groups(&self, arrangement: &Arrangement, slices: &Slices, labels: &Labels<'_>) -> Vec<Value> {
        let group = |sets: &Vec<usize>| {
            let members: usize = sets.iter().map(|set| arrangement.sets[*set].len()).sum();
            let first = sets.first().and_then(|set| arrangement.sets[*set].first());
            let first = first.map_or_else(String::new, |lane| labels.lane(*lane));
            let name = if members == 1 { first } else { format!("{first} and {} more", members - 1) };
            json!({ "name": name, "members": members })
        };
        slices.groups.iter().map(group).collect()
    }

    /// Packs calling contexts as they are numbered in the page, in 16 bits if these suffice.
    fn pack_contexts(&self, pack: &mut Pack, contexts: Vec<u32>) -> Value {
        match self.overview.contexts.len() < usize::from(u16::MAX) {
            true => pack.u16(contexts.into_iter().map(|it| it as u16)),
            false => pack.u32(contexts),
        }
    }

    fn levels(&self, pack: &mut Pack, arrangement: &Arrangement, finest: usize) -> Vec<Value> {
        let level = |(level, buckets): (usize, usize)| {
            let mut columns = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for row in &arrangement.rows {
                cells::each(&self.overview, row, level, |cell| {
                    columns.0.push(cell.context.0.wrapping_sub(1));
                    columns.1.push(cell.share);
                    columns.2.push(u16::try_from(cell.calls).unwrap_or(u16::MAX));
                    columns.3.push(cell.outermost);
                });
            }
            let (contexts, shares, calls, outermost) = columns;
            json!({
                "buckets": buckets,
                "width": self.shape.width * (self.shape.buckets / buckets) as u64,
                "context": self.pack_contexts(pack, contexts),
                "share": pack.u8(shares),
                "calls": pack.u16(calls),
                "outermost": pack.u8(outermost),
            })
        };
        self.shape.levels().enumerate().skip(finest).map(level).collect()
    }

    fn contexts(&self, pack: &mut Pack, palette: &Palette) -> Value {
        let contexts = &self.overview.contexts;
        let region = |it: ContextId| palette.place(contexts.region(it)) as u32;
        let parent = |it: ContextId| contexts.parent(it).0.wrapping_sub(1);
        let classes = Class::of_contexts(self.trace, contexts);
        let class = |it: ContextId| classes[it.index()] as u8;
        json!({
            "class": pack.u8(contexts.iter().map(class)),
            "region": pack.u32(contexts.iter().map(region)),
            "parent": pack.u32(contexts.iter().map(parent)),
        })
    }

    /// Returns the time in no call of each group in each slice. Without samples, the activity of
    /// the program in it is not known, and no share is of it: `kymo profile` has the same rule.
    fn outside(&self, pack: &mut Pack, arrangement: &Arrangement, slices: &Slices) -> Option<Value> {
        if !self.overview.has_samples {
            return None;
        }
        let mut times = vec![0_u64; slices.count * slices.groups.len()];
        for (group, sets) in slices.groups.iter().enumerate() {
            for lane in sets.iter().flat_map(|set| &arrangement.sets[*set]) {
                for (slice, time) in self.overview.lanes[*lane].1.outside.iter().enumerate() {
                    add(&mut times[slice / slices.joined * slices.groups.len() + group], *time);
                }
            }
        }
        Some(pack.f64(times.into_iter().map(|it| it as f64)))
    }

    fn messages(&self, pack: &mut Pack, arrangement: &Arrangement) -> Value {
        let lines = self.messages.lines().map(|lines| {
            let row = |it: LocationRef| arrangement.row(it).map_or(u16::MAX, |row| row as u16);
            let shown: Vec<_> = lines
                .iter()
                .filter(|it| {
                    arrangement.row(it.source).is_some() && arrangement.row(it.destination).is_some()
                })
                .collect();
            json!({
                "source": pack.u16(shown.iter().map(|it| row(it.source))),
                "destination": pack.u16(shown.iter().map(|it| row(it.destination))),
                "send": pack.f64(shown.iter().map(|it| self.since_start(it.send))),
                "receive": pack.f64(shown.iter().map(|it| self.since_start(it.receive))),
                "bytes": pack.f64(shown.iter().map(|it| it.bytes as f64)),
            })
        });
        let density = &self.messages.density;
        json!({
            "list": lines,
            "count": self.messages.count,
            "density": {
                "buckets": density.len(),
                "width": self.shape.slice_width(),
                "count": pack.f64(density.iter().map(|it| it.0)),
                "bytes": pack.f64(density.iter().map(|it| it.1)),
            },
        })
    }

    /// Returns the wait states of locations that have a row; the cause has none if it is not known,
    /// or has no row of its own.
    fn waits(&self, pack: &mut Pack, arrangement: &Arrangement, notes: &mut Vec<String>) -> Value {
        let Waiting { count, waits, .. } = &self.waiting;
        if *count > waits.len() as u64 {
            notes.push(format!("The time line shows the {} longest of {count} wait states.", waits.len()));
        }
        let shown: Vec<_> = waits.iter().filter(|it| arrangement.row(it.location).is_some()).collect();
        let row = |it: LocationRef| arrangement.row(it).map_or(u16::MAX, |row| row as u16);
        json!({
            "names": WaitKind::ALL.map(WaitKind::name),
            "row": pack.u16(shown.iter().map(|it| row(it.location))),
            "cause": pack.u16(shown.iter().map(|it| row(it.cause))),
            "kind": pack.u8(shown.iter().map(|it| it.kind as u8)),
            "start": pack.f64(shown.iter().map(|it| self.since_start(it.start))),
            "end": pack.f64(shown.iter().map(|it| self.since_start(it.end))),
        })
    }

    /// Returns the critical path, whose segments touch each other.
    fn path(&self, pack: &mut Pack, arrangement: &Arrangement) -> Value {
        let Waiting { path, slice, .. } = &self.waiting;
        let row = |it: LocationRef| arrangement.row(it).map_or(u16::MAX, |row| row as u16);
        json!({
            "begin": path.first().map_or(0.0, |it| self.since_start(it.start)),
            "row": pack.u16(path.iter().map(|it| row(it.location))),
            "end": pack.f64(path.iter().map(|it| self.since_start(it.end))),
            "slice": slice,
        })
    }

    /// Returns a time on the axis of the page.
    fn since_start(&self, time: u64) -> f64 {
        time as f64 - self.shape.from as f64
    }

    /// Returns the matrix of the processes that send or receive; of neighbours together if there
    /// are too many.
    fn matrix(&self, pack: &mut Pack, notes: &mut Vec<String>) -> Value {
        let Joined { rows, most, sums } = self.messages.joined(MOST_PROCESSES);
        if most > 1 {
            notes.push(format!("Each row and column of the message matrix has {most} processes."));
        }
        let name = |them: &Vec<LocationGroupRef>| match them[..] {
            [first, .., last] => format!("{} to {}", self.process_name(first), self.process_name(last)),
            _ => them.first().map_or_else(String::new, |it| self.process_name(*it)),
        };
        json!({
            "names": rows.iter().map(name).collect::<Vec<_>>(),
            "from": pack.u32(sums.keys().map(|it| it.0)),
            "to": pack.u32(sums.keys().map(|it| it.1)),
            "count": pack.f64(sums.values().map(|it| it.count as f64)),
            "bytes": pack.f64(sums.values().map(|it| it.bytes as f64)),
            "wait": pack.f64(sums.values().map(|it| it.wait as f64)),
        })
    }

    fn metrics(&self, pack: &mut Pack, notes: &mut Vec<String>) -> Vec<Value> {
        let bands = curves::bands(&self.overview, self.shape.slices);
        if bands.len() > MOST_METRICS {
            notes.push(format!("Only {MOST_METRICS} of {} metrics are drawn.", bands.len()));
        }
        let band = |(id, band): (_, curves::Band)| {
            let metric = self.trace.metric(id)?;
            let text = |id| self.trace.string(id).unwrap_or_default();
            let mode = match counting(metric) {
                Counting::Absolute => "absolute",
                Counting::Accumulated => "accumulated",
                Counting::Relative => "relative",
            };
            Some(json!({
                "name": text(metric.name),
                "unit": text(metric.unit),
                "mode": mode,
                "width": self.shape.slice_width(),
                "min": pack.f64(band.least),
                "mean": pack.f64(band.mean),
                "max": pack.f64(band.most),
            }))
        };
        bands.into_iter().take(MOST_METRICS).filter_map(band).collect()
    }

    /// Returns the regions with the most imbalance, with their times by group.
    fn spread(
        &self,
        pack: &mut Pack,
        arrangement: &Arrangement,
        slices: &Slices,
        palette: &Palette,
    ) -> Vec<Value> {
        let mut regions: Vec<_> = self.statistics.regions.iter().collect();
        regions.retain(|(_, it)| it.spread.idle() > 0);
        regions.sort_by_key(|(_, it)| std::cmp::Reverse(it.spread.idle()));
        regions.truncate(MOST_SPREADS);
        let mut times: HashMap<_, _> =
            regions.iter().map(|(region, _)| (**region, vec![0_u64; slices.groups.len()])).collect();
        for entry in &slices.entries {
            if let Some(times) = times.get_mut(&self.overview.contexts.region(entry.context)) {
                add(&mut times[entry.group as usize], entry.exclusive);
            }
        }
        let members: Vec<f64> = slices
            .groups
            .iter()
            .map(|sets| sets.iter().map(|set| arrangement.sets[*set].len()).sum::<usize>() as f64)
            .collect();
        let mut row = |(region, it): (&RegionRef, &kymo_analysis::statistics::RegionStatistics)| {
            let longest = it.spread.longest.first();
            let location = longest.and_then(|it| self.trace.location(it.1));
            let name = location.map_or_else(String::new, |it| {
                format!("{}, {}", self.process_name(it.group), self.trace.location_name(it))
            });
            let means = times[region].iter().zip(&members).map(|(time, members)| *time as f64 / members);
            json!({
                "region": palette.place(*region),
                "mean": it.spread.mean(),
                "longest": it.spread.most(),
                "location": name,
                "times": pack.f64(means),
            })
        };
        regions.into_iter().map(&mut row).collect()
    }
}

fn slices_of(pack: &mut Pack, slices: &Slices, width: u64) -> Value {
    let entries = &slices.entries;
    let start = |slice: usize| entries.partition_point(|it| (it.slice as usize) < slice) as u32;
    json!({
        "count": slices.count,
        "width": width,
        "start": pack.u32((0..=slices.count).map(start)),
        "group": pack.u16(entries.iter().map(|it| it.group as u16)),
        "context": pack.u32(entries.iter().map(|it| it.context.0 - 1)),
        "exclusive": pack.f64(entries.iter().map(|it| it.exclusive as f64)),
        "visits": pack.u32(entries.iter().map(|it| u32::try_from(it.visits).unwrap_or(u32::MAX))),
    })
}

fn strip_of(pack: &mut Pack, strip: &strip::Strip, count: usize) -> Value {
    let slices: Vec<_> = strip.keys().map(|it| it.0).collect();
    let start = |slice: usize| slices.partition_point(|it| (*it as usize) < slice) as u32;
    json!({
        "start": pack.u32((0..=count).map(start)),
        "context": pack.u32(strip.keys().map(|it| it.1.0 - 1)),
        "exclusive": pack.f64(strip.values().copied()),
    })
}

/// Cuts the tables that can be very long: the page has these numbers elsewhere, or shows the first.
fn shorten(stats: &mut Value, notes: &mut Vec<String>) {
    for path in ["/messages/pairs", "/waits_by_location", "/regions", "/files", "/imbalance", "/filter/rules"]
    {
        let Some(Value::Array(rows)) = stats.pointer_mut(path) else { continue };
        if rows.len() > MOST_ROWS {
            let name = path.trim_start_matches('/').replace('/', ", ");
            notes.push(format!(
                "The statistics contain the first {MOST_ROWS} of {} rows: {name}.",
                rows.len()
            ));
            rows.truncate(MOST_ROWS);
        }
    }
}
