//! The table of results, in Markdown.

/// The results of the programs with a module.
#[derive(Debug)]
pub(super) struct Row {
    name: String,
    programs: usize,
    /// Programs, each with its differences.
    different: Vec<(String, Vec<String>)>,
    plain_seconds: f64,
    recorded_seconds: f64,
}

impl Row {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            programs: 0,
            different: Vec::new(),
            plain_seconds: 0.0,
            recorded_seconds: 0.0,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn add_times(&mut self, plain: f64, recorded: f64) {
        self.plain_seconds += plain;
        self.recorded_seconds += recorded;
    }

    pub(super) fn add(&mut self, program: &str, differences: Vec<String>) {
        self.programs += 1;
        if !differences.is_empty() {
            self.different.push((program.to_owned(), differences));
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Table(Vec<Row>);

impl Table {
    pub(super) fn push(&mut self, row: Row) {
        self.0.push(row);
    }

    pub(super) fn is_clean(&self) -> bool {
        self.0.iter().all(|row| row.different.is_empty())
    }

    pub(super) fn print(&self) {
        println!(
            "\n| recorded | programs | the same | seconds without | with |\n| --- | ---: | ---: | ---: | ---: |"
        );
        for Row { name, programs, different, plain_seconds, recorded_seconds } in &self.0 {
            println!(
                "| `{name}` | {programs} | {} | {plain_seconds:.1} | {recorded_seconds:.1} |",
                programs - different.len()
            );
        }
        for row in &self.0 {
            for (program, differences) in &row.different {
                println!("\n{}, {program}:", row.name);
                differences.iter().for_each(|it| println!("    {it}"));
            }
        }
    }
}
