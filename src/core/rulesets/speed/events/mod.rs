//! Events that only Speed knows.

mod describe;

use super::{
    declared::Declared,
    numbers::Condition,
    state::{Ailment, Clock, Fighter, Hurt, Wound},
};
use crate::rulesets::speed::content::{Ability, DamageType, SpeedStats};
use crate::{
    battle::{
        Body, CreatureRef, Cue, CueKind, Id, Line, Names, Roll, RulesetEvent, SpellId, State,
        all_units_mut, of_unit, of_unit_mut,
    },
    grid::Cell,
};
use bevy_ecs::world::World;
use serde::{Serialize, Serializer};

/// An event of the Speed ruleset.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum SpeedEvent {
    /// A unit's base initiative is set (SP-02).
    Ready {
        who: Id,
        base: i32,
    },
    /// A round begins.
    Refreshed,
    /// A unit declares, sealed or openly. A sealed declaration is sent again with `open` set
    /// when it is revealed (SP-05).
    Declared {
        #[serde(flatten)]
        declared: Declared,
        open: bool,
    },
    /// The unit entered after its count (SP-06).
    Missed {
        who: Id,
    },
    Count {
        count: i32,
    },
    /// The unit's count has come.
    #[serde(rename = "due")]
    Turn {
        who: Id,
    },
    TurnEnded {
        who: Id,
    },
    /// The standard action of the turn is spent.
    #[serde(rename = "standard_spent")]
    Standard {
        who: Id,
    },
    #[serde(rename = "free_spent")]
    Free {
        who: Id,
    },
    #[serde(rename = "reaction_spent")]
    Reaction {
        who: Id,
    },
    /// An action costs a strained unit 1 Wound Point (SP-24, SP-25).
    Strained {
        who: Id,
    },
    /// The unit moved this many feet (SP-08).
    Strode {
        who: Id,
        feet: u16,
    },
    Crawled {
        who: Id,
        #[serde(serialize_with = "pair")]
        to: Cell,
    },
    FullDefense {
        who: Id,
    },
    /// Damage to Stress (SP-22).
    #[serde(rename = "stress")]
    Stressed {
        who: Id,
        #[serde(skip)]
        by: Option<Id>,
        points: i32,
        #[serde(skip)]
        roll: Roll,
    },
    StressSpent {
        who: Id,
        points: i32,
        on: &'static str,
    },
    /// The unit regains Stress.
    Eased {
        who: Id,
        points: i32,
    },
    #[serde(rename = "wound")]
    Wounded {
        who: Id,
        #[serde(flatten)]
        wound: Wound,
    },
    /// This many points of wounds heal, the largest wound first (SP-25).
    #[serde(rename = "wounds_mended")]
    Mended {
        who: Id,
        points: i32,
    },
    /// A wound takes the damage type whose table was chosen (SP-23).
    #[serde(rename = "wound_type")]
    Retyped {
        who: Id,
        #[serde(rename = "wound")]
        nth: usize,
        #[serde(rename = "type")]
        kind: DamageType,
    },
    /// The unit is prone only because it became incapacitated (SP-24).
    Sank {
        who: Id,
    },
    HitHard {
        who: Id,
    },
    HurtAFoe {
        who: Id,
    },
    Afflicted {
        who: Id,
        #[serde(flatten)]
        ailment: Ailment,
    },
    Recovered {
        who: Id,
        condition: Condition,
    },
    /// The unit's timed conditions count down by one round.
    Waned {
        who: Id,
    },
    #[serde(rename = "injury")]
    Hurt {
        who: Id,
        hurt: Hurt,
        row: &'static str,
    },
    #[serde(rename = "mended")]
    Healed {
        who: Id,
        hurt: Hurt,
    },
    Weakened {
        who: Id,
        abilities: Vec<Ability>,
        points: i32,
        #[serde(skip)]
        roll: Roll,
    },
    /// A fallen unit rejoins the fight, in its cell or the nearest free one.
    Rallied {
        who: Id,
        #[serde(serialize_with = "pair")]
        at: Cell,
    },
    Breathless {
        who: Id,
        rounds: u8,
    },
    #[serde(rename = "mana")]
    ManaSpent {
        who: Id,
        points: i32,
    },
    Cast {
        who: Id,
        spell: SpellId,
    },
    Drunk {
        who: Id,
        spell: SpellId,
    },
    Intimidated {
        who: Id,
        result: i32,
    },
    Surrendered {
        who: Id,
    },
    /// The battle is over: initiative is cleared (SP-31).
    #[serde(rename = "initiative_wiped")]
    Wiped,
}

