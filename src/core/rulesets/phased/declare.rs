//! Step one of a round: units declare, hidden from the other sides (PH-07); then all declarations
//! become public.

use super::{
    Phased,
    events::PhasedEvent,
    fast,
    movement::{charge_feet, charge_line},
    query::PhasedQuery,
    spells,
    state::{DeclaredPlan, Fighter, Job, Work},
    work,
};
use crate::rulesets::common::{declare::Declares, hiding, verbs};
use crate::rulesets::phased::content::Loading;
use crate::{
    battle::{Action, Choice, Id, Offer, Rule, Side, SpellId, StepOutcome, Why},
    system_step,
};
use bevy_ecs::system::In;

verbs! {
    declare "PH-07":
    NOTHING = "nothing", "nothing";
    PARLEY = "parley", "a parley";
    FLIGHT = "flight", "flight";
    CHARGE = "charge", "a charge at {at} with {with}";
    SPELL = "spell", "the spell {spell}";
    SET = "set", "{with} set against a charge";
    DELAY = "delay", "a delay";
    AFTER = "after", "an attack and a simple act after it";
    BIND = "binding", "the work to bandage {at}";
    LOAD = "loading", "the work to load {with}";
    NO_MORE = "no more", "no more";
}

impl Declares for Phased {
    const PROMPT: &'static str = "Declare special actions";
    const REST: Option<&'static Action> = Some(&NO_MORE);

    fn rule(_: &PhasedQuery, _: Side) -> Rule {
        "PH-07"
    }

    fn is_open(ph: &PhasedQuery, who: Id) -> bool {
        ph.fighter(who).plan.is_none() && ph.can_act(who) && !ph.body(who).flees
    }

    /// PH-07: everything the unit can declare; blocked offers come with the reason.
    fn offers(ph: &PhasedQuery, who: Id) -> Vec<Offer> {
        let mut out = vec![Offer::legal(Choice::new(&NOTHING, who))];
        let plain = |verb, legal| Offer::from(Choice::new(verb, who), legal);
        let delay = Why::new("PH-16", "already declared").when(ph.fighter(who).passed_up.late);
        out.push(plain(&DELAY, delay));
        // A casting unit can declare only to continue or to delay.
        if ph.fighter(who).casting.is_some() {
            return out;
        }
        out.push(plain(&AFTER, Ok(())));
        out.push(plain(&PARLEY, fast::can_parley(ph, who)));
        out.push(plain(&FLIGHT, fast::can_flee(ph, who)));
        charges(ph, who, &mut out);
        spells(ph, who, &mut out);
        sets(ph, who, &mut out);
        works(ph, who, &mut out);
        out
    }

    fn declared(_: &PhasedQuery, side: Side, choice: &Choice, outcome: &mut StepOutcome) {
        let who = choice.actor();
        // A delay can be combined with any other declaration (PH-16).
        match choice.verb == &DELAY {
            true => outcome.seal("PH-16", side, PhasedEvent::MeansDelay { who }),
            false => intend(outcome, side, who, plan(choice)),
        }
    }

    fn left(ph: &PhasedQuery, side: Side, who: Id, outcome: &mut StepOutcome) {
        intend(outcome, side, who, default_plan(ph.fighter(who)));
    }
}

/// Units continue their work or spell unless they declare something else.
fn default_plan(f: &Fighter) -> DeclaredPlan {
    match (f.casting, f.work) {
        (Some(casting), _) => DeclaredPlan::Cast {
            spell: casting.spell.0,
        },
        (None, Some(Work { what, .. })) => DeclaredPlan::Work { what },
        (None, None) => DeclaredPlan::Open,
    }
}

/// Notes a plan that only the unit's own side knows for now.
fn intend(outcome: &mut StepOutcome, side: Side, who: Id, plan: DeclaredPlan) {
    outcome.seal("PH-07", side, PhasedEvent::Intends { who, plan });
}

