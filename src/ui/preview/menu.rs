//! Lists of choices: spells, weapons, ways to act, a number, and reactions.

use super::{ActButton, Open, aim, chance, click::sample, draft, enemies_of};
use crate::{
    battle::{
        AttackForecast, Choice, Decision, Id, Modifier, OddsLine, Offer, PASS, Reach, Rule,
        SpellId, capitalised, signed,
    },
    content::SpellArea,
    grid::cells_apart,
    ui::{
        Selection, Session,
        ruleset_ui::RoundPlan,
        selection::{Highlight, PartialChoice},
    },
};

use std::sync::Arc;

/// A list to choose from, or a number.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Menu {
    pub title: String,
    /// The units that can react: "Osk: roll again?", "Osk can react", "Osk or Lin can react".
    pub heading: String,
    /// All units that can react together; empty if only one can.
    pub company: Vec<Id>,
    pub rule: Rule,
    pub rows: Vec<MenuRow>,
    pub slider: Option<Slider>,
    /// Whether it is a reaction prompt, whose last row declines.
    pub is_reaction: bool,
    /// The selected unit's round with this number.
    pub round: Option<RoundPlan>,
    /// The cells in reach with this number.
    pub reach: Vec<Reach>,
    /// The row of a reaction prompt that Enter takes: the first that helps, otherwise the one that
    /// declines. `None` if there is none.
    pub suggested: Option<usize>,
}

impl Menu {
    /// Whether it is a prompt that replaces the inspect card beside the board.
    pub fn is_docked(&self) -> bool {
        self.is_reaction && self.slider.is_none()
    }

    /// Whether it is a list of choices in the player's turn, which replaces the inspect card too.
    pub fn is_list(&self) -> bool {
        !self.is_reaction && self.slider.is_none()
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct MenuRow {
    pub label: String,
    /// Its effects, one line each.
    pub lines: Vec<String>,
    /// Its chances, effect and cost in a line: "60% to hit, 25% to drop, free", "19 becomes a miss,
    /// uses Main".
    pub brief: String,
    /// What it takes from the unit's next turn: "Brandt can't attack next turn".
    pub forfeits: Option<String>,
    /// How many of the first lines say no more than `brief` and `percent`.
    pub in_brief: usize,
    pub percent: Option<u32>,
    /// Whether `percent` is the chance to drop the target, because that leads.
    pub is_drop_first: bool,
    pub picks: Picks,
    pub is_pass: bool,
}

/// The result of choosing a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Picks {
    Give(Choice),
    /// More to choose.
    Partial(PartialChoice),
    /// Not possible, and why.
    Nothing(String),
}

/// A number between two bounds.
#[derive(Clone, PartialEq, Debug)]
pub struct Slider {
    pub least: i32,
    pub most: i32,
    pub now: i32,
}

impl Slider {
    /// A large step: about a tenth of the range, rounded.
    pub fn large_step(&self) -> i32 {
        match self.most - self.least {
            ..=12 => 1,
            13..=60 => 5,
            _ => 10,
        }
    }
}

impl MenuRow {
    pub fn choice(&self) -> Option<&Choice> {
        match &self.picks {
            Picks::Give(choice) => Some(choice),
            _ => None,
        }
    }

