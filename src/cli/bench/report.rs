//! What was measured, as a table to read and as JSON to keep.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;

use super::measure::Machine;

/// A target: what must be reached, and what would be better still.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Goal {
    /// Required.
    pub(super) must: f64,
    /// Hoped for.
    pub(super) stretch: f64,
    /// Whether more is better (a ratio) or less (a time, a size).
    pub(super) more_is_better: bool,
}

impl Goal {
    /// At least this much.
    pub(super) const fn at_least(must: f64, stretch: f64) -> Self {
        Goal { must, stretch, more_is_better: true }
    }

    /// At most this much.
    pub(super) const fn at_most(must: f64, stretch: f64) -> Self {
        Goal { must, stretch, more_is_better: false }
    }

    fn verdict(&self, value: f64) -> &'static str {
        let reaches = |target: f64| {
            if self.more_is_better { value >= target } else { value <= target }
        };
        match (reaches(self.stretch), reaches(self.must)) {
            (true, _) => "stretch",
            (false, true) => "must",
            (false, false) => "MISSED",
        }
    }
}

/// A median and the range it was taken from.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Spread {
    /// The middle value.
    pub(super) median: f64,
    /// The least.
    pub(super) min: f64,
    /// The greatest.
    pub(super) max: f64,
}

impl Spread {
    /// Of some values; `None` when there are none.
    pub(super) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (&min, &max) = values.first().zip(values.last())?;
        let (upper, lower) = (values.len() / 2, (values.len() - 1) / 2);
        let median = values.get(lower).zip(values.get(upper)).map(|(a, b)| (a + b) / 2.0)?;
        Some(Spread { median, min, max })
    }
}

/// Throughput of one server over all runs of a row.
#[derive(Serialize)]
pub(super) struct Throughput {
    /// Good answers a second.
    pub(super) per_second: Spread,
    /// Processor time of the server for each answer, in microseconds.
    pub(super) cpu_us: Option<f64>,
    /// Share of a core that the server used.
    pub(super) busy: Option<f64>,
    /// Share of a core that the load generator used meanwhile.
    pub(super) generator_busy: Option<f64>,
    /// Latencies in microseconds.
    pub(super) p50_us: f64,
    /// The latency 99 % stay within, in microseconds.
    pub(super) p99_us: f64,
    /// Mean size of a body.
    pub(super) body_bytes: u64,
    /// Answers counted.
    pub(super) answers: u64,
    /// Answers that were not 200, and lost connections.
    pub(super) errors: u64,
}

impl Throughput {
    /// True when more could have been had from a server of `workers` threads, because the load
    /// generator had no more to give.
    pub(super) fn is_held_back(&self, workers: usize) -> bool {
        let server_idles = self.busy.is_some_and(|busy| busy < 0.9 * workers as f64);
        server_idles && self.generator_busy.is_some_and(|busy| busy > 0.93)
    }
}

/// One line of the report.
#[derive(Serialize)]
pub(super) struct Row {
    /// Which requirement: `W1` to `W11`.
    pub(super) name: &'static str,
    /// What was done.
    pub(super) what: String,
    /// What came out.
    #[serde(flatten)]
    pub(super) figures: Figures,
    /// The target, when there is one at this size.
    pub(super) goal: Option<Goal>,
    /// What to know when reading it.
    pub(super) note: Option<String>,
}

/// What a row measured.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "a report has a few dozen of them")]
pub(super) enum Figures {
    /// Requests under load, perhaps beside a ceiling.
    Load {
        /// The server.
        server: Throughput,
        /// What it is compared with.
        ceiling: Option<Throughput>,
        /// Server ÷ ceiling, pair by pair.
        ratio: Option<Spread>,
        /// Ceiling's processor time ÷ server's.
        cpu_ratio: Option<f64>,
        /// The figure the target is about.
        judged: Option<f64>,
    },
    /// A single number.
    Value {
        /// The number.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// The range over several runs.
        spread: Option<Spread>,
    },
    /// It could not be measured.
    Failed {
        /// Why.
        reason: String,
    },
}

impl Row {
    /// A row with one number.
    pub(super) fn value(
        name: &'static str,
        what: impl Into<String>,
        value: f64,
        unit: &'static str,
    ) -> Self {
        let figures = Figures::Value { value, unit, spread: None };
        Row { name, what: what.into(), figures, goal: None, note: None }
    }

    /// A row that could not be measured.
    pub(super) fn failed(
        name: &'static str,
        what: impl Into<String>,
        reason: impl ToString,
    ) -> Self {
        let figures = Figures::Failed { reason: reason.to_string() };
        Row { name, what: what.into(), figures, goal: None, note: None }
    }

    /// With a target.
    pub(super) fn goal(self, goal: Option<Goal>) -> Self {
        Row { goal, ..self }
    }

    /// With a remark.
    pub(super) fn note(self, note: impl Into<String>) -> Self {
        Row { note: Some(note.into()), ..self }
    }

    fn judged(&self) -> Option<f64> {
        match &self.figures {
            Figures::Load { judged, .. } => *judged,
            Figures::Value { value, .. } => Some(*value),
            Figures::Failed { .. } => None,
        }
    }

    /// The target and how it went.
    fn verdict(&self) -> String {
        match (self.goal, self.judged()) {
            (Some(goal), Some(value)) => {
                let sign = if goal.more_is_better { '≥' } else { '≤' };
                format!("{} ({sign} {}, {})", goal.verdict(value), goal.must, goal.stretch)
            }
            _ => String::new(),
        }
    }
}

