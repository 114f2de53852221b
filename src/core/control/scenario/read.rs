//! Reads a scenario file into a checked scenario.

use super::{
    Check, Claim, Die, FilePosition, OrderLine, PathClaim, Scenario, SightClaim, Standing,
    StateClaim, UnitOrSpace,
    wanted::{self, Presence, Wanted},
    words::{Unknown, Words},
};
use crate::{
    battle::{Action, Id, ProbeValue, Ruleset, Side, State},
    content::codex::Codex,
    control::orders,
    grid::{Cell, Cover, Space},
    levels::{self, Level, Purpose},
    ron_read::{self, Fields, Outcome, Piece, Reader, ValueShape, similar},
    rulesets,
    words::{plain, unwrapped},
};
use std::sync::Arc;

/// Reads a scenario file.
pub fn check_file(file: &str, text: &str) -> Outcome<Scenario> {
    ron_read::read(file, text, |r, root| {
        let mut f = r.fields(root, "a scenario")?;
        let proves = f.needed(r, "proves");
        let shows = f.required(r, "shows", Reader::filled_text);
        let dice = f.optional(r, "dice", dice).unwrap_or_default();
        let (orders, expect) = (f.piece("orders"), f.piece("expect"));
        let rules_piece = f.needed(r, "rules");
        let draft = levels::level(r, &mut f, &levels::id_of(file), Purpose::Proof, &[]);
        f.finish(r);
        let named = draft.as_ref().and_then(|draft| draft.level.rules);
        let own = named.and_then(|rules| rulesets::find(rules.0));
        let prefix = own.map(|rules| rules.rule_prefix);
        let proves = proves.and_then(|piece| rule_ids(r, piece, prefix));
        let draft = draft?;
        let level = &draft.level;
        let rules = level.rules?.0;
        let Some(rules) = rulesets::find(rules) else {
            let at = rules_piece?.at;
            r.problem(at, format!("{rules} cannot be played yet"), "");
            return None;
        };
        let book = Book {
            level,
            rules,
            words: Words::of(&draft),
            has_unread_names: draft.has_unread_names,
        };
        let mut after_order = false;
        let script = orders.and_then(|p| {
            r.list(p, |r, p| {
                let line = line(r, p, &book, after_order);
                after_order = matches!(line, Some(OrderLine::Order { .. }));
                line
            })
        });
        let mut scenario = Scenario {
            file: file.to_owned(),
            rules,
            // Missing fields are already reported; the rest is checked anyway.
            proves: proves.unwrap_or_default(),
            shows: shows.unwrap_or_default(),
            level: Arc::new(level.clone()),
            dice,
            script: script.unwrap_or_default(),
            log: vec![],
            never: vec![],
            end: vec![],
        };
        if let Some(piece) = expect {
            expectations(r, piece, &book, &mut scenario);
        }
        if let Some(piece) = orders {
            nameless_orders(r, piece, &scenario);
        }
        if r.count() == 0 && !scenario.expects_something() {
            let at = expect.map_or(root.at.start(), |p| p.at);
            let help = "say in `expect` what must be in the log, or true at the end";
            r.problem(at, "nothing is expected of this", help);
        }
        Some(scenario)
    })
}

impl Scenario {
    fn expects_something(&self) -> bool {
        let checks = self.script.iter().any(|l| matches!(l, OrderLine::Check(_)));
        checks || !(self.log.is_empty() && self.never.is_empty() && self.end.is_empty())
    }
}

/// What the parts of a scenario can name.
struct Book<'a> {
    level: &'a Level,
    rules: &'static Ruleset,
    words: Words<'a>,
    /// Some names in the level could not be read, so an unknown name may be one of them.
    has_unread_names: bool,
}

fn position(r: &Reader, piece: &Piece) -> FilePosition {
    let (line, col) = r.line_and_column(piece.at);
    FilePosition { line, col }
}

/// The ids of the proven rules: those of the ruleset's own `prefix`, if it is known, and of the
/// grid.
fn rule_ids(
    r: &mut Reader,
    piece: &Piece,
    prefix: Option<&str>,
) -> Option<Vec<(FilePosition, String)>> {
    let ids = r.list(piece, |r, p| {
        let id = r.text(p)?;
        known_rule(r, p, &id, prefix)?;
        Some((position(r, p), id))
    })?;
    if ids.is_empty() && r.count() == 0 {
        r.expected(piece, "at least one rule");
    }
    Some(ids)
}

