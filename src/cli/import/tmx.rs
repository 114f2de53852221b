//! Converts Tiled's XML to the JSON that Tiled writes for the same map.

use roxmltree::{Document, Node};
use serde_json::{Map, Value};

/// Attributes that are numbers in JSON.
const NUMBERS: [&str; 10] = [
    "id",
    "width",
    "height",
    "tilewidth",
    "tileheight",
    "firstgid",
    "x",
    "y",
    "gid",
    "version",
];

/// Converts a map or a tileset. The error starts with its place.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let document = Document::parse(text).map_err(|e| {
        let at = e.pos();
        format!("{}:{}: not a map of Tiled: {e}", at.row, at.col)
    })?;
    let root = document.root_element();
    match root.tag_name().name() {
        "map" | "tileset" => Ok(element(root)),
        other => Err(format!("1:1: not a map of Tiled, but `{other}`")),
    }
}

fn element(node: Node) -> Value {
    let mut all = Map::new();
    for attribute in node.attributes() {
        let (name, text) = (attribute.name(), attribute.value());
        let number = NUMBERS.contains(&name).then(|| text.parse::<f64>().ok());
        let value = match number.flatten() {
            Some(n) if n.fract() == 0.0 && n.abs() < 1e15 => (n as i64).into(),
            Some(n) => n.into(),
            None if name == "infinite" => (text == "1").into(),
            None => text.into(),
        };
        all.insert(name.into(), value);
    }
    let children = |name: &'static str| {
        let elements = node.children().filter(Node::is_element);
        elements.filter(move |child| child.tag_name().name() == name)
    };
    let properties = children("properties").flat_map(|list| list.children());
    let properties = properties.filter(|child| child.has_tag_name("property"));
    let properties: Vec<Value> = properties.map(property).collect();
    put(&mut all, "properties", properties);
    for (key, name) in [
        ("tilesets", "tileset"),
        ("tiles", "tile"),
        ("objects", "object"),
    ] {
        put(&mut all, key, children(name).map(element).collect());
    }
    let layers = node.children().filter_map(|child| {
        let kind = match child.tag_name().name() {
            "layer" => "tilelayer",
            "objectgroup" => "objectgroup",
            "group" => "group",
            "imagelayer" => "imagelayer",
            _ => return None,
        };
        let mut layer = element(child);
        layer["type"] = kind.into();
        Some(layer)
    });
    // The collision shapes of a tile are not a layer.
    if !node.has_tag_name("tile") {
        put(&mut all, "layers", layers.collect());
    }
    if let Some(data) = children("data").next() {
        put_data(data, &mut all);
    }
    all.into()
}

fn put(all: &mut Map<String, Value>, key: &str, list: Vec<Value>) {
    if !list.is_empty() {
        all.insert(key.into(), list.into());
    }
}

fn property(node: Node) -> Value {
    let name = node.attribute("name").unwrap_or_default();
    // Multi-line text is between the tags.
    let value = node.attribute("value").or(node.text()).unwrap_or_default();
    serde_json::json!({"name": name, "value": value})
}

/// The number of a tile. Any other text stays text, so that reading the map reports it.
fn number(text: &str) -> Value {
    let number = text.parse::<u32>();
    number.map_or_else(|_| text.into(), Value::from)
}

/// The tiles of a layer.
fn put_data(data: Node, all: &mut Map<String, Value>) {
    let text = || data.text().unwrap_or_default();
    let tiles: Value = match data.attribute("encoding") {
        Some("base64") => {
            let compression = data.attribute("compression").unwrap_or_default();
            all.insert("compression".into(), compression.into());
            text().into()
        }
        Some("csv") => text().split(',').map(|n| number(n.trim())).collect(),
        _ => {
            let tiles = data.children().filter(|child| child.has_tag_name("tile"));
            let gids = tiles.map(|tile| tile.attribute("gid").unwrap_or("0"));
            gids.map(number).collect()
        }
    };
    all.insert("data".into(), tiles);
}
