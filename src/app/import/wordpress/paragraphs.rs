//! The paragraphs of texts from the old editor of WordPress, which stores line breaks and adds the
//! elements when it shows a page.

/// The elements that stand beside paragraphs.
const BLOCKS: &[&str] = &[
    "<p",
    "<h1",
    "<h2",
    "<h3",
    "<h4",
    "<h5",
    "<h6",
    "<ul",
    "<ol",
    "<table",
    "<blockquote",
    "<pre",
    "<div",
    "<figure",
    "<hr",
    "<iframe",
    "<section",
    "<dl",
    "</",
    "<li",
    "<form",
];

/// Returns the HTML that WordPress shows for a stored text.
pub(super) fn add_paragraphs(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    if text.contains("<!-- wp:") || text.contains("<p>") || text.contains("<p ") {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut is_verbatim = false;
    for part in text.split("\n\n").filter(|it| !it.trim().is_empty()) {
        let lower = part.trim_start().to_lowercase();
        let is_block = is_verbatim || BLOCKS.iter().any(|it| lower.starts_with(it));
        if !out.is_empty() {
            out.push_str(if is_verbatim { "\n\n" } else { "\n" });
        }
        if is_block {
            out.push_str(part.trim_matches('\n'));
        } else {
            out.push_str(&format!("<p>{}</p>", part.trim().replace('\n', "<br>\n")));
        }
        if lower.contains("<pre") || is_verbatim {
            is_verbatim = !lower.contains("</pre>");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_become_elements() {
        let check = |text: &str, expect: &str| assert_eq!(add_paragraphs(text), expect);
        check("", "");
        check("a", "<p>a</p>");
        check("a\nb\r\n\r\nc", "<p>a<br>\nb</p>\n<p>c</p>");
        check("<h2>a</h2>\n\nb", "<h2>a</h2>\n<p>b</p>");
        check("<pre>a\n\nb</pre>\n\nc", "<pre>a\n\nb</pre>\n<p>c</p>");
        check("<p>a</p>\n\n<p>b</p>", "<p>a</p>\n\n<p>b</p>");
        check("<!-- wp:html -->\n\na", "<!-- wp:html -->\n\na");
    }
}