/// Checks that the rule id exists and belongs to the ruleset's own `prefix` or the grid.
fn known_rule(r: &mut Reader, piece: &Piece, id: &str, prefix: Option<&str>) -> Option<()> {
    let may_be =
        |id: &str| id.starts_with("GR") || prefix.is_none_or(|prefix| id.starts_with(prefix));
    let known = Codex::built_in().rule(id);
    if known.is_none_or(|rule| rule.id != id) {
        let all = Codex::built_in().rules().map(|rule| rule.id.as_str());
        r.unknown(piece.at, "a rule", id, all.filter(|id| may_be(id)));
        return None;
    }
    if !may_be(id) {
        let what = format!("{id} is a rule of another ruleset");
        let prefix = prefix.unwrap_or_default();
        let help = format!("use rules of `{prefix}` and `GR` here");
        r.problem(piece.at, what, help);
        return None;
    }
    Some(())
}

/// Dice: `"d20: 14"`, or `"2d6: 3 5"` for two.
fn dice(r: &mut Reader, piece: &Piece) -> Option<Vec<Die>> {
    let rolls = r.list(piece, |r, p| {
        let at = position(r, p);
        let text = r.text(p)?;
        let Some((sides, values)) = roll(&text) else {
            let help = "write the size and what comes up, as `d20: 14`, or `2d6: 3 5` for two";
            r.problem(p.at, format!("{text:?} is no die"), help);
            return None;
        };
        if let Some(n) = values.iter().find(|n| !(1..=sides).contains(*n)) {
            let help = format!("write a number from 1 to {sides}");
            r.problem(p.at, format!("a d{sides} never shows {n}"), help);
            return None;
        }
        let die = |value: u16| Die { at, sides, value };
        Some(values.into_iter().map(die).collect::<Vec<_>>())
    })?;
    Some(rolls.concat())
}

fn roll(text: &str) -> Option<(u16, Vec<u16>)> {
    let (size, values) = text.split_once(':')?;
    let (count, sides) = size.trim().split_once('d')?;
    let count = match count {
        "" => 1,
        _ => count.parse().ok()?,
    };
    let sides = sides.parse().ok().filter(|n| (2..=1000).contains(n))?;
    let values: Option<Vec<u16>> = values.split_whitespace().map(|n| n.parse().ok()).collect();
    Some((sides, values.filter(|v| v.len() == count)?))
}

/// An order, or a claim that must be true at that point.
fn line(r: &mut Reader, piece: &Piece, book: &Book, after_order: bool) -> Option<OrderLine> {
    if let ValueShape::Text(text) = &piece.shape {
        // Orders without a name are reported later, once all others are read.
        if text.contains(':') {
            order(r, piece, text, book)?;
        }
        let (at, text) = (position(r, piece), text.clone());
        return Some(OrderLine::Order { at, text });
    }
    let wanted = "an order in double quotes, or a claim such as `Offered(\"alice: run to 3,4\")`";
    let (word, group) = r.variant(piece, wanted)?;
    let group = group.unwrap_or(piece);
    if word == "Chance" {
        let [name, words] =
            r.tuple(group, "a name and words as `Chance(\"alice\", \"to 3,4\")`")?;
        let (at, who) = (position(r, piece), who(r, name, book)?);
        let words = r.filled_text(words)?;
        if !book.rules.chances {
            let rules = book.rules.id;
            let what = format!("{rules} has no chances but those that are asked about");
            let help = "leave this out: the unit is asked by itself";
            r.problem(piece.at, what, help);
            return None;
        }
        if !after_order {
            let help = "put it right after the order during which the chance comes";
            r.problem(piece.at, "no order comes before this `Chance`", help);
            return None;
        }
        return Some(OrderLine::Chance { at, who, words });
    }
    let what = match word {
        "Asked" => Claim::Asked(one_name(r, group, book)?, true),
        "NotAsked" => Claim::Asked(one_name(r, group, book)?, false),
        "Offered" => {
            let [text] = r.tuple(group, "an order as `Offered(\"alice: run to 3,4\")`")?;
            Claim::Offered(offer(r, text, book)?)
        }
        "NotOffered" => not_offered(r, group, book)?,
        "State" => Claim::State(state(r, group, book)?),
        "Sight" => Claim::Sight(sight(r, group, book)?),
        "Path" => Claim::Path(path(r, group, book)?),
        "Battle" => {
            let [piece] = r.tuple(group, "how it stands, as `Battle(Running)`")?;
            Claim::Battle(standing(r, piece, book)?)
        }
        _ => {
            r.unknown(piece.at, "claim", word, CLAIMS);
            return None;
        }
    };
    let at = position(r, piece);
    Some(OrderLine::Check(Check { at, what }))
}

