//! `kymo report`: the page contains the sums of `kymo profile`, and a browser shows it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use kymo_otf2::definitions::{self, ClockProperties};
use kymo_otf2::events::{Enter, Leave, ProgramBegin};
use kymo_otf2::list::List;
use kymo_otf2::references::{RegionRef, StringRef};
use kymo_testdata::{anchors, cases, own, part_of};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::check_common::kymo;
use crate::check_common::world::{clock, world};
use crate::judges;
use crate::timelines;

/// Writes a page. Returns the status and the messages.
fn report(arguments: &[&str], archive: &Path, output: &Path) -> (Option<i32>, String) {
    let output = kymo().arg("report").args(arguments).arg("-o").arg(output).arg(archive).output().unwrap();
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// The data of a page.
struct Data {
    header: Value,
    arrays: Vec<u8>,
}

impl Data {
    fn of(page: &str) -> Self {
        let data = page.split("id=\"kymo-data\">").nth(1).unwrap().split("</script>").next().unwrap();
        let mut pack = Vec::new();
        DeflateDecoder::new(&STANDARD.decode(data).unwrap()[..]).read_to_end(&mut pack).unwrap();
        let length = u32::from_le_bytes(pack[..4].try_into().unwrap()) as usize;
        let header = serde_json::from_slice(&pack[4..4 + length]).unwrap();
        Self { header, arrays: pack.split_off((4 + length).next_multiple_of(8)) }
    }

    /// Returns an array of numbers, whatever their type is.
    fn numbers(&self, array: &Value) -> Vec<f64> {
        let number = |name: &str| array[name].as_u64().unwrap() as usize;
        let (at, length) = (number("at"), number("length"));
        let number: fn(&[u8]) -> f64 = match array["type"].as_str().unwrap() {
            "u8" => |it| it[0].into(),
            "u16" => |it| u16::from_le_bytes(it.try_into().unwrap()).into(),
            "u32" => |it| u32::from_le_bytes(it.try_into().unwrap()).into(),
            "f64" => |it| f64::from_le_bytes(it.try_into().unwrap()),
            other => panic!("{other}"),
        };
        let width = match array["type"].as_str().unwrap() {
            "u8" => 1,
            "u16" => 2,
            "u32" => 4,
            _ => 8,
        };
        self.arrays[at..at + length * width].chunks(width).map(number).collect()
    }

    /// Returns visits and exclusive nanoseconds by name of region, summed over all slices.
    fn sums(&self) -> BTreeMap<String, (u64, u64)> {
        let [slices, contexts] = ["slices", "contexts"].map(|name| &self.header[name]);
        let regions = self.numbers(&contexts["region"]);
        let [context, exclusive, visits] =
            ["context", "exclusive", "visits"].map(|name| self.numbers(&slices[name]));
        let mut sums = BTreeMap::<_, (u64, u64)>::new();
        for ((context, exclusive), visits) in context.iter().zip(&exclusive).zip(&visits) {
            let region = &self.header["regions"][regions[*context as usize] as usize];
            let sum = sums.entry(region["name"].as_str().unwrap().to_owned()).or_default();
            *sum = (sum.0 + *visits as u64, sum.1 + *exclusive as u64);
        }
        sums
    }
}

/// Returns visits, exclusive and inclusive nanoseconds by name of region.
fn profiled(anchor: &Path) -> BTreeMap<String, [u64; 3]> {
    let output = kymo().args(["profile", "--format", "csv"]).arg(anchor).output().unwrap();
    let mut sums = BTreeMap::<_, [u64; 3]>::new();
    for row in csv::Reader::from_reader(&output.stdout[..]).records().map(|row| row.unwrap()) {
        let sum = sums.entry(row[0].to_owned()).or_default();
        for (place, column) in [1, 3, 2].into_iter().enumerate() {
            sum[place] += row[column].parse::<u64>().unwrap();
        }
    }
    sums.retain(|_, sum| *sum != [0; 3]);
    sums
}

/// Returns the time in no call, in nanoseconds.
fn outside_of(anchor: &Path) -> f64 {
    let output = kymo().args(["profile", "--format", "json"]).arg(anchor).output().unwrap();
    let profile: Value = serde_json::from_slice(&output.stdout).unwrap();
    profile["groups"][0]["outside_ns"].as_f64().unwrap()
}

#[test]
fn the_page_of_every_archive_has_the_sums_of_its_profile() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("page.html");
    let (mut pages, mut dates, mut sampled) = (0, 0, 0);
    let archives = ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case));
    for anchor in part_of(archives, 2) {
        let (status, messages) = report(&["--no-check"], &anchor, &file);
        assert!(matches!(status, Some(0 | 3)), "{}: {messages}", anchor.display());
        let page = fs::read_to_string(&file).unwrap();
        assert!(page.len() <= 8_000_000, "{}", page.len());
        let data = Data::of(&page);
        if let Some(date) = data.header["trace"]["date"].as_str() {
            assert!(date.len() == 23 && date.ends_with(" UTC"), "the date was in nanoseconds: {date}");
            dates += 1;
        }
        assert!(!data.header["trace"]["date"].is_number());
        let mut found = data.sums();
        found.retain(|_, sum| *sum != (0, 0));
        let expected = profiled(&anchor).into_iter();
        let expected = expected.map(|(name, [visits, exclusive, _])| (name, (visits, exclusive)));
        let expected: BTreeMap<_, _> = expected.filter(|(_, sum)| *sum != (0, 0)).collect();
        assert_eq!(found, expected, "{}", anchor.display());
        if !data.header["outside"].is_null() {
            let outside = data.numbers(&data.header["outside"]).iter().sum::<f64>();
            assert_eq!(outside, outside_of(&anchor), "{}", anchor.display());
            sampled += 1;
        }
        pages += 1;
    }
    assert!(pages >= 19 && dates > 0 && sampled > 0, "{pages} {dates} {sampled}");
}