/// A cell as data: `[x, y]`.
fn pair<S: Serializer>(cell: &Cell, serializer: S) -> Result<S::Ok, S::Error> {
    [cell.x, cell.y].serialize(serializer)
}

fn stats(world: &World, who: Id) -> SpeedStats {
    let sheet = of_unit::<CreatureRef>(world, who);
    sheet.creature.section::<SpeedStats>().clone()
}

impl RulesetEvent for SpeedEvent {
    fn apply(&self, world: &mut World) {
        fn fighter(world: &mut World, who: Id) -> &mut Fighter {
            of_unit_mut::<Fighter>(world, who)
        }
        match self {
            Self::Ready { who, base } => fighter(world, *who).base = Some(*base),
            Self::Refreshed => {
                let late = super::numbers::tables().initiative.missed;
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
            Self::Declared { declared, .. } => {
                let who = declared.choice.actor();
                fighter(world, who).declared = Some(declared.clone());
            }
            Self::Missed { who } => fighter(world, *who).missed = true,
            Self::Count { count } => world.resource_mut::<Clock>().count = Some(*count),
            Self::Turn { who } => {
                let f = fighter(world, *who);
                f.now = f.take_pending();
                f.standard = false;
            }
            Self::TurnEnded { who } => fighter(world, *who).now = None,
            Self::Standard { who } => {
                let f = fighter(world, *who);
                (f.standard, f.acts) = (true, f.acts + 1);
            }
            Self::Free { who } => {
                let f = fighter(world, *who);
                (f.free, f.acts) = (true, f.acts + 1);
            }
            Self::Reaction { who } => {
                let f = fighter(world, *who);
                (f.reaction, f.acts) = (true, f.acts + 1);
            }
            Self::Strained { who } => {
                of_unit_mut::<Body>(world, *who).hp -= 1;
                // This loss is a wound like any other, without a damage type (SP-23).
                let (kind, points) = (None, 1);
                fighter(world, *who).wounds.push(Wound { kind, points });
            }
            Self::Strode { who, feet } => fighter(world, *who).feet += feet,
            Self::Crawled { who, to } => of_unit_mut::<Body>(world, *who).at = *to,
            Self::FullDefense { who } => fighter(world, *who).full_defense = true,
            Self::Stressed { who, points, .. } | Self::StressSpent { who, points, .. } => {
                let f = fighter(world, *who);
                f.stress = f.stress.checked_sub(*points).expect("Stress is in range");
                assert!(f.stress >= 0, "{who:?} has less Stress than it loses");
                if matches!(self, Self::StressSpent { on: "a surge", .. }) {
                    (f.surged, f.standard) = (true, false);
                }
            }
            Self::Eased { who, points } => {
                let f = fighter(world, *who);
                f.stress = (f.stress + points).min(f.max_stress);
            }
            Self::Wounded { who, wound } => fighter(world, *who).wounds.push(*wound),
            Self::Mended { who, points } => fighter(world, *who).mend(*points),
            Self::Retyped { who, nth, kind } => {
                fighter(world, *who).wounds[*nth].kind = Some(*kind);
            }
            Self::Sank { who } => fighter(world, *who).sank = true,
            Self::HitHard { who } => fighter(world, *who).hit_hard = true,
            Self::HurtAFoe { who } => fighter(world, *who).hurt_a_foe = true,
            Self::Afflicted { who, ailment } => fighter(world, *who).afflict(*ailment),
            Self::Recovered { who, condition } => {
                fighter(world, *who)
                    .ailments
                    .retain(|a| a.condition != *condition);
            }
            Self::Waned { who } => {
                let f = fighter(world, *who);
                for ailment in &mut f.ailments {
                    ailment.rounds = ailment.rounds.map(|n| n.saturating_sub(1));
                }
                f.ailments.retain(|a| a.rounds != Some(0));
            }
            Self::Hurt { who, hurt, .. } => fighter(world, *who).hurts.push(*hurt),
            Self::Healed { who, hurt } => {
                let f = fighter(world, *who);
                f.hurts.retain(|h| h != hurt);
                if *hurt == Hurt::Suffocating {
                    f.breathless = 0;
                }
            }
            Self::Weakened {
                who,
                abilities,
                points,
                ..
            } => {
                let stats = stats(world, *who);
                let f = fighter(world, *who);
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
            Self::Rallied { who, at } => {
                let body = of_unit_mut::<Body>(world, *who);
                (body.state, body.at) = (State::Up, *at);
                fighter(world, *who).sank = false;
            }
            Self::Breathless { who, rounds } => fighter(world, *who).breathless = *rounds,
            Self::ManaSpent { who, points } => fighter(world, *who).mana -= points,
            Self::Cast { who, spell } => fighter(world, *who).cast.push(*spell),
            Self::Drunk { who, spell } => {
                let f = fighter(world, *who);
                let at = f.draughts.iter().position(|s| s == spell);
                f.draughts.remove(at.expect("it has the draught"));
            }
            Self::Intimidated { who, result } => {
                let f = fighter(world, *who);
                f.intimidated = f.intimidated.max(Some(*result));
            }
            Self::Surrendered { who } => {
                fighter(world, *who).surrendered = true;
                of_unit_mut::<Body>(world, *who).state = State::Down;
            }
            Self::Wiped => {
                for f in all_units_mut::<Fighter>(world) {
                    (f.base, f.declared, f.late, f.now) = (None, None, None, None);
                }
            }
        }
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        self.line(names)
    }

    fn roll(&self) -> Option<&Roll> {
        match self {
            Self::Stressed { roll, .. } | Self::Weakened { roll, .. } => Some(roll),
            _ => None,
        }
    }

    fn is_progress(&self) -> bool {
        matches!(
            self,
            Self::Stressed { .. }
                | Self::Wounded { .. }
                | Self::Mended { .. }
                | Self::Sank { .. }
                | Self::Afflicted { .. }
                | Self::Hurt { .. }
                | Self::Weakened { .. }
                | Self::Rallied { .. }
                | Self::Intimidated { .. }
                | Self::Surrendered { .. }
        )
    }

    fn cue(&self) -> Option<Cue> {
        use CueKind::*;
        match self {
            Self::Stressed {
                who, by, points, ..
            } => Cue::harm(*who, *by, *points, "Stress"),
            Self::FullDefense { who } => Cue::of(Defense, *who, "full defense"),
            Self::Afflicted { who, ailment } => Cue::of(Bad, *who, ailment.condition.name()),
            Self::Recovered { who, condition } => {
                Cue::of(Good, *who, format!("{} no more", condition.name()))
            }
            Self::Hurt { who, row, .. } => Cue::of(Bad, *who, *row),
            Self::Healed { who, .. } => Cue::of(Good, *who, "mended"),
            Self::Weakened { who, .. } => Cue::of(Bad, *who, "weakened"),
            Self::Strained { who } => Cue::of(Bad, *who, "strained"),
            Self::Rallied { who, .. } => Cue::of(Good, *who, "up again"),
            Self::Surrendered { who } => Cue::of(Bad, *who, "surrenders"),
            _ => None,
        }
    }
}
