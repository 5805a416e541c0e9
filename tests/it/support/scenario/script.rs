//! The text of a scenario file, taken apart and put together again.

/// A scenario file.
#[derive(Debug)]
pub(crate) struct Script {
    /// What is prepared before the data folder is opened.
    pub preamble: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A step: what is done, and what came of it.
#[derive(Debug)]
pub(crate) struct Step {
    /// What it is about.
    pub title: String,
    /// Commands, the request and how to show its answer.
    pub lines: Vec<String>,
    /// Queries of a table with their results.
    pub rows: Vec<Row>,
    /// The answer, its first line after the arrow.
    pub answer: Option<String>,
}

/// A query of a table and its result.
#[derive(Debug)]
pub(crate) struct Row {
    /// What is put into the table's request.
    pub query: String,
    /// What came.
    pub result: String,
}

const TITLE: &str = "### ";
const ARROW: &str = "=>";
const ROW: &str = "? ";

/// Rows are lined up as long as their queries are not longer.
const QUERY_WIDTH_MAX: usize = 64;

impl Script {
    /// Parses a file; panics if a step has two answers.
    pub(crate) fn parse(text: &str) -> Script {
        let mut script = Script { preamble: Vec::new(), steps: Vec::new() };
        for (index, line) in text.lines().enumerate() {
            match (line.strip_prefix(TITLE), script.steps.last_mut()) {
                (Some(title), _) => script.steps.push(Step::new(title)),
                (None, Some(step)) => {
                    // Otherwise `UPDATE=1` would replace the next request with this answer.
                    assert!(
                        step.answer.is_none() || !line.starts_with(ARROW),
                        "line {}: a second `{ARROW}` in one step; the request before it needs a \
                         title, `{TITLE}…`",
                        index + 1
                    );
                    step.take(line);
                }
                (None, None) => script.preamble.push(line.to_string()),
            }
        }
        script.steps.iter_mut().for_each(Step::trim);
        script
    }

    pub(crate) fn to_text(&self) -> String {
        let mut out: String = self.preamble.iter().map(|it| format!("{it}\n")).collect();
        for (index, step) in self.steps.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            step.write(&mut out);
        }
        out
    }
}

impl Step {
    fn new(title: &str) -> Step {
        Step { title: title.to_string(), lines: Vec::new(), rows: Vec::new(), answer: None }
    }

    fn take(&mut self, line: &str) {
        if let Some(answer) = &mut self.answer {
            answer.push_str(line);
            answer.push('\n');
        } else if let Some(first) = line.strip_prefix(ARROW) {
            self.answer = Some(format!("{}\n", first.trim_start()));
        } else if let Some(row) = line.strip_prefix(ROW) {
            let (query, result) = row.split_once(ARROW).unwrap_or((row, ""));
            let (query, result) = (query.trim().to_string(), result.trim().to_string());
            self.rows.push(Row { query, result });
        } else {
            self.lines.push(line.to_string());
        }
    }

    fn trim(&mut self) {
        while self.lines.last().is_some_and(|it| it.trim().is_empty()) {
            self.lines.pop();
        }
    }

    fn write(&self, out: &mut String) {
        out.push_str(&format!("{TITLE}{}\n", self.title));
        self.lines.iter().for_each(|it| out.push_str(&format!("{it}\n")));
        let width = |it: &Row| it.query.chars().count();
        let width = self.rows.iter().map(width).filter(|it| *it <= QUERY_WIDTH_MAX).max();
        let width = width.unwrap_or_default();
        for Row { query, result } in &self.rows {
            out.push_str(&format!("{ROW}{query:<width$} {ARROW} {result}\n"));
        }
        if let Some(answer) = &self.answer {
            out.push_str(&format!("{ARROW} {}\n", answer.trim_end()));
        }
    }
}
