//! `fivefoot kinds`: everything that levels can use, with its numbers under each
//! ruleset. The rulesets themselves provide the numbers of creatures.

use super::{Failure, Outcome, battles, hint, out, say, say_json};
use clap::Args;
use fivefoot_core::{
    battle::{Stat, Thing},
    content::{Armour, Attribute, Content, Creature, Spell, SpellArea, Training, Weapon},
    rulesets::{ALL, profiles},
    words::count,
};
use serde_json::{Map, Value, json};
use std::{path::PathBuf, sync::Arc};

/// List creatures, weapons, armour and spells, with their numbers.
#[derive(Args)]
pub struct KindsArgs {
    /// An id or name, to print all its numbers; without it, list all kinds
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Include this level's own kinds
    #[arg(long, value_name = "LEVEL")]
    level: Option<PathBuf>,
    /// One JSON object per line, for each kind
    #[arg(long)]
    json: bool,
}

/// One kind: what it is, its id and name, a summary line, and its numbers under headings.
struct KindSummary<'c> {
    what: &'static str,
    id: &'c str,
    name: &'c str,
    line: String,
    sheet: Box<dyn Fn() -> KindFigures + 'c>,
}

/// Figures under headings such as "Skirmish".
type KindFigures = Vec<(&'static str, Vec<Stat>)>;

pub fn run(args: &KindsArgs) -> Outcome {
    let content = match &args.level {
        Some(path) => battles::level(path)?.content.clone(),
        None => Content::built_in().clone(),
    };
    let kinds = all(&content);
    match &args.name {
        None => list(args, &kinds),
        Some(name) => {
            let chosen = named(name, &kinds)?;
            for (n, kind) in chosen.iter().enumerate() {
                if args.json {
                    say_json(json(kind));
                    continue;
                }
                if n > 0 {
                    say("");
                }
                print(kind);
            }
        }
    }
    Ok(())
}

/// The kinds with this id, or else with this name.
///
/// # Errors
/// If there is none.
fn named<'k, 'c>(
    name: &str,
    kinds: &'k [KindSummary<'c>],
) -> Result<Vec<&'k KindSummary<'c>>, Failure> {
    let normalise = |text: &str| text.trim().to_lowercase().replace(['-', ' '], "_");
    let wanted = normalise(name);
    let by_id: Vec<&KindSummary> = kinds.iter().filter(|k| k.id == wanted).collect();
    let by_name = || kinds.iter().filter(|k| normalise(k.name) == wanted);
    let found = match by_id.is_empty() {
        true => by_name().collect(),
        false => by_id,
    };
    if !found.is_empty() {
        return Ok(found);
    }
    let help = hint(name, kinds.iter().map(|k| k.id), "kinds");
    let what = format!("there is no creature, weapon, armour, spell or condition '{name}'; {help}");
    Err(Failure::usage(what))
}

/// Prints one line for each kind.
fn list(args: &KindsArgs, kinds: &[KindSummary]) {
    let mut last = "";
    for kind in kinds {
        if out::is_closed() {
            return;
        }
        if args.json {
            say_json(json(kind));
            continue;
        }
        if kind.what != last {
            if !last.is_empty() {
                say("");
            }
            say(heading(kind.what));
            last = kind.what;
        }
        say(format!("  {:<18} {}", kind.id, kind.line).trim_end());
    }
}

fn heading(what: &str) -> &'static str {
    match what {
        "creature" => "Creatures",
        "weapon" => "Weapons",
        "armour" => "Armour and shields",
        "condition" => "Conditions",
        _ => "Spells",
    }
}

/// Prints all numbers of a kind.
fn print(kind: &KindSummary) {
    say(format!("{}  {}, {}", kind.id, kind.name, kind.what));
    say(format!("  {}", kind.line));
    for (heading, figures) in (kind.sheet)() {
        say("");
        say(heading);
        for figure in figures {
            say(format!("  {:<22} {}", figure.name, figure.text()));
        }
    }
}

/// A kind as the JSON object that `--json` prints.
fn json(kind: &KindSummary) -> Value {
    let mut object = json!({
        "what": kind.what,
        "id": kind.id,
        "name": kind.name,
        "text": kind.line,
    });
    for (heading, figures) in (kind.sheet)() {
        let fields = figures.into_iter().map(|f| (f.name, f.value));
        object[heading] = fields.collect::<Map<_, _>>().into();
    }
    object
}

fn all(content: &Arc<Content>) -> Vec<KindSummary<'_>> {
    let creatures = content.creatures.values().map(|c| KindSummary {
        what: "creature",
        id: &c.id,
        name: &c.name,
        line: creature_line(c),
        sheet: Box::new(move || creature(content, c)),
    });
    let weapons = content.weapons.values().map(|w| KindSummary {
        what: "weapon",
        id: &w.id,
        name: &w.name,
        line: weapon_line(w),
        sheet: Box::new(move || weapon(w)),
    });
    let armours = content.armours.values().map(|a| KindSummary {
        what: "armour",
        id: &a.id,
        name: &a.name,
        line: armour_line(a),
        sheet: Box::new(move || armour(a)),
    });
    let spells = content.spells.values().map(|s| KindSummary {
        what: "spell",
        id: &s.id,
        name: &s.name,
        line: spell_line(s),
        sheet: Box::new(move || spell(s)),
    });
    let conditions = content.conditions.values().map(|c| KindSummary {
        what: "condition",
        id: &c.id,
        name: &c.name,
        line: c.effect_text(),
        sheet: Box::new(Vec::new),
    });
    let all = creatures.chain(weapons).chain(armours);
    all.chain(spells).chain(conditions).collect()
}