/// Returns the region and the share of the lines of a table of text, whose first columns are the
/// exclusive time and its share.
fn shares(text: &str) -> BTreeMap<String, String> {
    let row = |line: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        let is_row = words.len() > 3 && words[1].ends_with('s') && words[2].parse::<f64>().is_ok();
        let name = line.rsplit("  ").next().unwrap().trim().to_owned();
        is_row.then(|| (name, words[2].to_owned()))
    };
    text.lines().filter_map(row).collect()
}

/// The shares of `kymo stats` and of the page once were of the time in calls alone.
#[test]
fn verbs_agree_on_the_shares_of_a_recording_with_samples() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("page.html");
    let archive = own("scorep-recordings/sampling");
    let run = |arguments: &[&str]| {
        let output = kymo().args(arguments).arg(&archive).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let json = |arguments: &[&str]| serde_json::from_str::<Value>(&run(arguments)).unwrap();
    let outside = json(&["profile", "--format", "json"])["groups"][0]["outside_ns"].as_u64().unwrap();
    assert!(outside > 0);
    // The numbers.
    let stats = json(&["stats", "--no-check", "--format", "json"]);
    assert_eq!(stats["trace"]["outside_ns"], outside);
    let classes = stats["classes"].as_array().unwrap();
    let row = classes.iter().find(|it| it["class"] == "not running").unwrap();
    assert_eq!(row["exclusive_ns"], outside);
    assert_eq!(report(&["--no-check"], &archive, &file).0, Some(0));
    let data = Data::of(&fs::read_to_string(&file).unwrap());
    assert_eq!(data.numbers(&data.header["outside"]).iter().sum::<f64>(), outside as f64);
    assert_eq!(data.header["outsideName"], "(not running)");
    // The shares, which the page computes of its numbers.
    let profile = shares(&run(&["profile"]));
    let text = run(&["stats", "--no-check"]);
    let table = text.split("Regions by time").nth(1).unwrap().split("Regions by number").next().unwrap();
    assert_eq!(shares(table), profile);
    assert!(profile.len() > 1 && profile.contains_key("(not running)"), "{profile:?}");
    let all = data.sums().values().map(|it| it.1).sum::<u64>() + outside;
    for (name, share) in &profile {
        let is_outside = name == "(not running)";
        let own = if is_outside { outside } else { data.sums().get(name).map_or(0, |it| it.1) };
        assert_eq!(format!("{:.2}", 100.0 * own as f64 / all as f64), *share, "{name}");
    }
    let (status, _) = report(&["--format", "svg", "--picture", "flame"], &archive, &file);
    let title = titles(&fs::read_to_string(&file).unwrap());
    let title = title.iter().find(|it| it.starts_with("(not running): ")).unwrap();
    assert!(status == Some(0) && title.contains(&format!(" = {} %", profile["(not running)"])), "{title}");
    // Without samples, the activity of the program in no call is not known.
    assert_eq!(report(&["--no-check"], &own("scorep-recordings/hybrid"), &file).0, Some(0));
    assert!(Data::of(&fs::read_to_string(&file).unwrap()).header["outside"].is_null());
}

