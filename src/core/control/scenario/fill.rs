//! The orders of a scenario as written in its file, together with added ones.

use super::run::Added;
use crate::ron_read::{self, Piece, ValueShape};

/// The `orders` field of a scenario's text with the added orders, each on its own line if the
/// others are. Comments and layout are kept.
pub(super) fn orders(text: &str, added: &[Added]) -> String {
    let list = list_of(text);
    let items = list.as_ref().map_or(&[][..], items);
    let is_between = |added: &&Added| added.before < items.len();
    let between = added.iter().take_while(is_between).count();
    let (between, last) = added.split_at(between);
    let line = |added: &Added| format!("\n        {}", written(added));
    let last: String = last.iter().map(line).collect();
    let Some(list) = &list else {
        return format!("    orders: [{last}\n    ],");
    };
    let mut out = String::from("    orders: ");
    let mut at = list.at.from;
    for added in between {
        let start = items[added.before].at.from;
        out.push_str(&text[at..start]);
        out.push_str(&written(added));
        let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
        let indent = &text[line..start];
        match indent.trim().is_empty() {
            true => out.push_str(&format!("\n{indent}")),
            false => out.push(' '),
        }
        at = start;
    }
    if last.is_empty() {
        return format!("{out}{},", &text[at..list.at.to]);
    }
    let end = items.last().map_or(list.at.from + 1, |item| item.at.to);
    let rest = &text[end..list.at.to - 1];
    let has_comma = items.is_empty() || rest.trim_start().starts_with(',');
    let comma = if has_comma { "" } else { "," };
    let close = rest.rfind('\n').map_or("\n    ", |n| &rest[n..]);
    format!(
        "{out}{}{comma}{}{last}{close}],",
        &text[at..end],
        rest.trim_end()
    )
}

fn written(added: &Added) -> String {
    format!("{:?},", added.text)
}

/// The list of orders in a scenario's text.
fn list_of(text: &str) -> Option<Piece> {
    let ValueShape::Fields(fields) = ron_read::pieces(text)?.shape else {
        return None;
    };
    let orders = fields.into_iter().find(|field| field.name == "orders")?;
    Some(orders.value)
}

fn items(list: &Piece) -> &[Piece] {
    match &list.shape {
        ValueShape::List(items) => items,
        _ => &[],
    }
}