const CLAIMS: [&str; 9] = [
    "Chance",
    "Asked",
    "NotAsked",
    "Offered",
    "NotOffered",
    "State",
    "Sight",
    "Path",
    "Battle",
];

fn one_name(r: &mut Reader, group: &Piece, book: &Book) -> Option<Id> {
    let [name] = r.tuple(group, "a name as `Asked(\"alice\")`")?;
    who(r, name, book)
}

fn not_offered(r: &mut Reader, group: &Piece, book: &Book) -> Option<Claim> {
    let (text, why) = match &group.shape {
        ValueShape::Tuple(items) if items.len() == 2 => (&items[0], Some(r.text(&items[1])?)),
        _ => {
            let [text] = r.tuple(
                group,
                "an order as `NotOffered(\"alice: total defense\")`, and a reason if you like",
            )?;
            (text, None)
        }
    };
    Some(Claim::NotOffered(offer(r, text, book)?, why))
}

fn offer(r: &mut Reader, piece: &Piece, book: &Book) -> Option<String> {
    let text = r.text(piece)?;
    order(r, piece, &text, book)?;
    Some(text)
}

/// Checks that an order makes sense: its unit or side takes part, an action has this phrase,
/// and everything it names exists. Whether it is possible is checked when it is given.
fn order(r: &mut Reader, piece: &Piece, text: &str, book: &Book) -> Option<()> {
    let Some((name, act)) = text.split_once(':') else {
        r.problem(piece.at, does_not_say_who(text), begins(text, book.level));
        return None;
    };
    let (name, act) = (plain(name), plain(act));
    let is_one = book.level.combatant_named(&name).is_some();
    if orders::is_order(text) {
        if !is_one {
            r.unknown(piece.at, "a combatant", &name, names(book));
        }
        return is_one.then_some(());
    }
    if !is_one && book.level.side_named(&name).is_none() {
        let sides = book.level.sides.iter().map(|s| s.id.as_str());
        if !book.has_unread_names {
            r.unknown(piece.at, "a combatant", &name, names(book).chain(sides));
        }
        return None;
    }
    let verbs = book.rules.order_verbs();
    let meant = || {
        let meant = book.words.reworded(&verbs, &name, &act)?;
        Some(format!("did you mean `{name}: {meant}`?"))
    };
    let read = |verb: &&&'static Action| book.words.read(verb, &name, &act);
    let reads: Vec<_> = verbs.iter().filter_map(|verb| read(&verb)).collect();
    let what = format!("no order of {} reads {act:?}", book.rules.id);
    if reads.is_empty() {
        let phrases: Vec<&str> = verbs.iter().map(|v| v.order_text).collect();
        let near = || nearest_phrase(&act, &phrases, book.rules.id);
        r.problem(piece.at, what, meant().unwrap_or_else(near));
        return None;
    }
    if reads.contains(&Ok(())) {
        return Some(());
    }
    let Some(Err(Unknown { kind, word })) = reads.into_iter().next() else {
        return Some(());
    };
    if let Some(meant) = meant() {
        r.problem(piece.at, what, meant);
        return None;
    }
    r.unknown(piece.at, kind, &word, book.words.known(kind, &name));
    None
}

/// The unit or side that an order without a colon begins with.
fn first_name<'a>(order: &str, level: &'a Level) -> Option<&'a str> {
    let plain = wanted::plain(order);
    let units = level.combatants.iter().map(|c| c.name.as_str());
    let mut all = units.chain(level.sides.iter().map(|side| side.id.as_str()));
    all.find(|name| {
        let rest = plain.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(' '))
    })
}

