//! The notation of CSV: RFC 4180, with commas, semicolons or tabs between values. All defects are
//! found, each with its row.

/// The most columns of a table.
const COLUMNS_MAX: usize = 1_000;

/// The most rows of a table.
const ROWS_MAX: usize = 1_000_000;

/// A table as it is written.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CsvTable {
    /// The character that separates values.
    pub(super) delimiter: char,
    /// The names of the columns.
    pub(super) columns: Vec<String>,
    /// The rows.
    pub(super) rows: Vec<CsvRow>,
    /// The defects: row, line and sentence.
    pub(super) defects: Vec<(u64, u64, String)>,
}

/// A row of a table.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CsvRow {
    /// The number, as spreadsheets count: the columns are row 1.
    pub(super) number: u64,
    /// The line on which it begins.
    pub(super) line: u64,
    /// The values.
    pub(super) cells: Vec<String>,
}

/// The state of a reader of CSV.
struct CsvReader<'t> {
    rest: &'t str,
    delimiter: char,
    line: u64,
}

impl CsvTable {
    /// Parses a table. The first row has the names of the columns.
    pub(super) fn parse(text: &str) -> CsvTable {
        let delimiter = detect_delimiter(text);
        let mut table = CsvTable { delimiter, ..CsvTable::default() };
        let mut reader = CsvReader { rest: text, delimiter, line: 1 };
        let mut number = 0;
        while !reader.rest.is_empty() {
            number += 1;
            let line = reader.line;
            let (cells, defect) = reader.read_row();
            if let Some(message) = defect {
                table.defects.push((number, line, message));
                continue;
            }
            if cells.iter().all(String::is_empty) {
                continue;
            }
            if table.columns.is_empty() {
                table.set_columns(cells, number, line);
                continue;
            }
            if cells.len() != table.columns.len() {
                let (found, wanted) = (cells.len(), table.columns.len());
                let message =
                    format!("This row has {found} values, but there are {wanted} columns.");
                table.defects.push((number, line, message));
                continue;
            }
            if table.rows.len() >= ROWS_MAX {
                let message = format!("A table has at most {ROWS_MAX} rows. Split the file.");
                table.defects.push((number, line, message));
                break;
            }
            table.rows.push(CsvRow { number, line, cells });
        }
        if table.columns.is_empty() && table.defects.is_empty() {
            table.defects.push((1, 1, "The table is empty.".to_string()));
        }
        table
    }

    fn set_columns(&mut self, cells: Vec<String>, number: u64, line: u64) {
        let columns: Vec<String> = cells.iter().map(|it| it.trim().to_string()).collect();
        if columns.len() > COLUMNS_MAX {
            let message = format!("A table has at most {COLUMNS_MAX} columns.");
            self.defects.push((number, line, message));
        }
        for (place, column) in columns.iter().enumerate() {
            if columns.iter().take(place).any(|it| it == column && !column.is_empty()) {
                let message = format!("Two columns are named `{column}`.");
                self.defects.push((number, line, message));
            }
        }
        self.columns = columns;
    }
}

/// Returns the character that separates values, by the first line.
fn detect_delimiter(text: &str) -> char {
    let first = text.lines().find(|it| !it.trim().is_empty()).unwrap_or_default();
    let count = |wanted: char| {
        let mut is_quoted = false;
        first
            .chars()
            .filter(|it| {
                is_quoted ^= *it == '"';
                !is_quoted && *it == wanted
            })
            .count()
    };
    let best = [',', ';', '\t'].into_iter().rev().max_by_key(|it| count(*it));
    best.filter(|it| count(*it) > 0).unwrap_or(',')
}

