//! What the window reads of a Speed battle.

mod faces;

use super::{
    ActionPip, BASIC, Bar, Blow, Condition, Cost, Odds, Reach, Reader, Shot, Spread, Status, Way,
    lasting, run,
    spread::dice_and,
    walk::{Route, ends, one_move, strikes},
    words::{held, spell_lines, weapon_words},
};
use crate::rulesets::common::attacks::ToHit;
use crate::{
    battle::{Attack, Choice, Id, SpellId, State, Why, capitalised, numeral, signed},
    content::{Skill, Spell},
    control::orders::standing_at,
    grid::Cell,
    rulesets::speed::{
        RIPOSTE, Speed,
        acts::{self, INTIMIDATE, MOVE, SHOOT, STRIKE, TEND, THROW, USE, blow as strikes, declare},
        clock,
        content::{Ability, SpeedSpell, SpeedWeapon},
        count_of, declared,
        numbers::Condition as Ill,
        odds::Forecast,
        reactions,
        sp::{Sp, numbers},
        state::Wound,
        wounds::{heal_target, is_fatal},
    },
    ui::art::{hud::Pip, icons::Icon},
};
use bevy::ecs::{system::In, world::World};

pub(super) static READER: Reader = Reader {
    rules: "Speed",
    about: "Everyone declares. Fast actions happen first. Damage hits Stress before Wound Points.",
    acts: faces::FACES,
    planning: &crate::rulesets::speed::planning::PLANNING,
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    reach: |world, who| run(world, reach, who),
    way,
    settled: &[&crate::rulesets::speed::RIPOSTE],
    slips: |world, choice| run(world, slips, choice.clone()),
    blow,
    spread: |world, choice| run(world, spread, choice.clone()),
    odds: |world, choice| run(world, odds, choice.clone()),
    area: |world, choice| run(world, area, choice.clone()),
    threat: |world, who| run(world, threat, who),
    reaction: |world, choice| run(world, reaction, choice.clone()),
    spell,
    ..BASIC
};

fn status(In(who): In<Id>, sp: Sp) -> Status {
    let (body, fighter) = (sp.body(who), sp.fighter(who));
    let standard = fighter.acted && fighter.now.is_none() || fighter.standard;
    let pips = vec![
        ActionPip::new(Pip::Diamond, "Standard action", standard),
        ActionPip::new(Pip::Disc, "Move", sp.feet_left(who).is_err()),
        ActionPip::new(Pip::Square, "Free action", fighter.free),
        ActionPip::new(Pip::Triangle, "Reaction", fighter.reaction),
    ];
    let mut conditions: Vec<Condition> = sp.conditions(who).into_iter().map(condition_of).collect();
    if fighter.full_defense {
        conditions.push(Condition::good(
            Icon::TotalDefense,
            "Full defense: Defense +4",
        ));
    }
    conditions.extend(lasting::<Speed>(&sp, who));
    if body.flees {
        conditions.push(Condition::bad(Icon::Fleeing, "Fleeing"));
    }
    if fighter.surrendered {
        conditions.push(Condition::bad(Icon::Flag, "Surrendered"));
    }
    for hurt in &fighter.hurts {
        conditions.push(Condition::bad(Icon::Skull, capitalised(hurt.log_text())));
    }
    Status {
        pips,
        plan: clock::plan(&sp, who).into(),
        done: clock::is_done(&sp, who),
        conditions,
        bars: vec![
            // Both keep it on its feet, one after the other (SP-22).
            Bar::new(
                "Stress and Wound Points",
                body.hp + fighter.stress,
                body.max_hp + fighter.max_stress,
            ),
            Bar::new("Stress Points", fighter.stress, fighter.max_stress),
            Bar::new("Wound Points", body.hp, body.max_hp),
        ],
        ..Status::default()
    }
}

fn condition_of(ill: Ill) -> Condition {
    let (icon, words) = match ill {
        Ill::Surprised => (Icon::Surprised, "Surprised: no actions"),
        Ill::Prone => (Icon::Prone, "Prone"),
        Ill::Stunned => (Icon::Stunned, "Stunned: no actions"),
        Ill::Blinded => (Icon::Unseen, "Blinded"),
        Ill::Grappled => (Icon::Grapple, "Grappled: no moves"),
        Ill::Slowed => (Icon::Held, "Slowed: half speed"),
        Ill::Bleeding => (Icon::Bleeding, "Bleeding: 1 Wound Point a round"),
        Ill::Burning => (Icon::Bleeding, "Burning: 1d6 a round"),
        Ill::Frightened => (Icon::Intimidate, "Frightened: can't come closer"),
        Ill::Incapacitated => (Icon::Heart, "Incapacitated"),
        Ill::Dying => (Icon::Skull, "Dying: 1 Wound Point a round"),
        Ill::Stabilised => return Condition::mixed(Icon::Aid, "Stabilised: half speed"),
        Ill::Dead => (Icon::Skull, "Dead"),
    };
    Condition::bad(icon, words)
}