/// A hint on how to begin an order that does not name a unit or side.
fn begins(order: &str, level: &Level) -> String {
    match first_name(order, level) {
        Some(name) => format!("put a colon after `{name}`"),
        None => String::from(
            "an order begins with a name, as `alice: done`, or with a side, as `party: end turn`",
        ),
    }
}

fn does_not_say_who(order: &str) -> String {
    format!("`{}` does not say who", unwrapped(order))
}

/// Reports orders that do not name a unit or side. If everything else could be read, the first
/// report says which unit is asked at that point.
fn nameless_orders(r: &mut Reader, piece: &Piece, scenario: &Scenario) {
    let ValueShape::List(items) = &piece.shape else {
        return;
    };
    for (n, item) in items.iter().enumerate() {
        let ValueShape::Text(text) = &item.shape else {
            continue;
        };
        if text.contains(':') {
            continue;
        }
        let is_clean = r.count() == 0 && first_name(text, &scenario.level).is_none();
        let asked = is_clean.then(|| scenario.asked_before(n, text)).flatten();
        let help = asked.unwrap_or_else(|| begins(text, &scenario.level));
        r.problem(item.at, does_not_say_who(text), help);
    }
}

/// Phrases that begin with the same word, or a reference to the full list.
fn nearest_phrase(act: &str, phrases: &[&str], rules: &str) -> String {
    let first = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    let same: Vec<_> = phrases.iter().filter(|p| first(p) == first(act)).collect();
    let firsts: Vec<String> = phrases.iter().map(|p| first(p)).collect();
    let guess = similar(&first(act), firsts.iter().map(String::as_str));
    let chosen: Vec<_> = match (&same[..], guess) {
        ([], Some(guess)) => phrases.iter().filter(|p| first(p) == guess).collect(),
        ([], None) => return format!("docs/scenarios.md lists the orders of {rules}"),
        _ => same,
    };
    let quoted: Vec<String> = chosen.iter().map(|p| format!("`{p}`")).collect();
    format!("orders read {}", quoted.join(", "))
}

fn names<'a>(book: &'a Book) -> impl Iterator<Item = &'a str> {
    book.level.combatants.iter().map(|c| c.name.as_str())
}

fn who(r: &mut Reader, piece: &Piece, book: &Book) -> Option<Id> {
    let name = r.text(piece)?;
    let found = book.level.combatant_named(&name);
    if found.is_none() && !book.has_unread_names {
        r.unknown(piece.at, "a combatant", &name, names(book));
    }
    found.map(Id::from)
}

fn cell(r: &mut Reader, piece: &Piece, book: &Book) -> Option<Cell> {
    levels::cell(r, piece, &book.level.board())
}

fn expectations(r: &mut Reader, piece: &Piece, book: &Book, scenario: &mut Scenario) -> Option<()> {
    let mut f = r.fields(piece, "what is expected")?;
    let mut anchored = false;
    let line = |r: &mut Reader, p: &Piece| {
        let line = log_line(r, p, book, anchored);
        anchored |= line.as_ref().is_none_or(|l| l.presence == Presence::There);
        line
    };
    let log = f.optional(r, "log", |r, p| r.list(p, line));
    scenario.log = log.unwrap_or_default();
    let line = |r: &mut Reader, p: &Piece| said(r, p, book, Presence::Not);
    let never = f.optional(r, "never", |r, p| r.list(p, line));
    scenario.never = never.unwrap_or_default();
    let end = &mut scenario.end;
    let state = |r: &mut Reader, p: &Piece| state(r, p, book).map(Claim::State);
    claims(r, &mut f, "states", end, state);
    let sight = |r: &mut Reader, p: &Piece| sight(r, p, book).map(Claim::Sight);
    claims(r, &mut f, "sight", end, sight);
    let path = |r: &mut Reader, p: &Piece| path(r, p, book).map(Claim::Path);
    claims(r, &mut f, "paths", end, path);
    if let Some(piece) = f.piece("battle") {
        let at = position(r, piece);
        let what = standing(r, piece, book).map(Claim::Battle);
        end.extend(what.map(|what| Check { at, what }));
    }
    f.finish(r);
    Some(())
}

