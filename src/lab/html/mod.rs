//! A report as one page, with nothing in it from elsewhere.

use super::{report::Report, text};

/// The page of one level under some rulesets; `call` is what it was made by.
pub fn page(reports: &[Report], call: &str) -> String {
    let title = escaped(&reports[0].level.title);
    let mut lines: Vec<String> = vec![];
    for report in reports {
        lines.extend(text::report(report));
        lines.push(String::new());
    }
    lines.extend(text::side_by_side(reports));
    let (text, call) = (escaped(&lines.join("\n")), escaped(call));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n\
         <h1>{title}</h1>\n<p><code>{call}</code></p>\n<pre>{text}</pre>\n</html>\n"
    )
}

/// Text as it may stand in a page.
fn escaped(text: &str) -> String {
    let text = crate::words::shown(text);
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