fn figures(In(who): In<Id>, sp: Sp) -> Vec<String> {
    let (body, fighter, stats) = (sp.body(who), sp.fighter(who), sp.stats(who));
    let mut lines = vec![
        format!(
            "Stress Points {} of {}   Wound Points {} of {}",
            fighter.stress,
            fighter.max_stress,
            numeral(body.hp),
            body.max_hp
        ),
        format!("Defense {}   Armour {}", sp.defense(who).0, stats.armour),
    ];
    if let Some(base) = fighter.base {
        lines.push(format!("Base initiative {}", numeral(base)));
    }
    for item in sp.gear(who).at_hand().take(3) {
        let weapon = sp.weapon(item);
        let speed = weapon.section::<SpeedWeapon>();
        let critical = match speed.critical {
            20 => String::from("20"),
            least => format!("{least}+"),
        };
        lines.push(format!(
            "{}, speed {}, critical on {} (×{}){}",
            weapon_words(weapon),
            speed.speed,
            critical,
            speed.times,
            held(sp.gear(who), item)
        ));
    }
    if !fighter.wounds.is_empty() {
        let kind = |w: &Wound| w.kind.map_or("other", |k| k.name()).to_lowercase();
        let wounds = fighter.wounds.iter();
        let all: Vec<String> = wounds
            .map(|w| format!("{} {}", kind(w), w.points))
            .collect();
        lines.push(format!("Wounds from: {}", all.join(", ")));
    }
    let lost: Vec<String> = Ability::ALL
        .iter()
        .filter(|&&a| fighter.lost[a as usize] > 0)
        .map(|&a| {
            let left = fighter.score(stats, a);
            format!("{} {left} (−{})", a.name(), fighter.lost[a as usize])
        })
        .collect();
    if !lost.is_empty() {
        lines.push(format!("Lost: {}", lost.join(", ")));
    }
    if stats.mana > 0 {
        lines.push(format!("Mana {} of {}", fighter.mana, stats.mana));
    }
    if body.state == State::Down && !fighter.surrendered {
        lines.push(format!(
            "A heal check of {} stabilises",
            heal_target(&sp, who)
        ));
    }
    lines
}

/// Mana, casting, time; what it does; how far it reaches.
fn spell(spell: &Spell) -> Vec<String> {
    let of = spell.section::<SpeedSpell>();
    let cost = format!(
        "{} mana, casting target {}, initiative +{}",
        of.mana, of.target, of.speed
    );
    let mut lines = vec![cost];
    lines.extend(spell_lines(spell, "Defense"));
    lines
}

fn reach(In(who): In<Id>, sp: Sp) -> Vec<Reach> {
    if sp.fighter(who).now.is_none() || !sp.is_up(who) || sp.feet_left(who).is_err() {
        return vec![];
    }
    ends(&sp.range(who), Cost::Plain).collect()
}

fn way(world: &mut World, who: Id, by: &[Cell], to: Cell) -> Option<Way> {
    let route = run(world, route, (who, by.to_vec(), to))?;
    let mut way = route.priced(world, who, |world, by| run(world, chance, (by, who)));
    way.shots = standing_at(world, who, to, |world| run(world, shots, who));
    Some(way)
}

fn route(In((who, by, to)): In<(Id, Vec<Cell>, Cell)>, sp: Sp) -> Option<Route> {
    let left = sp.feet_left(who).ok()?;
    let here = sp.body(who).at;
    if !sp.is_up(who) || to == here || sp.fighter(who).now.is_none() {
        return None;
    }
    let ways = sp.ways(who);
    let (path, price) = sp.walk(who, &ways, |walk| one_move(walk, here, &by, to, left))?;
    let mut order = Choice::new(&MOVE, who).to(to);
    if !by.is_empty() || sp.range(who).get(to).is_none() {
        order.along = Some(path[1..].into());
    }
    // A riposte comes when its reach has been entered.
    let entered = strikes(&sp.view, &path, |from, to| ways.left(to, from));
    let strikes = entered.into_iter().map(|(foe, n)| (foe, n + 1)).collect();
    let words = format!("{} of {left} ft", price.feet);
    let way = Way::of(order, path, &price, (Cost::Plain, words));
    Some(Route { way, strikes })
}

/// The chance of the best riposte of one against another, in percent.
fn chance(In((by, at)): In<(Id, Id)>, sp: Sp) -> u32 {
    best_riposte(&sp, by, at).unwrap_or(0)
}

