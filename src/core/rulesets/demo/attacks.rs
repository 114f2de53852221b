//! Attacks: their forecast (DE-03) and their effects (DE-05, DE-06).

use super::{
    Demo,
    round::EndChecks,
    state::{DemoQuery, REELING},
};
use crate::{
    battle::{Attack, EventKind, Id, Item, Modifier, Roll, StepOutcome, Why},
    content::Attribute,
    rulesets::common::attacks::{Attacks, HitResult, Resolving, ToHit, to_hit},
    rulesets::common::{conditions::begins, damage::Damage},
};

/// Rounds that a unit reels after a hit: the current one and the next.
const REELS: i32 = 2;
const ON_GUARD: i32 = 4;
/// Penalties to hit for half and full cover.
const COVER: [i32; 2] = [-2, -4];

/// An attack before its die is rolled.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Everything that is added to the d20.
    pub modifiers: Vec<Modifier>,
    /// The total that the roll must reach.
    pub against: i32,
    pub damage: Damage,
}

to_hit!(Forecast: |f| f.against);

impl Forecast {
    /// Results of the d20 that hit, out of 20.
    pub fn outcomes(&self) -> i32 {
        (21 - self.needs()).clamp(0, 20)
    }
}

impl DemoQuery<'_, '_> {
    /// Reach in feet with a weapon. `None` if it is not a melee weapon.
    pub fn reach(&self, who: Id, with: Item) -> Option<u16> {
        let reach = self.view.creature(who).reach(self.view.weapon(with))?;
        u16::try_from(reach).ok()
    }

    fn defense(&self, of: Id) -> i32 {
        let creature = self.view.creature(of);
        let armour = creature.armour.as_ref();
        let worn = armour.map_or(10, |a| a.ac_melee + a.magic);
        let guard = ON_GUARD * i32::from(self.guards.of(of).0);
        worn + creature.modifier(Attribute::Dex) + creature.shield_bonus(|s| s.ac_melee) + guard
    }

    /// The attack's forecast as things stand, or why the attack is not possible.
    pub fn forecast(&self, attack: &Attack) -> Result<Forecast, Why> {
        let (mine, theirs) = (self.view.body(attack.by), self.view.body(attack.at));
        Why::new("DE-03", "one of them is down").when(!mine.is_up() || !theirs.is_up())?;
        let line = self.view.line_of(attack, mine.at, ["DE-03"; 2])?;
        if !attack.ranged {
            line.reaches(&self.view, self.reach(attack.by, attack.with), "DE-03")?;
        }
        let mut forecast = self.in_the_open(attack.by, attack.at, attack.with);
        let cover = line.by_cover(COVER[0], COVER[1]);
        forecast.modifiers.extend(Modifier::list("DE-03", cover));
        Ok(forecast)
    }

    /// The forecast of an attack with a clear line and no cover.
    pub fn in_the_open(&self, by: Id, at: Id, with: Item) -> Forecast {
        let (creature, weapon) = (self.view.creature(by), self.view.weapon(with));
        let (attribute, value) = creature.best_modifier(&weapon.attributes);
        let both = [(value, attribute.name()), (weapon.magic, "magic weapon")];
        let own = both
            .into_iter()
            .chain([((creature.rank() + 1) / 2, "experience")]);
        let lasting = self.view.hit_modifiers(by, 1, "DE-05");
        Forecast {
            modifiers: Modifier::list("DE-03", own).chain(lasting).collect(),
            against: self.defense(at),
            damage: Damage::new(weapon.damage, Modifier::list("DE-03", both).collect()),
        }
    }
}

impl Attacks for Demo {
    type AttackSpec = Attack;
    type Forecast = Forecast;
    type Tally = ();

    fn forecast(de: &DemoQuery, spec: &Attack) -> Result<Forecast, Why> {
        de.forecast(spec)
    }

    fn hit_result(_: &mut Resolving<Self>, _: &Attack, f: &mut Forecast, roll: &Roll) -> HitResult {
        HitResult {
            rule: "DE-03",
            hit: roll.total() >= f.against,
            critical: false,
            against: f.against,
            why: "".into(),
        }
    }

    fn hit(s: &mut Resolving<Self>, spec: &Attack, forecast: &Forecast, _: &Roll) {
        let (points, roll) = forecast.damage.roll("DE-03", s.dice);
        s.harm("DE-03", spec, points, roll, true);
    }

    fn finish(mut s: Resolving<Self>) -> StepOutcome {
        for (who, loss) in s.lost {
            let falls = suffer(s.state, who, loss.points, &mut s.outcome);
            if !falls && !s.state.guards.of(who).0 {
                let began = begins::<Demo>(s.state, (who, None), who, &REELING, REELS);
                s.outcome.emit("DE-05", began);
            }
        }
        s.outcome.then(EndChecks)
    }
}

/// Emits the fall of a unit that loses its last hit points (DE-06). True if it falls.
pub fn suffer(de: &DemoQuery, who: Id, points: i32, outcome: &mut StepOutcome) -> bool {
    let body = de.view.body(who);
    let falls = body.is_up() && body.hp <= points;
    if falls {
        outcome.emit("DE-06", EventKind::Fell { who });
    }
    falls
}
