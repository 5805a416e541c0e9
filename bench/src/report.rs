//! The report of a run, as a table to read and as JSON to keep.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;

use crate::measure::Machine;

/// The goal of a row: a required value and a better one.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Goal {
    /// The required value.
    pub(crate) must: f64,
    /// The better value.
    pub(crate) stretch: f64,
    /// True if more is better (a ratio), false if less is (a time, a size).
    pub(crate) more_is_better: bool,
}

impl Goal {
    /// Returns a goal of at least this value.
    pub(crate) const fn at_least(must: f64, stretch: f64) -> Self {
        Goal { must, stretch, more_is_better: true }
    }

    /// Returns a goal of at most this value.
    pub(crate) const fn at_most(must: f64, stretch: f64) -> Self {
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

/// A median and its range.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Spread {
    /// The middle value.
    pub(crate) median: f64,
    /// The least.
    pub(crate) min: f64,
    /// The greatest.
    pub(crate) max: f64,
}

impl Spread {
    /// Returns the spread of some values; `None` if there are none.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (&min, &max) = values.first().zip(values.last())?;
        let (upper, lower) = (values.len() / 2, (values.len() - 1) / 2);
        let median = values.get(lower).zip(values.get(upper)).map(|(a, b)| (a + b) / 2.0)?;
        Some(Spread { median, min, max })
    }
}

/// The throughput of one server over all runs of a row.
#[derive(Serialize)]
pub(crate) struct Throughput {
    /// The successful responses per second.
    pub(crate) per_second: Spread,
    /// The processor time of the server for each response, in microseconds.
    pub(crate) cpu_us: Option<f64>,
    /// The share of a core that the server used.
    pub(crate) busy: Option<f64>,
    /// The share of a core that the load generator used.
    pub(crate) generator_busy: Option<f64>,
    /// The median latency in microseconds.
    pub(crate) p50_us: f64,
    /// The latency within which 99 % stay, in microseconds.
    pub(crate) p99_us: f64,
    /// The mean size of a body.
    pub(crate) body_bytes: u64,
    /// The number of successful responses.
    pub(crate) answers: u64,
    /// The number of other responses and lost connections.
    pub(crate) errors: u64,
}

impl Throughput {
    /// Returns true if a server of `workers` threads was idle because the load generator was at its
    /// limit.
    pub(crate) fn is_held_back(&self, workers: usize) -> bool {
        let server_idles = self.busy.is_some_and(|busy| busy < 0.9 * workers as f64);
        server_idles && self.generator_busy.is_some_and(|busy| busy > 0.93)
    }
}

/// A row of the report.
#[derive(Serialize)]
pub(crate) struct Row {
    /// The requirement: `W1` to `W11`.
    pub(crate) name: &'static str,
    /// The measured operation.
    pub(crate) what: String,
    /// The measured figures.
    #[serde(flatten)]
    pub(crate) figures: Figures,
    /// The goal, if there is one at this size.
    pub(crate) goal: Option<Goal>,
    /// A remark for the reader.
    pub(crate) note: Option<String>,
}

/// The figures of a row.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "a report has a few dozen of them")]
pub(crate) enum Figures {
    /// Requests under load, perhaps beside a ceiling.
    Load {
        /// The server.
        server: Throughput,
        /// The comparison.
        ceiling: Option<Throughput>,
        /// Server ÷ ceiling, pair by pair.
        ratio: Option<Spread>,
        /// The processor time of the ceiling ÷ that of the server.
        cpu_ratio: Option<f64>,
        /// The figure to which the goal applies.
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
    /// A failed measurement.
    Failed {
        /// The reason.
        reason: String,
    },
}

impl Row {
    /// Returns a row with one number.
    pub(crate) fn value(
        name: &'static str,
        what: impl Into<String>,
        value: f64,
        unit: &'static str,
    ) -> Self {
        let figures = Figures::Value { value, unit, spread: None };
        Row { name, what: what.into(), figures, goal: None, note: None }
    }

    /// Returns a row that could not be measured.
    pub(crate) fn failed(
        name: &'static str,
        what: impl Into<String>,
        reason: impl ToString,
    ) -> Self {
        let figures = Figures::Failed { reason: reason.to_string() };
        Row { name, what: what.into(), figures, goal: None, note: None }
    }

    /// Adds a goal.
    pub(crate) fn goal(self, goal: Option<Goal>) -> Self {
        Row { goal, ..self }
    }

    /// Adds a remark.
    pub(crate) fn note(self, note: impl Into<String>) -> Self {
        Row { note: Some(note.into()), ..self }
    }

    fn judged(&self) -> Option<f64> {
        match &self.figures {
            Figures::Load { judged, .. } => *judged,
            Figures::Value { value, .. } => Some(*value),
            Figures::Failed { .. } => None,
        }
    }

    /// Formats the goal and the result.
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

/// The settings of a run.
#[derive(Serialize)]
pub(crate) struct Settings {
    /// The number of entries of the type `posts`.
    pub(crate) entries: usize,
    /// The seed of the content.
    pub(crate) seed: u64,
    /// The number of keep-alive connections.
    pub(crate) connections: usize,
    /// The worker threads of the server and of the ceiling.
    pub(crate) workers: usize,
    /// The number of pairs of server and ceiling runs.
    pub(crate) pairs: usize,
    /// The length of one run.
    pub(crate) run_ms: u128,
}

/// The report of a run.
#[derive(Serialize)]
pub(crate) struct Report {
    /// The version of the measured program.
    pub(crate) version: String,
    /// The measured program.
    pub(crate) binary: String,
    /// The machine.
    pub(crate) machine: Machine,
    /// The settings.
    pub(crate) settings: Settings,
    /// The rows.
    pub(crate) rows: Vec<Row>,
    /// The duration of the whole run.
    pub(crate) seconds: f64,
}

impl Report {
    /// Returns the lines above the table.
    pub(crate) fn head(&self) -> String {
        let Settings { entries, seed, connections, workers, pairs, run_ms } = &self.settings;
        let advice = match self.binary.contains("/packages/") {
            true => "",
            false => {
                "The targets are for what is published: packaging/build.sh, then --binary \
                 target/packages/recto-…-musl\n"
            }
        };
        format!(
            "recto {} on {}\n{}\n{advice}{entries} entries (seed {seed}), {connections} connections, \
             {workers} server worker(s), {pairs} pairs of {run_ms} ms\n",
            self.version, self.machine, self.binary
        )
    }

    /// Returns the table.
    pub(crate) fn table(&self) -> String {
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

/// Returns the six cells of the figures.
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

/// Formats a number with about three significant digits.
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

/// Returns a duration in milliseconds.
pub(crate) fn millis(time: Duration) -> f64 {
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
