//! Reactions: attacks on fleeing units (SE-52), and set spears against a charge (SE-51).

use super::{
    Segments, acts, attacks::AttackBatch, declare::spear, events::SegmentsEvent,
    query::SegmentsQuery, state::AttackSpec,
};
use crate::rulesets::common::verbs;
use crate::rulesets::segments::numbers;
use crate::{
    battle::{
        Answer, Choice, Decision, DiceBox, EventKind, Id, Item, Offer, StepOutcome, Window,
        WindowState,
    },
    rulesets::common::reactions::{self, Reacts},
    system_step,
};
use bevy_ecs::system::In;

verbs! {
    AT_BACK = "strike at the back", "strike at the back of {at} with {with}",
        "strikes at the back of {at} with {with}", "SE-52";
    MEET = "meet the charge", "meet the charge of {at} with {with}",
        "meets the charge of {at} with {with}", "SE-51";
}

/// What allows a reaction under Segments.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// Units leave enemies that were adjacent: pairs of an enemy and the unit that leaves it.
    Flees(Vec<(Id, Id)>),
    /// `by` has reached the end of its charge at `at`.
    Charges { by: Id, at: Id },
}

/// A reaction window for one [`Trigger`].
pub type Reactions = reactions::Reactions<Segments>;

/// Opens a window in which each listed unit's enemies, given as a bit set, may attack it from
/// behind. All attacks are simultaneous.
pub fn window_against_fleeing(se: &SegmentsQuery, left: &[(Id, u64)]) -> Reactions {
    let from = |&(by, enemies): &(Id, u64)| se.view.of_bits(enemies).map(move |enemy| (enemy, by));
    let mut pairs: Vec<(Id, Id)> = left.iter().flat_map(from).collect();
    pairs.sort_unstable();
    Reactions::open(Trigger::Flees(pairs))
}

system_step! {
    /// The end of a charge's movement: the target may use a set spear, if the charger got in reach.
    pub struct Arrival { pub by: Id, pub at: Id, pub with: Item } => arrive
}

fn arrive(In(Arrival { by, at, with }): In<Arrival>, se: SegmentsQuery) -> StepOutcome {
    if acts::can_strike(&se, by, at, with).is_err() {
        return StepOutcome::default();
    }
    StepOutcome::default().then(Reactions::open(Trigger::Charges { by, at }))
}

impl Reacts for Segments {
    type Moment = Trigger;

    fn asks(
        se: &SegmentsQuery,
        window: Window<Trigger>,
        answer: &mut Answer,
    ) -> WindowState<Trigger> {
        let who = |m: &Trigger| match m {
            Trigger::Flees(pairs) => pairs.iter().map(|pair| pair.0).collect(),
            Trigger::Charges { at, .. } => vec![*at],
        };
        window.run_numbered(answer, who, |m, n, id| question(se, m, n, id))
    }

    fn reacts(
        se: &SegmentsQuery,
        _: Trigger,
        choices: Vec<Choice>,
        _: &mut DiceBox,
    ) -> StepOutcome {
        let mut outcome = StepOutcome::default();
        let mut specs = vec![];
        for choice in choices {
            let rule = choice.verb.rule;
            specs.extend(reaction_attacks(se, &choice));
            if choice.verb == &MEET {
                let who = choice.actor();
                // A set spear's attack is the unit's action of this round.
                outcome.emit(rule, EventKind::Acted { choice });
                outcome.emit(rule, SegmentsEvent::Spent { who, next: None });
            } else {
                outcome.emit(rule, EventKind::Acted { choice });
            }
        }
        outcome.then(AttackBatch::of(specs))
    }
}

/// The prompt for a unit's reaction to a trigger, the `n`th to this trigger; `None` if it cannot
/// react.
fn question(se: &SegmentsQuery, moment: &Trigger, n: usize, id: Id) -> Option<Decision> {
    if !se.can_react(id) {
        return None;
    }
    let names = se.view.names();
    let (by, rule, prompt, choices) = match moment {
        Trigger::Flees(pairs) => {
            let (_, by) = *pairs.get(n)?;
            let prompt = format!("{} turns its back on {}", names.title(by), names.name(id));
            let opens = |item: &Item| se.openers(id).contains(item);
            let weapons = se.view.ready_weapons(id).filter(opens);
            let choice = |item| Choice::new(&AT_BACK, id).at(by).with(item);
            (by, "SE-52", prompt, weapons.map(choice).collect::<Vec<_>>())
        }
        &Trigger::Charges { by, .. } => {
            let prompt = format!("{} charges {}", names.title(by), names.name(id));
            let set = spear(se, id).filter(|_| se.fighter(id).is_set());
            let choice = |item| Choice::new(&MEET, id).at(by).with(item);
            (by, "SE-51", prompt, set.into_iter().map(choice).collect())
        }
    };
    if !se.is_up(by) {
        return None;
    }
    let offer = |choice: Choice| {
        let first = reaction_attacks(se, &choice).into_iter().next()?;
        Some(Offer::from(choice, se.can_attack(&first.attack)))
    };
    let offers: Vec<Offer> = choices.into_iter().filter_map(offer).collect();
    reactions::question(&se.view, id, rule, prompt, offers)
}

/// The attacks of a reaction: the full routine at +4 on a fleeing unit (SE-52), one attack for
/// double damage on a charger (SE-51).
pub fn reaction_attacks(se: &SegmentsQuery, choice: &Choice) -> Vec<AttackSpec> {
    let (Some(by), Some(at), Some(with)) = (choice.who, choice.at, choice.with) else {
        return vec![];
    };
    if choice.verb == &MEET {
        return vec![AttackSpec::of_set_spear(by, at, with)];
    }
    if choice.verb != &AT_BACK {
        return vec![];
    }
    let specs = acts::routine(se, choice, se.body(by).at);
    let rear = |spec: AttackSpec| spec.plus(numbers::REAR, "from behind", "SE-52");
    specs.into_iter().map(rear).collect()
}
