//! What the toy rulesets are made of: notes on the combatants, a volley, a
//! field to stand on.

use bevy::ecs::{
    component::Component,
    system::{In, Query, Res, ResMut, SystemParam},
    world::World,
};
use fivefoot::{
    battle::{
        Action, Attack, Battle, Choice, Decision, Depth, DiceBox, EventKind, Id, Line, Modifier,
        Names, Offer, Offers, PASS, PendingAttacks, Roll, RolledAttack, Roster, Rule, Ruleset,
        RulesetEvent, Seen, Side, Step, StepOutcome, View, component_mut, copy_component,
        level_setup,
    },
    grid::{Cell, Range},
    levels::{Level, check_file},
    system_step,
};
use std::{collections::BTreeMap, sync::Arc};

/// All that a toy keeps of a combatant, by name; 0 unless noted.
#[derive(Component, Clone, Default, PartialEq, Debug)]
pub struct Notes(pub BTreeMap<&'static str, i32>);

/// Read access to a toy battle.
#[derive(SystemParam)]
pub struct Toy<'w, 's> {
    pub view: View<'w, 's>,
    pub flights: Res<'w, PendingAttacks>,
    notes: Query<'w, 's, &'static Notes>,
}

impl Toy<'_, '_> {
    pub fn note(&self, who: Id, key: &str) -> i32 {
        let notes = self.notes.get(self.view.roster.who[who.index()]);
        let notes = notes.expect("every combatant has notes");
        notes.0.get(key).copied().unwrap_or(0)
    }

    pub fn is_up(&self, who: Id) -> bool {
        self.view.body(who).is_up()
    }

    pub fn side(&self, who: Id) -> Side {
        self.view.body(who).side
    }

    pub fn cell(&self, who: Id) -> Cell {
        self.view.body(who).at
    }

    /// Everybody who is up, in id order.
    pub fn everybody(&self) -> Vec<Id> {
        self.view.ids().filter(|&id| self.is_up(id)).collect()
    }

    /// Foes who stand next to somebody.
    pub fn foes_beside(&self, who: Id) -> Vec<Id> {
        let foes = self.view.foes(self.side(who));
        foes.filter(|&foe| self.view.within(foe, who, 5)).collect()
    }

    /// A question to one combatant.
    pub fn ask(&self, who: Id, prompt: &str, offers: Vec<Offer>) -> Decision {
        Decision {
            side: self.side(who),
            prompt: prompt.into(),
            rule: "GR-00",
            actors: vec![who],
            common: vec![],
            offers: Offers::Listed(offers),
            reaction: true,
        }
    }
}

/// A legal offer of a verb against somebody.
pub fn offer(verb: &'static Action, who: Id, at: Id) -> Offer {
    Offer::legal(Choice::new(verb, who).at(at))
}

pub fn pass(who: Id) -> Offer {
    Offer::legal(Choice::new(&PASS, who))
}

/// A note is made.
#[derive(Clone, Debug)]
struct Noted {
    who: Id,
    key: &'static str,
    value: i32,
}

pub fn noted(who: Id, key: &'static str, value: i32) -> EventKind {
    EventKind::Ruleset(Arc::new(Noted { who, key, value }))
}

impl RulesetEvent for Noted {
    fn apply(&self, world: &mut World) {
        component_mut::<Notes>(world, self.who)
            .0
            .insert(self.key, self.value);
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        let (who, key, value) = (names.key(self.who), self.key, self.value);
        Line::new(Depth::Fact, format!("{who}: {key} {value}"))
    }

    fn data(&self) -> serde_json::Value {
        serde_json::json!({"what": self.key, "who": self.who, "value": self.value})
    }
}

pub fn acted(choice: &Choice) -> EventKind {
    EventKind::Acted {
        choice: choice.clone(),
    }
}

/// A toy attack: a d20 with what the occasion adds, and 10 or more hits for 1d6.
pub fn attack(by: Id, at: Id, rule: Rule) -> Attack {
    Attack {
        by,
        at,
        with: fivefoot::battle::Item(0),
        ranged: false,
        rule,
        extra: vec![],
    }
}

/// Makes the step that asks for answers to the attacks of these numbers.
pub type Opening = fn(Vec<u32>) -> Box<dyn Step>;

/// Attacks of one moment: rolled, perhaps answered, settled together.
#[derive(Clone, Debug)]
pub struct Volley {
    pub attacks: Vec<Attack>,
    pub window: Option<Opening>,
}
system_step!(Volley, roll);

impl Volley {
    pub fn plain(attacks: Vec<Attack>) -> Self {
        Self {
            attacks,
            window: None,
        }
    }
}

/// An attack is made only if both are still up when its turn comes.
fn roll(In(volley): In<Volley>, toy: Toy, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut serials = vec![];
    for attack in volley.attacks {
        if !toy.is_up(attack.by) || !toy.is_up(attack.at) {
            let (who, why) = (attack.by, "too late".into());
            outcome.emit(attack.rule, EventKind::Stopped { who, why });
            continue;
        }
        let serial = toy.flights.next() + serials.len() as u32;
        let roll = Roll::one(20, dice.roll(20), attack.extra.clone());
        serials.push(serial);
        let rule = attack.rule;
        let shot = RolledAttack {
            serial,
            attack,
            roll,
        };
        outcome.emit(rule, EventKind::AttackRolled { shot });
    }
    outcome
        .next
        .extend(volley.window.map(|open| open(serials.clone())));
    outcome.then(Settle(serials))
}

#[derive(Clone, Debug)]
struct Settle(Vec<u32>);
system_step!(Settle, settle);

/// Every verdict comes from the state before any of them.
fn settle(In(Settle(serials)): In<Settle>, toy: Toy, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut lost = BTreeMap::new();
    for serial in serials {
        let shot = toy.flights.get(serial).expect("it is in flight").clone();
        let (by, at) = (shot.attack.by, shot.attack.at);
        let dropped = !toy.is_up(by);
        let hit = !dropped && shot.roll.total() >= 10;
        let why = if dropped { "dropped first" } else { "" };
        let settled = EventKind::AttackSettled {
            serial,
            hit,
            against: 10,
            why: why.into(),
        };
        outcome.emit(shot.attack.rule, settled);
        if hit {
            // What adds to it never lifts it past the die's most.
            let more = Modifier::new(toy.note(by, "more damage") as i16, "more", "SK-13");
            let roll = Roll::one(6, dice.roll(6), vec![more]);
            let points = roll.total().min(6);
            *lost.entry(at).or_insert(0) += points;
            let (who, by) = (at, Some(by));
            let damaged = EventKind::Damaged {
                who,
                by,
                points,
                roll,
            };
            outcome.emit(shot.attack.rule, damaged);
        }
    }
    for (who, points) in lost {
        if toy.is_up(who) && toy.view.body(who).hp <= points {
            outcome.emit("GR-00", EventKind::Fell { who });
        }
    }
    outcome
}

/// A toy ruleset: notes, and the step that it begins with.
pub const fn toy(id: &'static str, first: fn() -> Box<dyn Step>) -> Ruleset {
    Ruleset {
        id,
        book: "GR",
        defense: "AC",
        sections: fivefoot::content::OwnSections::NONE,
        kinds: &[],
        codex: ("", ""),
        hit_points: |c| {
            c.section::<fivefoot::rulesets::skirmish::content::SkirmishStats>()
                .hp
        },
        thing: |_| vec![],
        install,
        first,
        policy,
        path,
        copy,
        verbs: Vec::new,
        chances: false,
        range,
        chance: |_, _| None,
        profile: |_, _, _| vec![],
        probes: &[],
    }
}

fn install(world: &mut World) {
    for entity in world.resource::<Roster>().who.clone() {
        world.entity_mut(entity).insert(Notes::default());
    }
}

fn copy(from: &World, to: &mut World) {
    copy_component::<Notes>(from, to);
}

fn policy(_: &mut World, _: Id, offers: &Arc<Vec<Offer>>) -> Choice {
    let first = offers.iter().find(|o| o.is_legal()).unwrap_or(&offers[0]);
    first.choice.clone()
}

fn path(_: &mut World, _: &Choice) -> Result<(), fivefoot::battle::Why> {
    unimplemented!("toys lay no paths")
}

fn range(_: &mut World, _: Id) -> Range {
    unimplemented!("toys do not run")
}

/// A field with people on it: name, side, column and row, hit points. Who has
/// no side called `late` is there from the start.
pub fn field(rows: &[&str], people: &[(&str, &str, (i16, i16), i32)]) -> Arc<Level> {
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let entry = |(name, side, (x, y), hp): &(&str, &str, (i16, i16), i32)| {
        let side = side.trim_end_matches(" late");
        format!(
            "(kind: \"goblin\", name: {name:?}, side: {side:?}, at: ({x}, {y}), with: (skirmish: (hp: {hp}))),"
        )
    };
    let is_late = |p: &&(&str, &str, (i16, i16), i32)| p.1.ends_with(" late");
    let there: String = people.iter().filter(|p| !is_late(p)).map(entry).collect();
    let late: String = people.iter().filter(is_late).map(entry).collect();
    let text = format!(
        "(title: \"Field\", map: [{}], sides: [(id: \"party\"), (id: \"goblins\")], combatants: [{there}], reinforcements: [(round: 2, combatants: [{late}])])",
        rows.join(", ")
    );
    match check_file("field.ron", &text) {
        Ok((level, _)) => Arc::new(level),
        Err(problems) => panic!("{}: {text}", problems[0]),
    }
}

/// A battle with scripted dice; every step that runs is audited.
pub fn battle(rules: &'static Ruleset, level: &Arc<Level>, dice: &[(u16, u16)]) -> Battle {
    let dice = DiceBox::scripted(dice.iter().copied());
    Battle::audited(level_setup(level), rules, dice)
}

/// Gives orders, one after the other.
pub fn order(battle: &mut Battle, orders: &[&str]) {
    for order in orders {
        if let Err(e) = battle.order(order) {
            let names = battle.names().clone();
            let offers = battle.offers();
            let offers: Vec<String> = offers.iter().map(|o| o.choice.text(&names)).collect();
            panic!(
                "{order}: {e}; offered: {offers:?}\n{}",
                log(battle).join("\n")
            );
        }
    }
}

/// The log: each line with its rule.
pub fn log(battle: &Battle) -> Vec<String> {
    let events = battle.events().iter();
    let lines =
        events.filter_map(|e| Some(format!("{} {}", e.rule, e.describe(battle.names())?.text)));
    lines.collect()
}

/// What everybody sees of it.
pub fn public(battle: &Battle) -> usize {
    battle
        .events()
        .iter()
        .filter(|e| e.seen == Seen::All)
        .count()
}

/// It came out even: no step waits, no question is open, no die is left.
pub fn assert_idle(battle: &Battle) {
    assert_eq!(battle.fault(), None, "\n{}", log(battle).join("\n"));
    assert!(battle.is_idle(), "\n{}", log(battle).join("\n"));
    assert_eq!(battle.dice().left(), 0, "\n{}", log(battle).join("\n"));
}

/// The log has these lines in this order, among others.
pub fn assert_log(battle: &Battle, wanted: &[&str]) {
    let log = log(battle);
    let mut from = 0;
    for line in wanted {
        let found = log[from..].iter().position(|l| l.contains(line));
        let Some(n) = found else {
            panic!("no line {line:?} after line {from} of\n{}", log.join("\n"));
        };
        from += n + 1;
    }
}

/// No line of the log has this in it.
pub fn assert_never(battle: &Battle, part: &str) {
    let log = log(battle);
    let found = log.iter().find(|l| l.contains(part));
    assert!(found.is_none(), "{part:?} in\n{}", log.join("\n"));
}

pub fn id(battle: &Battle, name: &str) -> Id {
    battle.names().find(name).expect("somebody of that name")
}

/// Who is asked now, by name.
pub fn asked(battle: &Battle) -> Vec<String> {
    let asked = battle.asked().map_or(vec![], |q| q.actors.clone());
    let names = battle.names();
    asked.iter().map(|&id| names.key(id).to_owned()).collect()
}

/// The texts of all legal offers.
pub fn legal(battle: &mut Battle) -> Vec<String> {
    let names = battle.names().clone();
    let offers = battle.offers();
    let legal = offers.iter().filter(|o| o.is_legal());
    legal.map(|o| o.choice.text(&names)).collect()
}