/// How a report was made.
#[derive(Serialize)]
pub(super) struct Settings {
    /// Entries of the type `posts`.
    pub(super) entries: usize,
    /// Seed of the content.
    pub(super) seed: u64,
    /// Keep-alive connections.
    pub(super) connections: usize,
    /// Worker threads of the server and of the ceiling.
    pub(super) workers: usize,
    /// Pairs of server and ceiling.
    pub(super) pairs: usize,
    /// Length of one run.
    pub(super) run_ms: u128,
}

/// Everything.
#[derive(Serialize)]
pub(super) struct Report {
    /// Version of the program measured.
    pub(super) version: &'static str,
    /// Where.
    pub(super) machine: Machine,
    /// How.
    pub(super) settings: Settings,
    /// What came out.
    pub(super) rows: Vec<Row>,
    /// How long the whole took.
    pub(super) seconds: f64,
}

impl Report {
    /// The lines above the table.
    pub(super) fn head(&self) -> String {
        let Settings { entries, seed, connections, workers, pairs, run_ms } = &self.settings;
        format!(
            "recto {} on {}\n{entries} entries (seed {seed}), {connections} connections, \
             {workers} server worker(s), {pairs} pairs of {run_ms} ms\n",
            self.version, self.machine
        )
    }

    /// The table.
    pub(super) fn table(&self) -> String {
        let mut out = String::new();
        let line = |out: &mut String, cells: [&str; 9]| {
            let [name, what, rate, p50, p99, cpu, ratio, cpu_ratio, verdict] = cells;
            let text = format!(
                "{name:<4} {what:<51} {rate:>18} {p50:>9} {p99:>9} {cpu:>8} {ratio:>19} \
                 {cpu_ratio:>6}  {verdict}"
            );
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{}", text.trim_end());
        };
        line(&mut out, TABLE_HEAD);
        for row in &self.rows {
            let cells = cells_of(row);
            let verdict = row.verdict();
            let [rate, p50, p99, cpu, ratio, cpu_ratio] = cells.each_ref().map(String::as_str);
            let cells = [row.name, &row.what, rate, p50, p99, cpu, ratio, cpu_ratio, &verdict];
            line(&mut out, cells);
            if let Some(note) = &row.note {
                let _ = writeln!(out, "     · {note}");
            }
        }
        out
    }
}

const TABLE_HEAD: [&str; 9] = [
    "",
    "what",
    "req/s or value",
    "p50",
    "p99",
    "CPU µs",
    "÷ ceiling",
    "CPU ÷",
    "target (must, stretch)",
];

/// The six cells of figures.
fn cells_of(row: &Row) -> [String; 6] {
    match &row.figures {
        Figures::Load { server, ratio, cpu_ratio, .. } => [
            match server.errors {
                0 => format!("{:.0}", server.per_second.median),
                errors => format!("{:.0} ({errors} ERR)", server.per_second.median),
            },
            micros(server.p50_us),
            micros(server.p99_us),
            server.cpu_us.map_or("–".into(), |cpu| format!("{cpu:.1}")),
            ratio.map_or(String::new(), |Spread { median, min, max }| {
                format!("{median:.2} ({min:.2}–{max:.2})")
            }),
            cpu_ratio.map_or(String::new(), |ratio| format!("{ratio:.2}")),
        ],
        Figures::Value { value, unit, spread } => {
            let range = spread.map_or(String::new(), |spread| {
                format!("{}–{}", number(spread.min), number(spread.max))
            });
            let empty = String::new;
            [format!("{} {unit}", number(*value)), empty(), empty(), empty(), range, empty()]
        }
        Figures::Failed { reason } => {
            let empty = String::new;
            [format!("failed: {reason}"), empty(), empty(), empty(), empty(), empty()]
        }
    }
}

/// Three significant digits, roughly.
fn number(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        10.0..100.0 => format!("{value:.1}"),
        1.0..10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn micros(value: f64) -> String {
    if value >= 1_000.0 {
        format!("{} ms", number(value / 1_000.0))
    } else {
        format!("{value:.0} µs")
    }
}

/// A duration in milliseconds.
pub(super) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads() {
        let check = |values: &[f64], expect: Option<(f64, f64, f64)>| {
            let got = Spread::of(values.iter().copied());
            assert_eq!(got.map(|got| (got.median, got.min, got.max)), expect);
        };
        check(&[], None);
        check(&[2.0], Some((2.0, 2.0, 2.0)));
        check(&[3.0, 1.0, 2.0], Some((2.0, 1.0, 3.0)));
        check(&[4.0, 1.0, 2.0, 3.0], Some((2.5, 1.0, 4.0)));
    }

    #[test]
    fn verdicts() {
        let check = |goal: Goal, value, expect| assert_eq!(goal.verdict(value), expect);
        check(Goal::at_least(0.7, 0.78), 0.8, "stretch");
        check(Goal::at_least(0.7, 0.78), 0.7, "must");
        check(Goal::at_least(0.7, 0.78), 0.69, "MISSED");
        check(Goal::at_most(80.0, 60.0), 60.0, "stretch");
        check(Goal::at_most(80.0, 60.0), 81.0, "MISSED");
    }

    #[test]
    fn a_row_in_the_table() {
        let row =
            Row::value("W9", "warm start", 12.34, "ms").goal(Some(Goal::at_most(150.0, 50.0)));
        assert_eq!(cells_of(&row)[0], "12.3 ms");
        assert_eq!(row.verdict(), "stretch (≤ 150, 50)");
    }
}