    /// What it is about: its target and the cell that it names.
    pub fn mentions(&self) -> Highlight {
        let choice = self.choice();
        Highlight {
            units: choice.and_then(|choice| choice.at).map_or(0, Id::bit),
            cell: choice.and_then(|choice| choice.to),
        }
    }
}

/// What is left to choose for an armed action; `None` if only its target is open, which is picked
/// on the board.
pub(super) fn of_act(
    session: &Session,
    act: &ActButton,
    partial: &PartialChoice,
    open: &Open,
    offers: &[Offer],
) -> Option<Menu> {
    let names = session.game.names();
    let target = partial.at.map_or(String::new(), |id| {
        format!(": {}", session.shown().unit(id).name)
    });
    let mut menu = Menu {
        title: format!("{}{target}", act.label),
        rule: act.rule,
        ..Menu::default()
    };
    match open {
        Open::Aim { .. } => return None,
        Open::Spell(spells) => {
            let known = spells.iter().map(|&spell| {
                let partial = PartialChoice {
                    spell: Some(spell),
                    ..partial.clone()
                };
                // Completes the choice if only the spell was open, unless it still needs a target.
                let picks = match aim::open(&act.offers, &partial) {
                    Some(Open::Nothing(choice)) if unaimed(session, &choice).is_none() => {
                        Picks::Give(choice)
                    }
                    _ => Picks::Partial(partial),
                };
                (spell, picks)
            });
            let barred = barred_spells(session, act, offers, spells);
            // Spells keep their place and number whether or not they can be cast now.
            let place = |spell: SpellId| offers.iter().position(|o| o.choice.spell == Some(spell));
            let mut all: Vec<(SpellId, Picks)> = known.chain(barred).collect();
            all.sort_by_key(|(spell, _)| place(*spell));
            for (spell, picks) in all {
                let known = act.offers.iter().find(|o| o.choice.spell == Some(spell));
                // Of a spell that can't be cast, only what it does.
                let effect = || {
                    let about = session.queries.ruleset_ui.spell;
                    about(session.game.spell(spell)).into_iter().take(1)
                };
                menu.rows.push(MenuRow {
                    label: capitalised(names.spell(spell)),
                    lines: known.map_or_else(
                        || effect().collect(),
                        |offer| about_spell(session, spell, offer),
                    ),
                    brief: String::new(),
                    forfeits: None,
                    in_brief: 0,
                    percent: None,
                    is_drop_first: false,
                    picks,
                    is_pass: false,
                });
            }
        }
        Open::Way(ways) => {
            let alike = |c: &Choice| (c.verb, c.at, c.to);
            let first = alike(&ways[0].choice);
            let same = ways.iter().all(|o| alike(&o.choice) == first);
            for offer in ways {
                let mut row = row(session, offer);
                if let Some(item) = offer.choice.with.filter(|_| same) {
                    row.label = capitalised(names.item(item));
                }
                menu.rows.push(row);
            }
        }
        Open::Number(offer) => slide(session, &mut menu, offer, partial),
        Open::Nothing(choice) => menu.rows.push(row(session, &Offer::legal(choice.clone()))),
    }
    Some(menu)
}

/// What a declaration without a target may name in advance.
#[derive(Clone, PartialEq, Debug)]
pub enum Unaimed {
    /// The cell of a move.
    Cell,
    /// The target of an attack or a spell, one of these enemies in range.
    Enemies(Vec<Id>),
}

/// What a declaration may still name in advance; `None` if nothing.
pub fn unaimed(session: &Session, choice: &Choice) -> Option<Unaimed> {
    let who = choice.who?;
    if choice.at.is_some() || choice.to.is_some() || !session.is_declaring() {
        return None;
    }
    if draft::declares_move(session, choice) {
        return Some(Unaimed::Cell);
    }
    let shown = session.shown();
    let enemies = enemies_of(session, who).into_iter();
    let Some(spell) = choice.spell.map(|spell| session.game.spell(spell)) else {
        let can = |&enemy: &Id| draft::attack_by(session, choice, shown.unit(enemy)).is_some();
        let found: Vec<Id> = enemies.filter(can).collect();
        return (!found.is_empty()).then_some(Unaimed::Enemies(found));
    };
    let far = match spell.area {
        SpellArea::Cone(feet) | SpellArea::Line(feet) => feet.max(spell.range),
        _ => spell.range,
    };
    let feet = u16::try_from(far).ok().filter(|&far| far > 0)?;
    let space = |id| shown.unit(id).space();
    let near = |&enemy: &Id| shown.board.within(space(who), space(enemy), feet);
    Some(Unaimed::Enemies(enemies.filter(near).collect()))
}

/// What the player must know about a spell, whatever its target.
fn about_spell(session: &Session, spell: SpellId, offer: &Offer) -> Vec<String> {
    let mut lines = (session.queries.ruleset_ui.spell)(session.game.spell(spell));
    let odds = session.queries.odds(&sample(offer));
    let general = odds.iter().filter(|o| o.who.is_none()).map(OddsLine::words);
    let general = general.collect::<Vec<_>>().join("; ");
    lines.extend(Some(general).filter(|words| !words.is_empty()));
    lines
}

/// Known spells that can't be cast now, each with the reason against its nearest target.
fn barred_spells(
    session: &Session,
    act: &ActButton,
    offers: &[Offer],
    can: &[SpellId],
) -> Vec<(SpellId, Picks)> {
    let space = |id| session.shown().unit(id).space();
    let away = |offer: &Offer| {
        let ends = offer.choice.who.zip(offer.choice.at);
        ends.map_or(0, |(who, at)| cells_apart(space(who), space(at)))
    };
    let barred = offers.iter().filter(|o| act.has(o.choice.verb));
    let mut barred: Vec<&Offer> = barred.filter(|o| !o.is_legal()).collect();
    barred.sort_by_key(|o| away(o));
    let mut out: Vec<(SpellId, Picks)> = vec![];
    for offer in barred {
        if let (Some(spell), Some(why)) = (offer.choice.spell, &offer.why_not)
            && !can.contains(&spell)
            && out.iter().all(|o| o.0 != spell)
        {
            out.push((spell, Picks::Nothing(capitalised(&why.text))));
        }
    }
    out
}

/// An attack in one line: "+2 attack bonus, +1 STR, needs 12 or more on d20; 1d6+1: 2 to 7; 30% to
/// drop". If the target can still answer the attack, that case comes before the other.
fn odds_text(attack: &AttackForecast) -> String {
    let part = |m: &Modifier| format!("{} {}, ", signed(m.value), m.label);
    let parts: String = attack.modifiers.iter().map(part).collect();
    let drops = attack.drops();
    // Like the sum of the inspect card, this explains the chance that leads.
    let (needs, chances) = match &attack.answered {
        Some(left) => {
            let chances = format!("{}; else {}%, {drops}", left.words(), attack.percent);
            (&left.needs, chances)
        }
        None => (&attack.needs, drops),
    };
    let damage = attack.likely_damage();
    format!("{parts}{needs}; {damage}; {chances}")
}

/// The chances of an attack in a short row: "60% to hit, 25% to drop". If it can't drop its target,
/// the damage takes the place of that: "60% to hit, 1d6+1: 2 to 7".
fn chances_in_brief(attack: &AttackForecast) -> String {
    let hits = attack.likely_percent();
    let damage = attack.likely_damage();
    match &attack.answered {
        Some(left) if attack.drop_percent == 0 => {
            let (brief, other) = (&left.brief, attack.percent);
            format!("{hits}% to hit {brief}, else {other}%; {damage}")
        }
        Some(_) => format!("{hits}% to hit {}", attack.after_percent()),
        None if attack.drop_percent == 0 => format!("{hits}% to hit, {damage}"),
        None => format!("{hits}% to hit, {}", attack.drops()),
    }
}

fn row(session: &Session, offer: &Offer) -> MenuRow {
    let choice = sample(offer);
    let is_pass = choice.verb == &PASS;
    let mut lines = session.queries.changes(&choice);
    let mut brief = lines.clone();
    let mut in_brief = lines.len();
    let odds = session.queries.odds(&choice);
    let mut percent = chance(&session.queries, &choice);
    let mut is_drop_first = false;
    if let Some(Ok(attack)) = session.queries.attack(&choice) {
        is_drop_first = attack.is_drop_first();
        if is_drop_first {
            percent = Some(attack.likely_drop_percent());
        }
        brief.insert(0, chances_in_brief(&attack));
        lines.push(odds_text(&attack));
        let notes = attack.notes.iter().map(OddsLine::words);
        let notes = notes.collect::<Vec<_>>().join("; ");
        lines.extend(Some(notes).filter(|words| !words.is_empty()));
    }
    lines.extend(odds.iter().map(OddsLine::words));
    // The chance that is shown, if it is not that of an attack.
    if let ([one, ..], true) = (&odds[..], lines.len() == in_brief + odds.len())
        && percent.is_some()
    {
        brief.insert(0, one.text.clone());
        in_brief += 1;
    }
    MenuRow {
        label: match (is_pass, offer.numbers) {
            (true, _) => String::from("Don't react"),
            (false, None) => session.order_title(&offer.choice),
            (false, Some(_)) => session.order_title(&offer.choice).replace('?', "…"),
        },
        lines,
        brief: brief.join(", "),
        forfeits: session.queries.forfeits(&choice),
        in_brief,
        percent,
        is_drop_first,
        picks: match offer.numbers {
            None => Picks::Give(choice),
            Some(_) => Picks::Partial(PartialChoice::all_of(&offer.choice)),
        },
        is_pass,
    }
}

/// The number chosen for an offer. Attacks start with the highest number, other actions with the
/// lowest, unless the ruleset suggests one.
pub(super) fn number(session: &Session, offer: &Offer, partial: &PartialChoice) -> i32 {
    let (least, most) = offer.numbers.unwrap_or_default();
    let sample = sample(offer);
    let first = partial.number.or_else(|| session.queries.first(&sample));
    let plain = || match session.queries.attack(&sample) {
        Some(_) => most,
        None => least,
    };
    first.unwrap_or_else(plain).clamp(least, most)
}

/// Adds a row that depends on a number.
fn slide(session: &Session, menu: &mut Menu, offer: &Offer, partial: &PartialChoice) {
    let (least, most) = offer.numbers.unwrap_or_default();
    let now = number(session, offer, partial);
    let one = Offer::legal(offer.choice.clone().number(now));
    menu.rows.push(row(session, &one));
    menu.slider = Some(Slider { least, most, now });
    let foreseen = session.queries.preview_declaration(&one.choice);
    (menu.round, menu.reach) = (foreseen.round, foreseen.reach);
}

/// A reaction prompt: its reactions with their odds.
pub(super) fn reaction(
    session: &Session,
    selection: &Selection,
    asked: &Decision,
    offers: &Arc<Vec<Offer>>,
) -> Menu {
    let names = session.game.names();
    let mut menu = Menu {
        title: capitalised(&asked.prompt),
        rule: asked.rule,
        is_reaction: true,
        ..Menu::default()
    };
    let partial = selection.partial_choice();
    let ranged = offers.iter().filter(|o| o.numbers.is_some());
    let ranged: Vec<Offer> = ranged.cloned().collect();
    if partial != PartialChoice::default()
        && let Some(Open::Number(offer)) = aim::open(&ranged, &partial)
    {
        slide(session, &mut menu, &offer, &partial);
        return menu;
    }
    // Reactions without effect are hidden next to useful ones; declining comes last.
    let Some(&who) = asked.actors.first() else {
        return menu;
    };
    let others = session.company().iter().filter(|asked| asked.is_shown);
    let all: Vec<(Id, &Arc<Vec<Offer>>)> = std::iter::once((who, offers))
        .chain(others.map(|asked| (asked.who, &asked.offers)))
        .collect();
    let ways = all.iter().flat_map(|&(who, offers)| {
        let own = worth_asking(session, who, offers).into_iter();
        own.map(move |offer| (who, offer))
    });
    let ways: Vec<(Id, &Offer)> = ways.collect();
    let is_shared = all.len() > 1;
    if is_shared {
        menu.company = all.iter().map(|(who, _)| *who).collect();
    }
    menu.heading = heading(session, (who, &menu.company), &ways);
    let is_helping = |&(who, offer): &(Id, &Offer)| {
        let offers = all.iter().find(|(asked, _)| *asked == who);
        offers.is_some_and(|(_, offers)| helps(session, who, offers, offer))
    };
    let helping = ways.iter().position(is_helping);
    let alike = |(_, offer): &(Id, &Offer)| (offer.choice.verb, offer.choice.at);
    // If only unit and weapon differ, the prompt says the rest.
    let is_same = ways.iter().all(|way| alike(way) == alike(&ways[0]));
    for (who, offer) in ways {
        let mut row = row(session, offer);
        if is_shared {
            let with = offer.choice.with.filter(|_| is_same);
            let does = with.map_or(row.label, |item| names.item(item).to_owned());
            row.label = format!("{}: {does}", session.shown().unit(who).name);
        }
        menu.rows.push(row);
    }
    let is_pass = |o: &&Offer| o.is_legal() && o.choice.verb == &PASS;
    let passes = offers.iter().filter(is_pass);
    menu.rows.extend(passes.map(|offer| row(session, offer)));
    menu.suggested = helping.or_else(|| menu.rows.iter().position(|row| row.is_pass));
    menu
}

/// The heading of a reaction prompt. A single possible reaction is named, since it may be no reaction
/// to another unit: a unit can roll its own attack again.
fn heading(session: &Session, (who, company): (Id, &[Id]), ways: &[(Id, &Offer)]) -> String {
    let name = |id: Id| &session.shown().unit(id).name;
    let mut all = ways.iter().map(|way| way.1.choice.verb);
    let only = all.next().filter(|&first| all.all(|verb| verb == first));
    match (company, only) {
        ([], Some(verb)) => format!("{}: {}?", name(who), verb.name),
        ([] | [_], _) => format!("{} can react", name(who)),
        ([first, last], _) => format!("{} or {} can react", name(*first), name(*last)),
        ([first, more @ ..], _) => {
            format!("{} or {} others can react", name(*first), more.len())
        }
    }
}

/// The reactions shown for a unit: those that change something, otherwise all.
fn worth_asking<'o>(session: &Session, who: Id, offers: &'o Arc<Vec<Offer>>) -> Vec<&'o Offer> {
    let is_act = |o: &&Offer| o.is_legal() && o.choice.verb != &PASS;
    let acts = offers.iter().filter(is_act);
    let (helping, other): (Vec<&Offer>, _) = acts.partition(|o| helps(session, who, offers, o));
    if helping.is_empty() { other } else { helping }
}

/// Whether a reaction changes the result of what is happening. An attack that the quick AI would
/// not make now counts only if it may drop the attacker. Any wound may spoil a spell.
pub fn helps(session: &Session, who: Id, offers: &Arc<Vec<Offer>>, offer: &Offer) -> bool {
    let choice = &offer.choice;
    if choice.verb == &PASS || offer.rare {
        return false;
    }
    let is_casting = || choice.at.is_some_and(|at| session.is_casting(at));
    if session.queries.is_futile(choice) && !is_casting() {
        return false;
    }
    let is_kept = || session.queries.sensible(who, offers).verb != choice.verb;
    let drops = match session.queries.attack(&sample(offer)) {
        Some(Ok(attack)) => attack.drop_percent > 0,
        _ => true,
    };
    drops || session.queries.pending_attacks().is_empty() || !is_kept()
}
