//! Rewinding across the ends of chunks: marks and rewinds at random positions in streams of
//! several MiB, nested or not, leave the records that a model keeps.

use kymo_plugin_tests::testing::synthetic::SyntheticRecording;
use kymo_plugin_tests::testing::synthetic::definitions::{Metric, Region};
use kymo_plugin_tests::testing::{Replay, TemporaryFolder, build_plugin, otf2_print};
use serde_json::json;

/// The number of values of a large record.
const VALUES: usize = 60;
/// The minimum size of a large record in bytes: every value takes nine.
const LARGE: usize = VALUES * 9;
/// The size of a chunk in bytes.
const CHUNK: usize = 1 << 20;

/// Reproducible pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ bits >> 31) % bound
    }
}

/// A mark: its region, its time, and the number of records before it.
#[derive(Clone, Copy)]
struct Mark {
    region: u32,
    time: u64,
    records: usize,
}

/// A run, and the records that it must leave.
struct Run {
    recording: SyntheticRecording,
    regions: Vec<u32>,
    parameter: u32,
    set: u32,
    random: Random,
    records: Vec<String>,
    marks: Vec<Mark>,
    next: u64,
    /// The number of rewinds of more than a chunk, outside other marks and inside.
    long_rewinds: [u32; 2],
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut recording = SyntheticRecording::new();
        let node = recording.system_tree_node(0, 1, "machine", "made-up");
        let group = recording.location_group(node, 0, 0);
        let program = recording.region(&Region::new("app", 36, 0));
        recording.location("Master thread", 0, group);
        recording.call("assign_id", json!({"id": 0}));
        let regions = (0..5).map(|i| recording.region(&Region::new(&format!("mark {i}"), 3, 1))).collect();
        let parameter = recording.parameter("number", 1);
        let metrics: Vec<u32> = (0..VALUES)
            .map(|i| {
                let name = format!("m{i}");
                recording.metric(&Metric {
                    name: &name,
                    description: "",
                    numbers: [3, 4, 1, 1, 0],
                    exponent: 0,
                    unit: "",
                })
            })
            .collect();
        let set = recording.sampling_set(&metrics, 2, 0);
        let name = recording.string("/made/up/app");
        recording.create_location(0, 0, "Master thread", None);
        recording.call("core_task_create", json!({"location": 0, "task": 4096}));
        recording.call("activate_cpu_location", json!({"location": 0, "fork_sequence_count": 0}));
        let begin = json!({"programName": name, "numberOfProgramArgs": 0, "programArguments": [], "programRegionHandle": program, "processId": 1, "threadId": 1});
        let records = vec![format!("{} PROGRAM_BEGIN", recording.time)];
        recording.event(0, "PROGRAM_BEGIN", begin);
        recording.init_mpp();
        Self {
            recording,
            regions,
            parameter,
            set,
            random: Random(seed),
            records,
            marks: Vec::new(),
            next: 0,
            long_rewinds: [0; 2],
        }
    }

    /// Adds a record with a unique number, usually a large one.
    fn record(&mut self) {
        self.next += 1;
        let (time, number) = (self.recording.time, self.next);
        if self.random.below(8) == 0 {
            let members = json!({"parameterHandle": self.parameter, "value": number});
            self.recording.event(0, "TRIGGER_PARAMETER_UINT64", members);
            self.records.push(format!("{time} PARAMETER_UINT64 {number}"));
        } else {
            // All values take eight bytes.
            let mut values = vec![u64::MAX - 1; VALUES];
            values[0] = number | 1 << 60;
            self.recording.event(
                0,
                "WRITE_POST_MORTEM_METRICS",
                json!({"samplingSet": self.set, "metricValues": values}),
            );
            self.records.push(format!("{time} METRIC {}", number | 1 << 60));
        }
    }

    fn mark(&mut self) {
        let region = self.regions[self.random.below(5) as usize];
        self.marks.retain(|mark| mark.region != region);
        self.marks.push(Mark { region, time: self.recording.time, records: self.records.len() });
        self.recording.event(0, "ENTER_REWIND_REGION", json!({"regionHandle": region}));
    }

    fn leave(&mut self) {
        let region = self.regions[self.random.below(5) as usize];
        let rewind = self.random.below(3) > 0;
        let place = self.marks.iter().position(|mark| mark.region == region);
        if let Some(place) = place {
            let mark = self.marks[place];
            self.marks.truncate(place);
            if rewind {
                let dropped = self.records.len() - mark.records;
                if dropped * LARGE > CHUNK {
                    self.long_rewinds[usize::from(place > 0)] += 1;
                }
                self.records.truncate(mark.records);
                self.records
                    .extend(["OFF", "ON"].map(|mode| format!("{} MEASUREMENT_ON_OFF {mode}", mark.time)));
            }
        }
        self.recording.event(
            0,
            "EXIT_REWIND_REGION",
            json!({"regionHandle": region, "doRewind": u32::from(rewind)}),
        );
    }

    fn play(mut self, steps: u32) -> Self {
        for _ in 0..steps {
            match self.random.below(5) {
                0 | 1 => self.mark(),
                2 => self.leave(),
                _ => {
                    let most = if self.random.below(3) == 0 { 4000 } else { 300 };
                    for _ in 0..self.random.below(most) {
                        self.record();
                    }
                }
            }
        }
        self.records.push(format!("{} PROGRAM_END", self.recording.time));
        self.recording.event(0, "PROGRAM_END", json!({"exitStatus": 0, "programRegionHandle": 0}));
        self.recording.call("deactivate_cpu_location", json!({"location": 0}));
        self.recording.pre_unify();
        self.recording.write_data(&[(0, "Master thread")]);
        self
    }
}