/// A build has many processes of one program: their rows have the argument that differs, and the
/// times for which they run.
#[test]
fn rows_have_what_distinguishes_them_and_their_lives() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("page.html");
    let mut trace = world();
    const ARGUMENTS: [[StringRef; 1]; 2] = [[StringRef(901)], [StringRef(902)]];
    let begin = |location: usize| ProgramBegin {
        program_name: StringRef(900),
        program_arguments: List::new(&ARGUMENTS[location]).unwrap(),
    };
    for (id, text) in [(900, "/usr/bin/cc1plus"), (901, "a.cpp"), (902, "b.cpp")] {
        trace.globals.push(definitions::String { id: StringRef(id), string: text.into() }.into());
    }
    trace.event(0, 5000, begin(0));
    trace.event(0, 5600, Leave { region: RegionRef(0) });
    trace.event(1, 5320, begin(1));
    trace.event(1, 5640, Leave { region: RegionRef(0) });
    trace.globals[0] = ClockProperties { trace_length: 6000, ..clock() }.into();
    let written = trace.write();
    let (status, messages) = report(&["--no-check"], &written.anchor(), &file);
    assert_eq!(status, Some(0), "{messages}");
    let data = Data::of(&fs::read_to_string(&file).unwrap());
    assert_eq!(data.header["trace"]["command"], "cc1plus a.cpp");
    let rows = data.header["rows"].as_array().unwrap();
    let row = |row: &Value| (row["label"].as_str().unwrap().to_owned(), row["life"].clone());
    let rows: Vec<_> = rows.iter().map(row).collect();
    assert_eq!(rows[0].1, json!([5e9, 5.6e9]));
    assert_eq!(rows[1].1, json!([5.32e9, 5.64e9]));
    assert!(rows[0].0.ends_with(" a.cpp") && rows[1].0.ends_with(" b.cpp"), "{rows:?}");
}

/// Cells of all levels have the same calls, and rows are in the order of processes.
#[test]
fn levels_of_detail_agree() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("page.html");
    assert_eq!(report(&["--no-check"], &own("scorep-recordings/hybrid"), &file).0, Some(0));
    let data = Data::of(&fs::read_to_string(&file).unwrap());
    let levels = data.header["levels"].as_array().unwrap();
    let calls = |level: &Value| data.numbers(&level["calls"]).iter().sum::<f64>();
    assert!(levels.len() > 2 && levels.iter().all(|level| calls(level) == calls(&levels[0])));
    let processes: Vec<_> =
        data.header["rows"].as_array().unwrap().iter().map(|row| row["process"].as_str().unwrap()).collect();
    assert!(processes.is_sorted() && processes.len() > 4, "{processes:?}");
    let matrix = &data.header["matrix"];
    let stats = &data.header["stats"]["messages"];
    assert_eq!(data.numbers(&matrix["count"]).iter().sum::<f64>(), stats["count"].as_f64().unwrap());
    assert_eq!(data.numbers(&matrix["bytes"]).iter().sum::<f64>(), stats["bytes"].as_f64().unwrap());
}