/// The plan that a declaration stands for.
pub fn plan(choice: &Choice) -> DeclaredPlan {
    let at = || choice.at.expect("a target");
    let with = || choice.with.expect("an item");
    let work = |what| DeclaredPlan::Work { what };
    match choice.verb {
        verb if verb == &PARLEY => DeclaredPlan::Parley,
        verb if verb == &FLIGHT => DeclaredPlan::Flee,
        verb if verb == &CHARGE => {
            let (at, with) = (at(), with());
            DeclaredPlan::Charge { at, with }
        }
        verb if verb == &SPELL => {
            let SpellId(spell) = choice.spell.expect("it names a spell");
            DeclaredPlan::Cast { spell }
        }
        verb if verb == &SET => DeclaredPlan::Set { with: with() },
        verb if verb == &AFTER => DeclaredPlan::After,
        verb if verb == &BIND => work(Job::Bind { at: at() }),
        verb if verb == &LOAD => work(Job::Load { with: with() }),
        _ => DeclaredPlan::Open,
    }
}

fn charges(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    let before = out.len();
    for enemy in ph.enemies_seen(who) {
        let line = charge_line(ph, who, enemy, charge_feet(ph, who));
        for item in ph.strike_items(who) {
            let choice = Choice::new(&CHARGE, who).at(enemy).with(item);
            let legal = line.as_ref().map_err(Why::clone);
            let legal = legal.and_then(|_| ph.readying(who, item).map(|_| ()));
            out.push(Offer::from(choice, legal));
        }
    }
    if out.len() == before {
        let why = Why::new("PH-42", "no enemy can be charged");
        out.push(Offer::not(Choice::new(&CHARGE, who), why));
    }
}

fn spells(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    for &spell in ph.view.sheet(who).spells.iter() {
        if ph.spell_numbers(spell).craft.is_declared() {
            let legal = spells::can_begin(ph, who, spell);
            out.push(Offer::from(Choice::new(&SPELL, who).spell(spell), legal));
        }
    }
}

fn sets(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    for item in ph.strike_items(who) {
        if ph.weapon_stats(item).set {
            let may = Why::new("PH-42", "in melee already").when(ph.in_melee(who));
            let legal = may.and_then(|()| ph.readying(who, item).map(|_| ()));
            out.push(Offer::from(Choice::new(&SET, who).with(item), legal));
        }
    }
}

fn works(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    for ally in work::to_bind(ph, who) {
        out.push(Offer::legal(Choice::new(&BIND, who).at(ally)));
    }
    for &item in &ph.fighter(who).unloaded {
        if ph.weapon_stats(item).loading != Loading::None {
            out.push(Offer::legal(Choice::new(&LOAD, who).with(item)));
        }
    }
}

system_step! {
    /// All units have declared: their declarations become public, and whole-round actions begin.
    pub struct Reveal => reveal
}

fn reveal(In(_): In<Reveal>, ph: PhasedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in ph.view.ids().filter(|&id| ph.is_up(id)) {
        let fighter = ph.fighter(who);
        if fighter.passed_up.late {
            let late = PhasedEvent::DeclaresDelay { who };
            hiding::reveal_unless_hidden::<Phased>(&ph, who, "PH-16", late, &mut outcome);
        }
        if fighter.casting.is_some() {
            spells::continue_cast(&ph, who, &mut outcome);
            continue;
        }
        let plan = match fighter.plan {
            _ if ph.body(who).flees && ph.can_act(who) => DeclaredPlan::Flee,
            Some(plan) => plan,
            None => continue,
        };
        if plan != DeclaredPlan::Open {
            let rule = match plan {
                DeclaredPlan::After => "PH-11",
                DeclaredPlan::Set { .. } => "PH-42",
                _ => "PH-07",
            };
            let declares = PhasedEvent::Declares { who, plan };
            hiding::reveal_unless_hidden::<Phased>(&ph, who, rule, declares, &mut outcome);
        }
        match plan {
            DeclaredPlan::Cast { spell } => spells::begin(&ph, who, SpellId(spell), &mut outcome),
            DeclaredPlan::Work { what } => {
                ph.reveal(who, &mut outcome);
                let known = fighter.work.filter(|work| work.what == what);
                let (job, rounds) = (what, known.map_or(1, |work| work.rounds));
                outcome.emit("PH-14", PhasedEvent::Working { who, job, rounds });
            }
            _ => {}
        }
    }
    outcome
}