/// Returns the time, kind and number of the event in a line of `otf2-print`.
fn essence(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace();
    let (kind, _location, time) = (words.next()?, words.next()?, words.next()?);
    time.parse::<u64>().ok()?;
    let value = match kind {
        "MEASUREMENT_ON_OFF" => words.last(),
        "PARAMETER_UINT64" => line.rsplit("Value: ").next(),
        "METRIC" => line.split("UINT64; ").nth(1).and_then(|rest| rest.split(')').next()),
        _ => None,
    };
    Some(value.map_or_else(|| format!("{time} {kind}"), |value| format!("{time} {kind} {value}")))
}

fn check(seed: u64, steps: u32) -> [u32; 2] {
    let run = Run::new(seed).play(steps);
    let folder = TemporaryFolder::new("rewind");
    run.recording.write(&folder.join("recording"));
    let out = folder.join("out");
    let plugin = build_plugin("kymo-plugin");
    let replay = Replay::of_folder(&folder.join("recording"), &out).plugins("kymo");
    replay.libraries(plugin.parent().expect("a folder")).succeed();
    let print = otf2_print(&out.join("kymo/traces.otf2"));
    let (definitions, events) = print.split_once("=== Events ===").expect("events");
    let lines = events.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    let actual: Vec<String> = lines.filter_map(essence).collect();
    let different = run.records.iter().zip(&actual).position(|(expected, actual)| expected != actual);
    if let Some(at) = different {
        panic!("seed {seed}, record {at}: expected {}, found {}", run.records[at], actual[at]);
    }
    assert_eq!(actual.len(), run.records.len(), "seed {seed}");
    let count = format!("# Events: {},", run.records.len());
    assert!(definitions.contains(&count), "seed {seed}: expected {count}");
    run.long_rewinds
}

#[test]
fn rewinds_across_chunks_match_a_model() {
    let mut long = [0; 2];
    for seed in 1..=3 {
        let [outer, inner] = check(seed, 60);
        long[0] += outer;
        long[1] += inner;
    }
    assert!(long[0] >= 1 && long[1] >= 1, "rewinds of more than a chunk: {long:?}");
}