/// The strip of the whole trace once had a stripe for each sample: it showed their slices only.
#[test]
fn the_strip_lasts_from_sample_to_sample() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("page.html");
    assert_eq!(report(&["--no-check"], &own("scorep-recordings/sampling"), &file).0, Some(0));
    let data = Data::of(&fs::read_to_string(&file).unwrap());
    let strip = &data.header["strip"];
    let [start, context, exclusive] = ["start", "context", "exclusive"].map(|it| data.numbers(&strip[it]));
    // 39 samples of 2 ms; the first one is at 5 of 160 ms.
    assert_eq!(exclusive.iter().sum::<f64>().round(), 78e6);
    let slices: Vec<_> =
        start.windows(2).map(|it| exclusive[it[0] as usize..it[1] as usize].to_vec()).collect();
    let shown = slices.iter().position(|it| !it.is_empty()).unwrap();
    assert!(slices.len() == 256 && shown == 8, "{shown}");
    assert!(slices[shown..].iter().all(|it| it.len() == 1 && (2e5..5e5).contains(&it[0])), "{slices:?}");
    let regions = data.numbers(&data.header["contexts"]["region"]);
    let mut sums = BTreeMap::<_, (u64, u64)>::new();
    for (context, time) in context.iter().zip(&exclusive) {
        let region = &data.header["regions"][regions[*context as usize] as usize]["name"];
        sums.entry(region.as_str().unwrap().to_owned()).or_default().1 += (time * 1000.0).round() as u64;
    }
    sums.values_mut().for_each(|it| it.1 = (it.1 + 500) / 1000);
    let mut expected = data.sums();
    expected.retain(|_, it| it.1 > 0);
    assert_eq!(sums, expected);
    // Without samples, the strip shows the slices.
    assert_eq!(report(&["--no-check"], &own("scorep-recordings/hybrid"), &file).0, Some(0));
    assert!(Data::of(&fs::read_to_string(&file).unwrap()).header["strip"].is_null());
}

/// A trace whose clock properties have a length of 2⁶⁴ - 1 once was one bucket, and its open call
/// lasted for centuries.
#[test]
fn a_length_that_cannot_be_is_that_of_the_events() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("page.html");
    let mut trace = world();
    let enter = |id| Enter { region: RegionRef(id) };
    let leave = |id| Leave { region: RegionRef(id) };
    trace.event(0, 5000, enter(0));
    trace.event(0, 5640, leave(0));
    trace.event(1, 5320, enter(1));
    for (trace_length, is_stated) in [(u64::MAX, false), (0, false), (u64::MAX / 2, false), (6000, true)] {
        trace.globals[0] = ClockProperties { trace_length, ..clock() }.into();
        let written = trace.write();
        let (status, messages) = report(&["--no-check"], &written.anchor(), &file);
        assert_eq!(status, Some(0), "{messages}");
        let data = Data::of(&fs::read_to_string(&file).unwrap());
        let [from, length] = ["from", "length"].map(|it| data.header["trace"][it].as_u64().unwrap());
        let (start, span) = if is_stated { (0, 6000) } else { (5000, 640) };
        assert_eq!((from, length), (start * 1_000_000, span * 1_000_000), "{trace_length}");
        assert_eq!(data.header["notes"].to_string().contains("state no length that can be"), !is_stated);
        let level = &data.header["levels"].as_array().unwrap().last().unwrap();
        let shown = data.numbers(&level["context"]).into_iter().filter(|it| *it != 65535.0).count();
        // The call of location 1 ends with the last event of the location.
        assert!(is_stated || shown == 64, "{trace_length}: {shown}");
        let times: Vec<u64> = data.sums().into_values().map(|it| it.1).collect();
        assert!(times.iter().sum::<u64>() <= 1_400_000_000, "{trace_length}: {times:?}");
        let output = kymo().args(["view", "--text"]).arg(written.anchor()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let letters = text.chars().filter(|it| *it == 'A').count();
        assert!(is_stated || letters >= 40, "{text}");
    }
}

/// Times of a damaged trace that together are more than 2⁶⁴ ns once ended the page with "number out
/// of range", and the picture with a panic. The stated length is shorter: the page once counted
/// all slices of the critical path beyond it.
#[test]
fn times_of_locations_add_up_beyond_64_bits() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("page");
    let mut trace = world();
    trace.globals[0] = ClockProperties { timer_resolution: 1_000_000_000, ..clock() }.into();
    for location in [0, 1] {
        trace.event(location, 0, Enter { region: RegionRef(0) });
        trace.event(location, u64::MAX - 1, Leave { region: RegionRef(0) });
    }
    let written = trace.write();
    let (status, messages) = report(&["--no-check"], &written.anchor(), &file);
    assert_eq!(status, Some(0), "{messages}");
    let stats = &Data::of(&fs::read_to_string(&file).unwrap()).header["stats"];
    let twice = 2.0 * (u64::MAX - 1) as f64;
    assert_eq!(stats["regions"][0]["exclusive_ns"].as_f64(), Some(twice), "{stats}");
    let (status, messages) = report(&["--format", "svg"], &written.anchor(), &file);
    assert_eq!(status, Some(0), "{messages}");
    let titles = titles(&fs::read_to_string(&file).unwrap());
    assert!(titles.iter().any(|it| it.contains(": 36893488147 s = 100.00 %, 2 calls")), "{titles:?}");
}

