//! Events that only Speed knows.

use super::{
    declared::Declared,
    numbers::{self, SpeedCondition},
    state::{Ailment, Clock, Fighter, Hurt, Wound},
};
use crate::{
    battle::{
        Body, CreatureRef, Cue, Id, Line, LogLevel, Names, Roll, SpellId, State, all_units_mut,
        events, numeral, of_unit, of_unit_mut, pair, signed,
    },
    grid::Cell,
    rulesets::speed::content::{Ability, DamageType, SpeedStats},
    words::count,
};
use bevy_ecs::world::World;
use serde::Serialize;

events! {
    /// An event of the Speed ruleset.
    pub enum SpeedEvent: RulesetEvent |world, names, unknown| {
        /// A unit's base initiative is set (SP-02).
        Ready { who: Id, base: i32 }
            log(Detail "{who} has the base initiative {base}", base = numeral(*base))
            apply { fighter(world, who).base = Some(*base) };

        /// A round begins.
        Refreshed log(silent) apply { refresh(world) };

        /// A unit declares, sealed or openly. A sealed declaration is sent again with `open` set
        /// when it is revealed (SP-05).
        Declared { #[serde(flatten)] declared: Declared, open: bool }
            log(Line::new(
                if *open { LogLevel::Detail } else { LogLevel::Trace },
                declared.log_text(names),
            ))
            apply {
                fighter(world, &declared.choice.actor()).declared = Some(declared.clone());
            };

        /// The unit entered after its count (SP-06).
        Missed { who: Id }
            log(Detail "{who} comes too late for its count")
            apply { fighter(world, who).missed = true };

        Count { count: i32 }
            log(Heading "Count {count}", count = numeral(*count))
            apply { world.resource_mut::<Clock>().count = Some(*count) };

        /// The unit's count has come.
        #[serde(rename = "due")]
        Turn { who: Id }
            log(Detail "{who} is due")
            apply {
                let f = fighter(world, who);
                f.now = f.take_pending();
                f.standard = false;
            };

        TurnEnded { who: Id } log(silent) apply { fighter(world, who).now = None };

        /// The standard action of the turn is spent.
        #[serde(rename = "standard_spent")]
        Standard { who: Id }
            log(Trace "{who} spends its standard action")
            apply { acts(world, who).standard = true };

        #[serde(rename = "free_spent")]
        Free { who: Id }
            log(Trace "{who} spends its free action") apply { acts(world, who).free = true };

        #[serde(rename = "reaction_spent")]
        Reaction { who: Id }
            log(Trace "{who} spends its reaction") apply { acts(world, who).reaction = true };

        /// An action costs a strained unit 1 Wound Point (SP-24, SP-25). This loss is a wound like
        /// any other, without a damage type (SP-23).
        Strained { who: Id }
            log(Fact "{who} strains itself: 1 Wound Point lost")
            cue(Bad, who, "strained")
            apply {
                of_unit_mut::<Body>(world, *who).hp -= 1;
                fighter(world, who).wounds.push(Wound { kind: None, points: 1 });
            };

        /// The unit moved this many feet (SP-08).
        Strode { who: Id, feet: u16 } log(silent) apply { fighter(world, who).feet += feet };

        Crawled { who: Id, #[serde(serialize_with = "pair")] to: Cell }
            log(Fact "{who} crawls") apply { of_unit_mut::<Body>(world, *who).at = *to };

        FullDefense { who: Id }
            log(Detail "{who} has Defense +{n} until the round ends",
                n = numbers::tables().numbers.full_defense)
            cue(Defense, who, "full defense")
            apply { fighter(world, who).full_defense = true };

        /// Damage to Stress (SP-22).
        #[serde(rename = "stress")]
        Stressed {
            who: Id,
            #[serde(skip)] by: Option<Id>,
            points: i32,
            #[serde(skip)] roll: Roll,
        }
            log(Fact "{who} loses {points} Stress{dice}", dice = roll.in_brackets())
            cue(Cue::harm(*who, *by, *points, "Stress"))
            apply { lose_stress(world, who, *points); }
            roll(roll)
            progress(true);

        StressSpent { who: Id, points: i32, on: StressUse }
            log(Fact "{who} spends {points} Stress on {what}", what = match on {
                StressUse::Mana => "mana",
                StressUse::Surge => "a surge",
            })
            apply {
                let f = lose_stress(world, who, *points);
                if *on == StressUse::Surge {
                    (f.surged, f.standard) = (true, false);
                }
            };

        /// The unit regains Stress.
        Eased { who: Id, points: i32 }
            log(Fact "{who} regains {points} Stress")
            apply {
                let f = fighter(world, who);
                f.stress = (f.stress + points).min(f.max_stress);
            };

        #[serde(rename = "wound")]
        Wounded { who: Id, #[serde(flatten)] wound: Wound }
            log(Detail "{who} has a {kind} wound of {points}",
                kind = wound.kind.map_or("plain", |k| k.name()).to_lowercase(),
                points = wound.points)
            apply { fighter(world, who).wounds.push(*wound) }
            progress(true);

        /// This many points of wounds heal, the largest wound first (SP-25).
        #[serde(rename = "wounds_mended")]
        Mended { who: Id, points: i32 }
            log(silent) apply { fighter(world, who).heal(*points) } progress(true);

        /// A wound takes the damage type whose table was chosen (SP-23).
        #[serde(rename = "wound_type")]
        Retyped {
            who: Id,
            #[serde(rename = "wound")] nth: usize,
            #[serde(rename = "type")] kind: DamageType,
        }
            log(Detail "{who} has a {name} wound of it", name = kind.name().to_lowercase())
            apply { fighter(world, who).wounds[*nth].kind = Some(*kind) };

        /// The unit is prone only because it became incapacitated (SP-24).
        Sank { who: Id } log(silent) apply { fighter(world, who).sank = true } progress(true);

        HitHard { who: Id }
            log(Detail "{who} has lost more than half to one hit")
            apply { fighter(world, who).hit_hard = true };

        HurtAFoe { who: Id } log(silent) apply { fighter(world, who).hurt_a_foe = true };

        Afflicted { who: Id, #[serde(flatten)] ailment: Ailment }
            log(Fact "{who} is {name}{long}",
                name = ailment.condition.name(),
                long = match ailment.rounds {
                    Some(1) => String::from(" for a round"),
                    Some(n) => format!(" for {n} rounds"),
                    None => String::new(),
                })
            cue(Bad, who, ailment.condition.name())
            apply { fighter(world, who).afflict(*ailment) }
            progress(true);

        Recovered { who: Id, condition: SpeedCondition }
            log(Fact "{who} is {name} no more", name = condition.name())
            cue(Good, who, format!("{} no more", condition.name()))
            apply { fighter(world, who).ailments.retain(|a| a.condition != *condition) };

        /// The unit's timed conditions count down by one round.
        Waned { who: Id }
            log(silent)
            apply {
                let f = fighter(world, who);
                for ailment in &mut f.ailments {
                    ailment.rounds = ailment.rounds.map(|n| n.saturating_sub(1));
                }
                f.ailments.retain(|a| a.rounds != Some(0));
            };

        #[serde(rename = "injury")]
        Hurt { who: Id, hurt: Hurt, row: &'static str }
            log(Fact "{who} {suffers} ({row})", suffers = hurt.log_text())
            cue(Bad, who, *row)
            apply { fighter(world, who).hurts.push(*hurt) }
            progress(true);

        #[serde(rename = "mended")]
        Healed { who: Id, hurt: Hurt }
            log(Fact "{who} {recovers}", recovers = hurt.healed_text())
            cue(Good, who, "mended")
            apply {
                let f = fighter(world, who);
                f.hurts.retain(|h| h != hurt);
                if *hurt == Hurt::Suffocating {
                    f.breathless = 0;
                }
            };

        Weakened { who: Id, abilities: Vec<Ability>, points: i32, #[serde(skip)] roll: Roll }
            log(Fact "{who} loses {points} {of} ({roll})", of = {
                let of: Vec<_> = abilities.iter().map(|a| a.name()).collect();
                of.join(" and ")
            })
            cue(Bad, who, "weakened")
            apply { weaken(world, who, abilities, *points) }
            roll(roll)
            progress(true);

        /// A fallen unit rejoins the fight, in its cell or the nearest free one.
        Rallied { who: Id, #[serde(serialize_with = "pair")] at: Cell }
            log(Fact "{who} is back in the fight")
            cue(Good, who, "up again")
            apply {
                let body = of_unit_mut::<Body>(world, *who);
                (body.state, body.at) = (State::Up, *at);
                fighter(world, who).sank = false;
            }
            progress(true);

        Breathless { who: Id, rounds: u8 }
            log(Detail "{who} has had no breath for {time}",
                time = count((*rounds).into(), "round"))
            apply { fighter(world, who).breathless = *rounds };

        #[serde(rename = "mana")]
        ManaSpent { who: Id, points: i32 }
            log(Detail "{who} spends {points} mana") apply { fighter(world, who).mana -= points };

        Cast { who: Id, spell: SpellId }
            log(silent) apply { fighter(world, who).castings.add(*spell) };

        Drunk { who: Id, spell: SpellId }
            log(Detail "{who} empties {spell}")
            apply {
                let f = fighter(world, who);
                let at = f.potions.iter().position(|s| s == spell);
                f.potions.remove(at.expect("it has the potion"));
            };

        Intimidated { who: Id, result: i32 }
            log(Fact "{who} is intimidated: {result}")
            cue(Fail, who, "intimidated")
            apply {
                let f = fighter(world, who);
                f.intimidated = f.intimidated.max(Some(*result));
            }
            progress(true);

        Surrendered { who: Id }
            log(Fact "{who} surrenders")
            cue(Bad, who, "surrenders")
            apply {
                fighter(world, who).surrendered = true;
                of_unit_mut::<Body>(world, *who).state = State::Down;
            }
            progress(true);

        /// The battle is over: initiative is cleared (SP-31).
        #[serde(rename = "initiative_wiped")]
        Wiped
            log(Detail "Initiative is forgotten")
            apply {
                for f in all_units_mut::<Fighter>(world) {
                    (f.base, f.declared, f.late, f.now) = (None, None, None, None);
                }
            };
    }
}

/// What a unit spends Stress on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum StressUse {
    #[serde(rename = "mana")]
    Mana,
    /// Another standard action.
    #[serde(rename = "a surge")]
    Surge,
}

fn fighter<'w>(world: &'w mut World, who: &Id) -> &'w mut Fighter {
    of_unit_mut::<Fighter>(world, *who)
}

/// Counts an action of the round.
fn acts<'w>(world: &'w mut World, who: &Id) -> &'w mut Fighter {
    let f = fighter(world, who);
    f.acts += 1;
    f
}

/// # Panics
/// If the unit has less Stress than it loses.
fn lose_stress<'w>(world: &'w mut World, who: &Id, points: i32) -> &'w mut Fighter {
    let f = fighter(world, who);
    f.stress -= points;
    assert!(f.stress >= 0, "{who:?} has less Stress than it loses");
    f
}