impl CsvReader<'_> {
    /// Reads the next row, and a defect of it.
    fn read_row(&mut self) -> (Vec<String>, Option<String>) {
        let (mut cells, mut defect) = (Vec::new(), None);
        loop {
            let cell = match self.rest.strip_prefix('"') {
                Some(rest) => {
                    self.rest = rest;
                    let line = self.line;
                    self.read_quoted().unwrap_or_else(|| {
                        let message = format!("The quotation mark on line {line} is never closed.");
                        defect.get_or_insert(message);
                        String::new()
                    })
                }
                None => String::new(),
            };
            let ends = |it: char| it == self.delimiter || it == '\n' || it == '\r';
            let end = self.rest.find(ends).unwrap_or(self.rest.len());
            let (bare, rest) = self.rest.split_at(end);
            if !cell.is_empty() && !bare.trim().is_empty() {
                let message = "There is text behind a closing quotation mark.".to_string();
                defect.get_or_insert(message);
            }
            cells.push(if cell.is_empty() { bare.to_string() } else { cell });
            self.rest = rest;
            match self.rest.strip_prefix(self.delimiter) {
                Some(rest) => self.rest = rest,
                None => {
                    self.skip_line_end();
                    return (cells, defect);
                }
            }
        }
    }

    fn skip_line_end(&mut self) {
        let rest = self.rest;
        let after = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r']));
        if let Some(after) = after {
            (self.rest, self.line) = (after, self.line + 1);
        }
    }

    /// Reads the rest of a quoted value. Returns `None` if it does not end.
    fn read_quoted(&mut self) -> Option<String> {
        let mut value = String::new();
        loop {
            let Some((before, after)) = self.rest.split_once('"') else {
                self.rest = "";
                return None;
            };
            self.line += before.bytes().filter(|it| *it == b'\n').count() as u64;
            value.push_str(before);
            match after.strip_prefix('"') {
                Some(after) => {
                    value.push('"');
                    self.rest = after;
                }
                None => {
                    self.rest = after;
                    return Some(value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_in_every_notation() {
        let check = |text: &str, expect: &[&[&str]]| {
            let table = CsvTable::parse(text);
            assert_eq!(table.defects, [], "{text:?}");
            let all = std::iter::once(&table.columns).chain(table.rows.iter().map(|it| &it.cells));
            assert_eq!(all.collect::<Vec<_>>(), expect, "{text:?}");
        };
        check("a,b\n1,2\n", &[&["a", "b"], &["1", "2"]]);
        check("a;b\r\n1;2,3\r\n", &[&["a", "b"], &["1", "2,3"]]);
        check("a\tb\n\n1\t", &[&["a", "b"], &["1", ""]]);
        check("a,b\n\"x\n\"\"y\"\"\",\"\"\n", &[&["a", "b"], &["x\n\"y\"", ""]]);
        check("\"a;b\",c\n1,2", &[&["a;b", "c"], &["1", "2"]]);
        check("a\nb", &[&["a"], &["b"]]);
    }

    #[test]
    fn defects_have_their_row_and_line() {
        let check = |text: &str, expect: &[(u64, u64)]| {
            let found = CsvTable::parse(text).defects;
            let found: Vec<(u64, u64)> =
                found.into_iter().map(|(row, line, _)| (row, line)).collect();
            assert_eq!(found, expect, "{text:?}");
        };
        check("", &[(1, 1)]);
        check("\n\n", &[(1, 1)]);
        check("a,b\n1\n1,2\n1,2,3\n", &[(2, 2), (4, 4)]);
        check("a,a\n1,2\n", &[(1, 1)]);
        check("a,b\n\"1\n\",2\n1,2,3\n", &[(3, 4)]);
        check("a,b\n1,\"2\n", &[(2, 2)]);
        check("a,b\n\"1\" x,2\n", &[(2, 2)]);
    }

    #[test]
    fn rows_have_the_numbers_of_spreadsheets() {
        let table = CsvTable::parse("a,b\n\"1\n2\",3\n\n4,5\n");
        let numbers: Vec<_> = table.rows.iter().map(|it| (it.number, it.line)).collect();
        assert_eq!(numbers, [(2, 2), (4, 5)]);
    }
}
