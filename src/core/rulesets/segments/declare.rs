//! Declarations before initiative (SE-20, SE-21). Each side's declarations are secret.

use super::{Segments, events::SegmentsEvent, query::SegmentsQuery, state::Intent};
use crate::battle::{Action, Choice, Id, Item, ItemPlace, Offer, Rule, Side, StepOutcome, Why};
use crate::content::Weapon;
use crate::rulesets::common::{
    declare::{Declares, undeclared},
    verbs,
};
use crate::rulesets::segments::content::SegmentsWeapon;

verbs! {
    declare "SE-20":
    FIGHT = "attack", "attack";
    MISSILES = "missiles", "missiles";
    GO = "move", "move";
    BRACE = "spear set", "spear set";
    SPELL = "spell", "{spell}";
    AS_ARMED = "the rest", "the rest as they are armed";
}

impl Declares for Segments {
    const PROMPT: &'static str = "Declare an action for each unit";
    const REST: Option<&'static Action> = Some(&AS_ARMED);

    /// Sides without a player declare first.
    fn rule(se: &SegmentsQuery, side: Side) -> Rule {
        match se.view.roster.sides[side.index()].player {
            true => "SE-20",
            false => "SE-21",
        }
    }

    /// A unit that is afraid, still casting or helpless declares nothing.
    fn is_open(se: &SegmentsQuery, who: Id) -> bool {
        let f = se.fighter(who);
        f.intent.is_none() && f.casting.is_none() && !se.is_afraid(who) && !se.view.is_held(who)
    }

    fn offers(se: &SegmentsQuery, who: Id) -> Vec<Offer> {
        let mut out = vec![Offer::legal(Choice::new(&FIGHT, who))];
        let shoots = |item: Item| se.weapon(item).ranged.is_some();
        let none = se.view.nothing_to_shoot(who, "SE-20");
        let legal = none.unless(se.inventory(who).at_hand().any(shoots));
        out.push(Offer::from(Choice::new(&MISSILES, who), legal));
        for &spell in se.view.sheet(who).spells.iter() {
            let legal = se.needs_casting(who, spell);
            out.push(Offer::from(Choice::new(&SPELL, who).spell(spell), legal));
        }
        out.push(Offer::legal(Choice::new(&GO, who)));
        let can_set = |weapon: &Weapon| weapon.section::<SegmentsWeapon>().set;
        let none = Why::new("SE-51", "no spear or polearm held");
        let none = none.lacking(!se.view.has_weapon(who, can_set));
        let legal = none.unless(spear(se, who).is_some());
        out.push(Offer::from(Choice::new(&BRACE, who), legal));
        out
    }

    fn declared(_: &SegmentsQuery, side: Side, choice: &Choice, outcome: &mut StepOutcome) {
        if let (Some(who), Some(intent)) = (choice.who, intent(choice)) {
            seal(who, intent, side, outcome);
        }
    }

    fn left(se: &SegmentsQuery, side: Side, who: Id, outcome: &mut StepOutcome) {
        seal(who, as_armed(se, who), side, outcome);
    }
}

/// What each undeclared unit would declare with `the rest as they are armed`.
pub fn rest(se: &SegmentsQuery, side: Side) -> impl Iterator<Item = (Id, Intent)> {
    let open = undeclared::<Segments>(se, side);
    open.into_iter().map(|id| (id, as_armed(se, id)))
}

fn seal(who: Id, intent: Intent, side: Side, outcome: &mut StepOutcome) {
    let rule = match intent {
        Intent::Set => "SE-51",
        _ => "SE-20",
    };
    outcome.seal(rule, side, SegmentsEvent::Declared { who, intent });
}

/// The intent that a declaration stands for; `None` for other choices.
pub fn intent(choice: &Choice) -> Option<Intent> {
    let verb = choice.verb;
    let plain = [
        (&FIGHT, Intent::Attack),
        (&MISSILES, Intent::Missiles),
        (&GO, Intent::Move),
        (&BRACE, Intent::Set),
    ];
    let found = plain.into_iter().find(|p| p.0 == verb).map(|p| p.1);
    found.or(choice.spell.filter(|_| verb == &SPELL).map(Intent::Cast))
}

/// What a unit declares if its side leaves it without a declaration.
pub fn rest_of(se: &SegmentsQuery, who: Id) -> Option<Choice> {
    let verb = match as_armed(se, who) {
        Intent::Missiles => &MISSILES,
        _ => &FIGHT,
    };
    Some(Choice::new(verb, who))
}

/// Missiles if the unit's held weapon, or else the first on its belt, only shoots and no enemy is
/// adjacent; otherwise a melee attack.
fn as_armed(se: &SegmentsQuery, who: Id) -> Intent {
    let shoots = |item: Item| {
        let weapon = se.weapon(item);
        weapon.ranged.is_some() && weapon.melee.is_none()
    };
    let inventory = se.inventory(who);
    let belt = || inventory.at(ItemPlace::Belt).next();
    match inventory.in_hand().or_else(belt) {
        Some(item) if shoots(item) && !se.is_engaged(who) => Intent::Missiles,
        _ => Intent::Attack,
    }
}

/// The weapon in the unit's hand, if it can be set against a charge (SE-51).
pub fn spear(se: &SegmentsQuery, who: Id) -> Option<Item> {
    let held = se.inventory(who).in_hand();
    held.filter(|&item| se.weapon(item).section::<SegmentsWeapon>().set)
}