fn refresh(world: &mut World) {
    let late = numbers::tables().initiative.missed;
    for f in all_units_mut::<Fighter>(world) {
        let missed = f.declared.take().filter(|_| f.missed);
        let late = missed.map(|d| Declared {
            count: d.count + late,
            ..d
        });
        (f.acted_before, f.moved_before) = (f.acts > 0, f.feet > 0);
        f.late = late;
        (f.declared, f.now) = (None, None);
        (f.acted, f.missed, f.standard) = (false, false, false);
        (f.free, f.reaction, f.full_defense) = (false, false, false);
        (f.acts, f.feet, f.intimidated) = (0, 0, None);
        (f.hit_hard, f.hurt_a_foe) = (false, false);
    }
    let mut clock = world.resource_mut::<Clock>();
    clock.round += 1;
    clock.count = None;
}

fn weaken(world: &mut World, who: &Id, abilities: &[Ability], points: i32) {
    let sheet = of_unit::<CreatureRef>(world, *who);
    let stats = sheet.creature.section::<SpeedStats>().clone();
    let f = fighter(world, who);
    for &ability in abilities {
        let most = stats.scores[ability as usize];
        let lost = &mut f.lost[ability as usize];
        *lost = (*lost + points).min(most);
    }
    let most = f.most_wounds(&stats);
    let body = of_unit_mut::<Body>(world, *who);
    body.max_hp = most;
    body.hp = body.hp.min(most);
}

impl Declared {
    /// "Goblin declares an attack with short sword, at 12 (+2)".
    fn log_text(&self, names: &Names) -> String {
        let adds = match self.adds {
            0 => String::new(),
            n => format!(" ({})", signed(n)),
        };
        let said = self.choice.log_text(names);
        format!("{said}, at {}{adds}", numeral(self.count))
    }
}
