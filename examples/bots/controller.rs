//! A bot in Rust, without a process: it implements `Controller` and plays through the crate.
//!
//! `cargo run --release -p fivefoot-core --example controller -- [BATTLES]`

use fivefoot_core::{
    battle::{Battle, Choice, DiceBox, Ruleset, Setup, Side, level_setup},
    bevy_ecs::world::World,
    control::{Controller, Quick, bot::SideKnowledge},
    lab::MAX_ANSWERS,
    levels, rulesets,
};
use std::time::Instant;

/// Takes the attack with the highest worth, judged by what its side knows. The quick AI makes all
/// other decisions.
struct Brawler {
    eyes: SideKnowledge,
    quick: Quick,
}

impl Brawler {
    fn new(setup: &Setup, rules: &'static Ruleset, side: Side) -> Self {
        Self {
            eyes: SideKnowledge::new(setup, rules, side),
            quick: Quick::new(setup, rules, side),
        }
    }
}

impl Controller for Brawler {
    fn restart(&mut self, pristine: &World, seed: u64) {
        self.eyes.restart(pristine);
        self.quick.restart(pristine, seed);
    }

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        self.eyes.follow(battle);
        let planning = battle.rules().planning;
        let mut best: Option<(i32, Choice)> = None;
        for offer in battle.offers().into_iter().filter(|offer| offer.is_legal()) {
            if !planning.is_attack(offer.choice.verb) {
                continue;
            }
            let odds = (planning.odds)(self.eyes.world(), &offer.choice);
            if let Some(odds) = odds.filter(|odds| odds.percent > 0)
                && best.as_ref().is_none_or(|(worth, _)| *worth < odds.worth)
            {
                best = Some((odds.worth, offer.choice));
            }
        }
        match best {
            Some((_, attack)) => attack,
            None => self.quick.choose(battle),
        }
    }
}

fn main() {
    let battles: u64 = std::env::args()
        .nth(1)
        .map_or(200, |n| n.parse().expect("a number"));
    let level = levels::default_level();
    for rules in rulesets::ALL {
        let setup = level_setup(&level);
        let (mut won, mut answers, began) = (0, 0, Instant::now());
        for seed in 0..battles {
            let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
            let mut bot = Brawler::new(&setup, rules, Side(0));
            let mut other = Quick::new(&setup, rules, Side(1));
            while let Some(asked) = battle.asked()
                && battle.answers().len() < MAX_ANSWERS
            {
                let choice = match asked.side {
                    Side(0) => bot.choose(&mut battle),
                    _ => other.choose(&mut battle),
                };
                battle.answer(choice).expect("an offer is legal");
            }
            won += u64::from(battle.over() == Some(Some(Side(0))));
            answers += battle.answers().len();
        }
        let rate = answers as f64 / began.elapsed().as_secs_f64();
        println!(
            "{:<10} won {won} of {battles}, {rate:.0} answers a second",
            rules.id
        );
    }
}
