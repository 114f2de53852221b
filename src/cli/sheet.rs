//! The rules of a ruleset as a page to print: the codex in two columns.

use fivefoot_core::{
    battle::Ruleset,
    content::codex::{Codex, RuleEntry, TextPart},
    version,
    words::escaped,
};
use std::fmt::Write;

/// The rule book that all rulesets share, printed after a ruleset's own rules.
const GRID: &str = "GR";

const STYLE: &str = "\
@page{size:A4;margin:12mm}\
body{font:8.6pt/1.3 'Libertinus Serif',Georgia,serif;color:#2a211c;background:#f6efdf;margin:1.2em auto;max-width:52em}\
h1{font-size:20pt;margin:0}header{border-bottom:1.5pt solid #2a211c;margin-bottom:1em}\
h2{font-size:12pt;column-span:all;margin:1.2em 0 .4em;border-bottom:.6pt solid #a08b6c}\
main{columns:2;column-gap:2em}article{break-inside:avoid;margin:0 0 .65em}\
h3{font-size:9.4pt;margin:0;display:inline}h3 small{color:#8a3b23;font-weight:normal;margin-right:.4em}\
p{margin:.1em 0 0}p span{color:#6b5a4a}a{color:#8a3b23;text-decoration:none}\
footer{margin-top:1em;color:#6b5a4a}@media print{body{background:none;margin:0;max-width:none}a{color:inherit}}";

/// The page: the ruleset's rules in order, then those of the grid.
pub fn page(codex: &Codex, rules: &Ruleset) -> String {
    let name = rules.id;
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Fivefoot: {name}</title>\
         <style>{STYLE}</style></head><body>\n\
         <header><h1>{name}</h1><p>Quick reference. Each rule begins with its core; details \
         follow in a paler colour.</p></header>\n<main>\n"
    );
    for (title, prefix) in [
        ("The round and its actions", rules.rule_prefix),
        ("The grid", GRID),
    ] {
        let _ = writeln!(out, "<h2>{title}</h2>");
        let is_of = |rule: &&RuleEntry| rule.id.split('-').next() == Some(prefix);
        for rule in codex.rules().filter(is_of) {
            out += &entry(codex, rule);
        }
    }
    let version = version::VERSION;
    out + &format!("</main>\n<footer>Fivefoot {version}</footer>\n</body></html>\n")
}

fn entry(codex: &Codex, rule: &RuleEntry) -> String {
    let (core, details) = rule.text.split_at(first_sentence(&rule.text));
    let (id, title) = (&rule.id, escaped(&rule.title));
    let (core, details) = (linked(codex, core), linked(codex, details.trim_start()));
    format!(
        "<article id=\"{id}\"><h3><small>{id}</small>{title}</h3>\
         <p>{core} <span>{details}</span></p></article>\n"
    )
}

/// The length of the first sentence in bytes.
fn first_sentence(text: &str) -> usize {
    text.match_indices(". ")
        .map(|(at, _)| at + 1)
        // "5 ft. above" does not end a sentence.
        .find(|&end| text[end..].trim_start().starts_with(char::is_uppercase))
        .unwrap_or(text.len())
}

fn linked(codex: &Codex, text: &str) -> String {
    let parts = codex.parts(text).into_iter();
    let html = parts.map(|part| match part {
        TextPart::Words(words) => escaped(words),
        TextPart::Rule(rule) => format!("<a href=\"#{0}\">{0}</a>", rule.id),
    });
    html.collect()
}