/// A picture is well-formed, whatever names a trace has, and its flame graph has the sums of
/// `kymo profile --tree`.
#[test]
fn pictures_of_every_archive_have_the_sums_of_its_profile() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("picture.svg");
    let mut drawn = 0;
    let archives = ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case));
    for anchor in part_of(archives, 2) {
        let (status, messages) = report(&["--format", "svg"], &anchor, &file);
        assert!(matches!(status, Some(0 | 3)), "{}: {messages}", anchor.display());
        let output = kymo().args(["profile", "--tree", "--format", "csv"]).arg(&anchor).output().unwrap();
        let rows =
            csv::Reader::from_reader(&output.stdout[..]).into_deserialize::<BTreeMap<String, String>>();
        let rows: Vec<_> = rows.map(|row| row.unwrap()).collect();
        let has_tasks = timelines::has_tasks(&anchor);
        let titles = titles(&fs::read_to_string(&file).unwrap());
        for title in titles.iter().filter(|it| !it.starts_with("(not running): ")) {
            // Name: time = share %, calls.
            let (name, numbers) = title.rsplit_once(": ").unwrap();
            let (time, calls) = numbers.split_once(", ").unwrap();
            let (time, _) = time.split_once(" = ").unwrap();
            let calls = calls.trim_end_matches(" calls").replace(',', "");
            let row = |row: &BTreeMap<String, String>| {
                same(&row["region"], name) && row["visits"] == calls && is_rounded(&row["inclusive_ns"], time)
            };
            // The time of tasks belongs to call paths of their own.
            assert!(has_tasks || rows.iter().any(row), "{}: {title}", anchor.display());
            drawn += usize::from(!has_tasks);
        }
    }
    assert!(drawn >= 150, "{drawn}");
}

/// Whether a time for people, with four digits, is that of a number of nanoseconds.
fn is_rounded(nanoseconds: &str, shown: &str) -> bool {
    let (digits, unit) = shown.split_once(' ').unwrap();
    let unit = match unit {
        "s" => 1e9,
        "ms" => 1e6,
        "us" => 1e3,
        _ => 1.0,
    };
    let exact = nanoseconds.parse::<f64>().unwrap();
    (digits.parse::<f64>().unwrap() * unit - exact).abs() <= exact * 0.0006
}

/// Whether a name is that of a region, in a picture that replaces control characters.
fn same(region: &str, shown: &str) -> bool {
    region.chars().count() == shown.chars().count()
        && region.chars().zip(shown.chars()).all(|(one, other)| one == other || other == '\u{fffd}')
}

/// Returns the titles of the areas of a picture, which must be well-formed.
fn titles(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let titles = document.descendants().filter(|it| it.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    titles
        .filter(|it| it.parent() != Some(document.root_element()))
        .map(|it| it.text().unwrap_or("").to_owned())
        .collect()
}

/// Returns the texts of a picture.
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|it| it.tag_name().name() == "text");
    texts.map(|it| it.text().unwrap_or("").to_owned()).collect()
}

#[test]
fn pictures_name_rows_regions_and_processes() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("picture.svg");
    let drawn = |arguments: &[&str], archive: &str| {
        let arguments = [&["--format", "svg"], arguments].concat();
        assert_eq!(report(&arguments, &own(archive), &file).0, Some(0));
        texts(&fs::read_to_string(&file).unwrap())
    };
    let has = |texts: &[String], what: &str| texts.iter().any(|it| it.starts_with(what));
    let all = drawn(&[], "scorep-recordings/hybrid");
    for what in
        ["Time line", "MPI Rank 3, Master", "MPI_Init", "Flame graph", "Messages between", "MPI Rank 0"]
    {
        assert!(has(&all, what), "{what}: {all:?}");
    }
    let matrix = drawn(&["--picture", "matrix"], "scorep-recordings/hybrid");
    assert!(has(&matrix, "Rows send") && !has(&matrix, "Time line"), "{matrix:?}");
    // Without messages, the matrix is there only if it is asked for.
    assert!(!has(&drawn(&[], "scorep-recordings/threads"), "Messages between"));
    assert!(has(&drawn(&["--picture", "matrix"], "scorep-recordings/threads"), "The trace has no messages"));
}