fn claims(
    r: &mut Reader,
    f: &mut Fields,
    field: &'static str,
    end: &mut Vec<Check>,
    read: impl Fn(&mut Reader, &Piece) -> Option<Claim>,
) {
    let found = f.optional(r, field, |r, p| {
        r.list(p, |r, p| {
            let at = position(r, p);
            read(r, p).map(|what| Check { at, what })
        })
    });
    end.extend(found.unwrap_or_default());
}

/// A line of the log, or `Not("…")`, or `Absent("…")`. `anchored`: a required line comes before
/// it.
fn log_line(r: &mut Reader, piece: &Piece, book: &Book, anchored: bool) -> Option<Wanted> {
    let ValueShape::Word(word, group) = &piece.shape else {
        return said(r, piece, book, Presence::There);
    };
    let group = group.as_deref().unwrap_or(piece);
    match word.as_str() {
        "Not" => {
            let [text] = r.tuple(group, "a line of the log as `Not(\"alice falls\")`")?;
            said(r, text, book, Presence::Not)
        }
        "Absent" => {
            let wanted = "a rule as `Absent(\"SK-17\")`, and perhaps its words";
            let [text] = r.tuple(group, wanted)?;
            let line = said(r, text, book, Presence::Absent)?;
            let Some(rule) = line.rule() else {
                let help = "write `Absent(\"SK-17\")` or `Absent(\"SK-17: alice takes\")`";
                r.problem(text.at, "`Absent` needs the rule that does not apply", help);
                return None;
            };
            if rule == "GR-00" {
                let what = "GR-00 is no rule of the codex";
                r.problem(text.at, what, "name the rule it is about");
                return None;
            }
            if !anchored {
                let what = "nothing says when this does not happen";
                let help = "put a line before it that the log must have";
                r.problem(piece.at, what, help);
                return None;
            }
            Some(line)
        }
        _ => {
            r.unknown(piece.at, "line", word, ["Not", "Absent"]);
            None
        }
    }
}

/// Reports a text that begins with a misspelled rule id, such as `SK17: …`.
fn not_nearly_a_rule(r: &mut Reader, piece: &Piece, text: &str) -> Option<()> {
    let Some((id, _)) = text.split_once(':') else {
        return Some(());
    };
    let letters = id.trim_start().chars();
    let letters = letters.take_while(char::is_ascii_alphabetic).count();
    let digits = id.trim().chars().skip(letters);
    let digits = digits.skip_while(|c| "- _".contains(*c));
    let digits = digits.collect::<String>();
    if letters != 2 || !digits.starts_with(|c: char| c.is_ascii_digit()) || digits.len() > 4 {
        return Some(());
    }
    let all = Codex::built_in().rules().map(|rule| rule.id.as_str());
    r.unknown(piece.at, "a rule", id.trim(), all);
    None
}

/// A text, or a list of texts that must all be in one line.
fn said(r: &mut Reader, piece: &Piece, book: &Book, presence: Presence) -> Option<Wanted> {
    let texts = match &piece.shape {
        ValueShape::Text(_) => vec![r.filled_text(piece)?],
        ValueShape::List(items) if !items.is_empty() => {
            let texts: Vec<_> = items.iter().map(|p| r.filled_text(p)).collect();
            texts.into_iter().collect::<Option<Vec<_>>>()?
        }
        _ => {
            let wanted = "a line of the log in double quotes, a list of texts that one line \
                          has, `Not(\"…\")` or `Absent(\"…\")`";
            r.expected(piece, wanted);
            return None;
        }
    };
    let line = Wanted::new(position(r, piece), &texts, presence);
    match line.rule() {
        // GR-00 marks lines such as victory, which no rule of the codex covers.
        Some("GR-00") => {}
        Some(rule) => known_rule(r, piece, rule, Some(book.rules.rule_prefix))?,
        None => not_nearly_a_rule(r, piece, &texts[0])?,
    }
    Some(line)
}

