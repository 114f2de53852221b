//! Which program this is, and under which state of the rules it fights.

/// Counts up by hand whenever recorded battles would go another way than they
/// did: tests run one of each ruleset that was recorded under this number.
macro_rules! rules {
    () => {
        "2"
    };
}

/// The state of the rules alone.
pub const RULES: &str = rules!();

/// The program, and the state of its rules: "0.1.0 (rules 1)".
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (rules ", rules!(), ")");

/// The format of the JSON that the program prints (docs/json.md). Raise it when a key
/// gets another meaning or goes away; a new key leaves it.
pub const JSON_FORMAT: u32 = 1;

/// An object in JSON as a line of output: with the number of the format in front.
pub fn json_line(object: &str) -> String {
    match object.strip_prefix('{') {
        Some("}") | None => object.to_owned(),
        Some(rest) => format!("{{\"format\":{JSON_FORMAT},{rest}"),
    }
}