#[test]
fn a_picture_has_its_default_name() {
    let scratch = TempDir::new().unwrap();
    let trace = own("otf2-samples/python-basic");
    for format in ["svg", "png"] {
        let arguments = ["report", "--format", format, "--picture", "timeline"];
        let output = kymo().args(arguments).arg(&trace).current_dir(scratch.path()).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    }
    let png = fs::read(scratch.path().join("report.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 10_000);
    assert!(fs::read_to_string(scratch.path().join("report.svg")).unwrap().starts_with("<svg "));
    let output = kymo().args(["report", "--picture", "flame"]).arg(&trace).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn mistakes_leave_no_page() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("page.html");
    let (status, messages) = report(&[], Path::new("/nonexistent.otf2"), &file);
    assert_eq!((status, fs::read_dir(scratch.path()).unwrap().count()), (Some(4), 0));
    assert!(messages.starts_with("kymo: /nonexistent.otf2: "), "{messages}");
    let (status, _) = report(&["--format", "pdf"], &own("otf2-samples/python-basic"), &file);
    assert_eq!(status, Some(2));
}

/// The packages of Node.js that check pages.
const PACKAGES: [(&str, &str); 3] =
    [("playwright-core", "1.65.1"), ("axe-core", "4.14.1"), ("typescript", "5.9.3")];

/// Returns whether there is a browser, with the program that operates it. A missing one is
/// reported.
pub(crate) fn has_browser() -> bool {
    PACKAGES.into_iter().all(|(package, version)| judges::npm(package, version).is_some())
        && ["chromium", "node"].into_iter().all(kymo_testdata::is_installed)
}

/// Chromium opens the pages of these from disk, operates them and adds up the same; axe-core finds
/// nothing serious, and their pictures are those in `crates/viewer/test/pictures`. The samples of
/// `crates/viewer/test` have features that these traces lack.
#[test]
fn a_browser_shows_the_pages() {
    if !has_browser() {
        return;
    }
    let scratch = TempDir::new().unwrap();
    let traces = [
        "scorep-recordings/hybrid",
        "scorep-recordings/sampling",
        "scorep-recordings/mpi",
        "otf2-samples/python-basic",
    ];
    let traces = if kymo_testdata::is_long() { &traces[..] } else { &traces[..1] };
    let mut files = Vec::new();
    for trace in traces.iter().copied().map(own) {
        let file = scratch.path().join(trace.file_name().unwrap()).with_extension("html");
        assert_eq!(report(&["--no-check"], &trace, &file).0, Some(0));
        let length = Data::of(&fs::read_to_string(&file).unwrap()).header["trace"]["length"].clone();
        let row = |(name, [visits, exclusive, inclusive]): (String, [u64; 3])| json!({ "region": name, "visits": visits, "exclusive_ns": exclusive, "inclusive_ns": inclusive });
        let regions: Vec<_> = profiled(&trace).into_iter().map(row).collect();
        let sums = json!([{ "from": 0, "to": length, "regions": regions }]);
        fs::write(file.with_extension("json"), sums.to_string()).unwrap();
        files.push(file);
    }
    check_pages(&files);
    check_pages(&[]);
}

fn check_pages(files: &[PathBuf]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../viewer/test/check.mjs");
    let mut command = Command::new("node");
    command.arg(script).arg(env!("CARGO_TARGET_TMPDIR")).args(files);
    if !files.is_empty() {
        command.arg("--pictures");
    }
    let output = command.output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let is_page = |line: &&str| line.contains("\"check\":\"page\"");
    let pages = out.lines().filter(is_page).count();
    assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(pages, if files.is_empty() { 6 } else { files.len() }, "{out}");
}