fn state(r: &mut Reader, piece: &Piece, book: &Book) -> Option<StateClaim> {
    let mut f = r.fields(piece, "a state")?;
    let who = f.required(r, "who", |r, p| who(r, p, book));
    let at = f.optional(r, "at", |r, p| cell(r, p, book));
    let hp = f.optional(r, "hp", |r, p| r.whole(p, -1000..=1000));
    let state = f.optional(r, "state", |r, p| r.word(p, "a state", &State::WORDS));
    let prone = f.optional(r, "prone", Reader::yes_no);
    let mut probes = vec![];
    for probe in book.rules.probes {
        let shown = f.piece(probe.name).and_then(|p| reading(r, p));
        probes.extend(shown.map(|shown| (probe, shown)));
    }
    f.finish(r);
    Some(StateClaim {
        who: who?,
        at,
        hp,
        state,
        prone,
        probes,
    })
}

fn reading(r: &mut Reader, piece: &Piece) -> Option<ProbeValue> {
    match &piece.shape {
        ValueShape::Number(_) => r.whole(piece, -1000..=1000).map(ProbeValue::Count),
        ValueShape::Text(text) => Some(ProbeValue::Text(text.clone())),
        _ => r.yes_no(piece).map(ProbeValue::Yes),
    }
}

fn sight(r: &mut Reader, piece: &Piece, book: &Book) -> Option<SightClaim> {
    let mut f = r.fields(piece, "a line of sight")?;
    let from = f.required(r, "from", |r, p| end(r, p, book));
    let to = f.required(r, "to", |r, p| end(r, p, book));
    let los = f.optional(r, "los", Reader::yes_no);
    // `None` is a word of the scenario here, not an absent value.
    let cover = f.piece("cover");
    let cover = cover.and_then(|p| r.word(p, "a cover", &Cover::WORDS));
    let corners = f.optional(r, "corners", |r, p| r.whole(p, 0..=8));
    let feet = f.optional(r, "feet", |r, p| r.whole(p, 0..=10_000));
    let reach = f.optional(r, "reach", |r, p| r.whole(p, 0..=1000));
    let blocking = f.optional(r, "blocking", |r, p| r.list(p, |r, p| cell(r, p, book)));
    f.finish(r);
    Some(SightClaim {
        from: from?,
        to: to?,
        los,
        cover,
        corners: corners.map(|n| n as u8),
        feet: feet.map(|n| n as u16),
        reach: reach.map(|n| n as u16),
        blocking,
    })
}

fn end(r: &mut Reader, piece: &Piece, book: &Book) -> Option<UnitOrSpace> {
    match &piece.shape {
        ValueShape::Text(_) => who(r, piece, book).map(UnitOrSpace::Who),
        _ => cell(r, piece, book).map(|c| UnitOrSpace::Space(Space::one(c))),
    }
}

fn path(r: &mut Reader, piece: &Piece, book: &Book) -> Option<PathClaim> {
    let mut f = r.fields(piece, "a path")?;
    let mover = f.required(r, "who", |r, p| who(r, p, book));
    let to = f.required(r, "to", |r, p| cell(r, p, book));
    let reach = f.optional(r, "reach", Reader::yes_no);
    let feet = f.optional(r, "feet", |r, p| r.whole(p, 0..=10_000));
    let provokes = f.optional(r, "provokes", |r, p| r.list(p, |r, p| who(r, p, book)));
    let by = f.optional(r, "by", |r, p| r.list(p, |r, p| cell(r, p, book)));
    f.finish(r);
    Some(PathClaim {
        who: mover?,
        to: to?,
        reach,
        feet: feet.map(|n| n as u16),
        provokes,
        by,
    })
}

fn standing(r: &mut Reader, piece: &Piece, book: &Book) -> Option<Standing> {
    let shape = "`Running`, `Won(\"side\")` or `Drawn`";
    let (word, group) = r.variant(piece, shape)?;
    match word {
        "Running" => Some(Standing::Running),
        "Drawn" => Some(Standing::Drawn),
        "Won" => {
            let [side] = r.tuple(group.unwrap_or(piece), "a side as `Won(\"party\")`")?;
            let id = r.text(side)?;
            let found = book.level.side_named(&id);
            if found.is_none() && !book.has_unread_names {
                let known = book.level.sides.iter().map(|s| s.id.as_str());
                r.unknown(side.at, "a side", &id, known);
            }
            Some(Standing::Won(Side::from(found?)))
        }
        _ => {
            r.unknown(piece.at, "standing", word, ["Running", "Won", "Drawn"]);
            None
        }
    }
}