/// The same; none where it cannot get at the other.
fn best_riposte(sp: &Sp, by: Id, at: Id) -> Option<u32> {
    let arms = sp.ready_arms(by).filter_map(|item| {
        let choice = Choice::new(&RIPOSTE, by).at(at).with(item);
        let attack = reactions::riposte(&choice, "SP-12")?;
        sp.forecast(&attack).ok()
    });
    arms.map(|f| f.faces() as u32 * 5).max()
}

/// The targets of the declared attack from where it stands, best first.
fn shots(In(who): In<Id>, sp: Sp) -> Vec<Shot> {
    let fighter = sp.fighter(who);
    let Some(now) = fighter.now.as_ref().filter(|_| !fighter.standard) else {
        return vec![];
    };
    let Some(with) = now.choice.with else {
        return vec![];
    };
    let verb = strikes::verb_of(&sp, &now.choice);
    let foes = sp.targets(who).into_iter().filter(|&id| sp.is_up(id));
    let shot = |at: Id| {
        let forecast = sp
            .forecast(&strikes::attack(&Choice::new(verb, who).at(at).with(with)))
            .ok()?;
        Some(Shot {
            at,
            with,
            percent: forecast.faces() as u32 * 5,
            cover: forecast.cover,
        })
    };
    let mut all: Vec<Shot> = foes.filter_map(shot).collect();
    all.sort_by_key(|s| std::cmp::Reverse(s.percent));
    all
}

fn attack_of(choice: &Choice) -> Option<Attack> {
    let verb = choice.verb;
    if verb == &RIPOSTE {
        return reactions::riposte(choice, "SP-12");
    }
    let is_blow = verb == &STRIKE || verb == &SHOOT || verb == &THROW;
    let whole = choice.at.is_some() && choice.with.is_some();
    (is_blow && whole).then(|| strikes::attack(choice))
}

fn blow(world: &mut World, choice: &Choice) -> Option<Result<Blow, Why>> {
    let attack = attack_of(choice)?;
    Some(run(world, forecast, (choice.clone(), attack)))
}

fn forecast(In((choice, attack)): In<(Choice, Attack)>, sp: Sp) -> Result<Blow, Why> {
    let f = sp.forecast(&attack)?;
    let (least, most) = f.span(false);
    let times = f.times;
    let critical = f.span(true);
    let mut notes = vec![Odds::chance(
        format!(
            "critical hit (×{times}, {} to {}, all to Wound Points)",
            critical.0, critical.1
        ),
        f.critical_faces() as u32 * 5,
        "SP-26",
    )];
    let guards = sp.fighter(attack.at).full_defense && sp.answers(attack.at).is_some();
    let back = guards.then(|| best_riposte(&sp, attack.at, attack.by));
    notes.extend(back.flatten().map(|percent| {
        let text = format!("Full Defense ripostes even if missed: {percent}%");
        Odds::note(text, "SP-10")
    }));
    let dice = dice_and(f.damage.dice, f.damage.bonus());
    Ok(Blow {
        by: attack.by,
        at: attack.at,
        weapon: sp.weapon(attack.with).name.clone(),
        against: format!("Defense {}", f.defense),
        needs: needs(&f),
        percent: f.faces() as u32 * 5,
        damage: format!(
            "{dice} − {} armour: {least} to {most} damage",
            f.damage.armour
        ),
        drop_percent: f.drop_percent(),
        answered: answered(&sp, &attack, &f),
        mean: None,
        notes,
        cover: f.cover,
        worth: f.expected_by_200(),
        modifiers: f.modifiers,
        against_modifiers: f.defense_modifiers,
        choice,
    })
}

/// SP-10: what full defense would leave of the chance, as long as nobody can know
/// whether the target has declared it.
fn answered(sp: &Sp, attack: &Attack, f: &Forecast) -> Option<Odds> {
    let target = sp.fighter(attack.at);
    if target.full_defense || target.acted || target.now.is_some() || target.declared.is_some() {
        return None;
    }
    let mut harder = f.clone();
    harder.defense += i32::from(numbers().full_defense);
    let percent = harder.faces() as u32 * 5;
    let text = format!(
        "if the target uses Full Defense, {}% to drop",
        harder.drop_percent()
    );
    Some(Odds::chance(text, percent, "SP-10"))
}