fn creature_line(c: &Creature) -> String {
    let trained = match &c.training {
        Training::Hero { level, .. } => format!("level {level}"),
        Training::Npc { hit_dice: 1, .. } => "1 hit die".to_string(),
        Training::Npc { hit_dice, .. } => format!("{hit_dice} hit dice"),
    };
    let weapons: Vec<&str> = c.weapons.iter().map(|w| w.name.as_str()).collect();
    let worn = c.armour.iter().chain(&c.shield).map(|a| a.name.as_str());
    let spells = c.spells.iter().map(|s| s.name.as_str());
    let has: Vec<&str> = weapons.into_iter().chain(worn).chain(spells).collect();
    match has.is_empty() {
        true => trained,
        false => format!("{trained}: {}", has.join(", ")),
    }
}

fn weapon_line(w: &Weapon) -> String {
    let mut parts = vec![w.damage.to_string()];
    if let Some(melee) = &w.melee {
        parts.push(format!("reach {} ft", melee.reach));
    }
    if let Some(shot) = &w.ranged {
        parts.push(format!("range {} to {} ft", shot.normal, shot.long));
    }
    if w.hands > 0 {
        parts.push(count(w.hands.into(), "hand"));
    }
    parts.join(", ")
}

fn armour_line(a: &Armour) -> String {
    let ac = match a.shield {
        true => format!("shield, AC +{}", a.ac_melee),
        false => format!("AC {}", a.ac_melee),
    };
    match a.ac_ranged == a.ac_melee {
        true => ac,
        false => format!("{ac}, {} against missiles", a.ac_ranged),
    }
}

fn spell_line(s: &Spell) -> String {
    let effect = s.effect.effect_text("AC");
    let area = match s.area {
        SpellArea::One => String::new(),
        SpellArea::Blast(feet) => format!(", blast of {feet} ft"),
        SpellArea::Cone(feet) => format!(", cone of {feet} ft"),
        SpellArea::Line(feet) => format!(", line of {feet} ft"),
    };
    match s.range {
        0 => format!("{effect}{area}, centred on the caster"),
        feet => format!("{effect}{area}, range {feet} ft"),
    }
}

fn creature(content: &Arc<Content>, c: &Arc<Creature>) -> KindFigures {
    let morale = c.morale.map_or(Value::from("fearless"), Value::from);
    let mut common = vec![
        Stat::new("title", c.title.clone()),
        Stat::new("size", c.size),
        Stat::new("bulk", format!("{:?}", c.bulk)),
        Stat::new("feet in a Move", c.speed),
        Stat::new("morale", morale),
    ];
    let attributes = Attribute::ALL.map(|a| (a.name().to_string(), c.modifier(a).into()));
    let attributes: Map<String, Value> = attributes.into_iter().collect();
    common.push(Stat::new("attributes", attributes));
    match &c.training {
        Training::Hero { skills, .. } => {
            let skills = skills.iter();
            let skills = skills.map(|(s, n)| (s.name().to_string(), (*n).into()));
            common.push(Stat::new("skills", skills.collect::<Map<_, _>>()));
        }
        Training::Npc { skill, .. } => common.push(Stat::new("skill", *skill)),
    }
    if !c.traits.is_empty() {
        let traits: Vec<String> = c.traits.iter().map(|t| format!("{t:?}")).collect();
        common.push(Stat::new("traits", traits.join(", ")));
    }
    let mut sheet = vec![("In all rulesets", common)];
    sheet.extend(profiles(content, c, &[]));
    sheet
}

fn weapon(w: &Weapon) -> KindFigures {
    let attributes: Vec<&str> = w.attributes.iter().map(|a| a.name()).collect();
    let mut common = vec![
        Stat::new("make", format!("{:?}", w.make)),
        Stat::new("attributes", attributes.join(", ")),
        Stat::new("magic", w.magic),
        Stat::new("lethal", w.lethal),
    ];
    if let Some(melee) = &w.melee {
        let skills: Vec<&str> = melee.skills.iter().map(|s| s.name()).collect();
        common.push(Stat::new("melee skills", skills.join(", ")));
        common.push(Stat::new("thrusting", melee.thrusting));
    }
    if let Some(shot) = &w.ranged {
        let skills: Vec<&str> = shot.skills.iter().map(|s| s.name()).collect();
        common.push(Stat::new("ranged type", format!("{:?}", shot.how)));
        common.push(Stat::new("ranged skills", skills.join(", ")));
    }
    with_ruleset_figures(common, Thing::Weapon(w))
}

/// The figures common to all rulesets, followed by those of each.
fn with_ruleset_figures(common: Vec<Stat>, thing: Thing) -> KindFigures {
    let own = ALL.iter().map(|rules| (rules.id, (rules.thing)(&thing)));
    let own = own.filter(|(_, figures)| !figures.is_empty());
    let common = std::iter::once(("In all rulesets", common));
    common.chain(own).collect()
}

fn armour(a: &Armour) -> KindFigures {
    let common = vec![
        Stat::new("shield", a.shield),
        Stat::new("AC", a.ac_melee),
        Stat::new("AC against missiles", a.ac_ranged),
        Stat::new("magic", a.magic),
    ];
    with_ruleset_figures(common, Thing::Armour(a))
}

fn spell(s: &Spell) -> KindFigures {
    let uses = s.uses.map_or(Value::from("unlimited"), Value::from);
    let common = vec![
        Stat::new("save", format!("{:?}", s.save)),
        Stat::new("casts per battle", uses),
    ];
    with_ruleset_figures(common, Thing::Spell(s))
}
