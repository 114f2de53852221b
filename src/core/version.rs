//! The version of the program and of its rules.

/// Raise this number whenever recorded battles would play out differently. Tests replay one
/// battle of each ruleset that was recorded under it.
macro_rules! rules {
    () => {
        "2"
    };
}

/// The version of the rules alone.
pub const RULES: &str = rules!();

/// The version of the program and of its rules: "0.1.0 (rules 1)".
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (rules ", rules!(), ")");

/// The format of the program's JSON output (docs/json.md). Raise it when a key changes its
/// meaning or is removed, not for a new key.
pub const JSON_FORMAT: u32 = 1;

/// A JSON object as a line of output, with the format number first.
pub fn json_line(object: &str) -> String {
    match object.strip_prefix('{') {
        Some("}") | None => object.to_owned(),
        Some(rest) => format!("{{\"format\":{JSON_FORMAT},{rest}"),
    }
}