/// Points past the armour; a critical hit goes past the Stress.
fn spread(In(choice): In<Choice>, sp: Sp) -> Spread {
    let forecast = attack_of(&choice).map(|attack| sp.forecast(&attack));
    let Some(Ok(f)) = forecast else {
        return Spread::default();
    };
    let mut spread = Spread::default();
    let (hits, crits) = (f.faces() as f32 / 20.0, f.critical_faces() as f32 / 20.0);
    spread.add(0, 1.0 - hits, 0.0);
    let mut sums = vec![];
    let all = f.sums(|sum, ways| sums.push((sum, ways))).max(1) as f32;
    for (sum, ways) in sums {
        for (share, critical) in [(hits - crits, false), (crits, true)] {
            let points = f.damage(sum, critical);
            let loss = f.loss(points, critical);
            let chance = share * ways as f32 / all;
            let drops = loss.wounds > 0 && loss.wounds >= f.wounds;
            let taken = loss.stress + loss.wounds;
            spread.add(taken, chance, if drops { chance } else { 0.0 });
        }
    }
    spread
}

fn needs(f: &Forecast) -> String {
    match f.needs() {
        n if n < 2 => "hits on any roll".into(),
        n if n > 20 => "cannot hit".into(),
        n => format!("needs {n}+ on d20"),
    }
}

/// Declarations with their counts; checks and spells with their chances.
fn odds(In(choice): In<Choice>, sp: Sp) -> Vec<Odds> {
    let Some(who) = choice.who else {
        return vec![];
    };
    let verb = choice.verb;
    let check = |what, skill, ability| sp.check(who, what, Some(skill), ability, "SP-25");
    if declared::VERBS.contains(&verb) {
        let count = count_of(&sp, &choice);
        let more = declare::modifier(&sp, &choice);
        let when = format!("at count {} ({})", numeral(count), signed(more));
        let mut all = vec![Odds::note(when, "SP-04")];
        let cast = choice.spell.filter(|_| verb == &declared::CASTING);
        all.extend(cast.map(|spell| casting(&sp, who, spell)));
        return all;
    }
    match (choice.at, choice.spell) {
        (Some(at), None) if verb == &TEND => {
            let check = check("heal", Skill::Heal, Ability::Insight);
            let target = heal_target(&sp, at);
            let text = format!("heal {} against {target}", signed(check.bonus()));
            let percent = check.faces(target) as u32 * 5;
            vec![Odds::chance(text, percent, "SP-25").of(at)]
        }
        (Some(at), None) if verb == &INTIMIDATE => {
            let check = check("intimidate", Skill::Talk, Ability::Strength);
            let text = format!("morale must reach 1d20 {}", signed(check.bonus()));
            vec![Odds::note(text, "SP-30").of(at)]
        }
        (_, Some(spell)) => {
            let kind = sp.view.spell(spell);
            let what = kind.effect.does("Defense");
            let touched = |id: Id| {
                let text = format!("{}: {what}", sp.view.names().title(id));
                Odds::note(text, "SP-32").of(id)
            };
            let caught = sp.caught(&choice).into_iter();
            let mut all: Vec<Odds> = caught.map(touched).collect();
            if verb != &USE {
                all.insert(0, casting(&sp, who, spell));
            }
            all
        }
        _ => vec![],
    }
}

/// The chance that a casting comes off (SP-32).
fn casting(sp: &Sp, who: Id, spell: SpellId) -> Odds {
    let check = sp.check(who, "casting", Some(Skill::Cast), Ability::Memory, "SP-25");
    let target = sp.view.spell(spell).section::<SpeedSpell>().target;
    let text = format!("casting {} against {target}", signed(check.bonus()));
    Odds::chance(text, check.faces(target) as u32 * 5, "SP-32")
}

fn area(In(choice): In<Choice>, sp: Sp) -> Vec<Cell> {
    sp.area(&choice)
}

/// SP-24, SP-25: who can hardly act pays for each act with a Wound Point, and may die
/// of it.
fn slips(In(choice): In<Choice>, sp: Sp) -> Vec<String> {
    let is_act = acts::is_act(choice.verb);
    let Some(who) = choice.who.filter(|&who| is_act && sp.is_strained(who, 0)) else {
        return vec![];
    };
    let name = sp.view.names().title(who);
    let strength = sp.fighter(who).score(sp.stats(who), Ability::Strength);
    let dies = match is_fatal(sp.body(who).hp - 1, strength) {
        true => " and dies",
        false => "",
    };
    vec![format!("Straining costs {name} 1 Wound Point{dies}.")]
}

fn threat(In(who): In<Id>, sp: Sp) -> Option<u16> {
    sp.threat_reach(who)
}

fn reaction(In(choice): In<Choice>, sp: Sp) -> Vec<String> {
    let riposte = choice.verb == &RIPOSTE;
    let strains = choice.who.is_some_and(|who| sp.is_strained(who, 0));
    let mut lines = vec![];
    if riposte {
        lines.push("Uses this round's reaction.".to_owned());
    }
    if riposte && strains {
        lines.push("Costs 1 Wound Point.".to_owned());
    }
    lines
}
