//! `fivefoot serve`: runs battles for another program, which sends commands as lines
//! of JSON.

use super::{
    Failure, Outcome,
    args::{HandicapOption, ruleset},
    battles, fight, out, replay, say_json_line,
    sim::rulesets_of,
    write_failure,
};
use clap::Args;
use fivefoot_core::{
    battle::{Battle, Choice, DiceBox, Roster, Setup, Side, level_setup},
    control::{
        Controller, Player,
        bot::{self, BotAnswer, BotSide, FORMAT, SideKnowledge},
        forecast,
        recording::{Broken, Recording},
    },
    lab::MAX_ANSWERS,
    levels::{self, Level},
    ron_read::suggestion,
    rulesets, version,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use std::{
    collections::BTreeMap,
    io::{BufRead, Read},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    slice,
    sync::Arc,
};

/// Run battles for another program: a line of JSON in, a line of JSON out.
///
/// It reads commands from standard input (`hello`, `new`, `observe`, `offers`, `order`, `odds`,
/// `fork`, `save`, `close`) and writes an answer for each to standard output, until the
/// input ends. An error is an answer too and ends nothing. See docs/bots.md.
#[derive(Args)]
pub struct ServeArgs {}

/// The most bytes of a command.
const LONGEST: u64 = 16 << 20;
/// The default seed of a battle.
const FIRST_SEED: u64 = 1;
/// The default seed of a fork's dice.
const FORK_SEED: u64 = 1;

const COMMANDS: [&str; 9] = [
    "hello", "new", "observe", "offers", "order", "odds", "fork", "save", "close",
];

pub fn run(ServeArgs {}: &ServeArgs) -> Outcome {
    let mut server = Server::default();
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = vec![];
        let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line);
        let n = read.map_err(|e| Failure::new(format!("standard input cannot be read: {e}")))?;
        if n == 0 {
            return Ok(());
        }
        let mut reply = if n as u64 == LONGEST && line.last() != Some(&b'\n') {
            skip_line(&mut input);
            refusal(format!("a command has at most {LONGEST} bytes"))
        } else {
            match std::str::from_utf8(&line) {
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => server.reply(text),
                Err(_) => refusal("a command is UTF-8"),
            }
        };
        reply.insert("format".into(), FORMAT.into());
        say_json_line(Value::from(reply));
        if out::is_closed() {
            return Ok(());
        }
    }
}

/// Skips the rest of a line that is too long.
fn skip_line(input: &mut impl BufRead) {
    loop {
        let mut rest = vec![];
        match input.take(LONGEST).read_until(b'\n', &mut rest) {
            Ok(n) if n > 0 && rest.last() != Some(&b'\n') => {}
            _ => return,
        }
    }
}

type Fields = Map<String, Value>;
type Reply = Result<Fields, Fields>;

fn refusal(why: impl Into<String>) -> Fields {
    let mut all = Fields::new();
    all.insert("ok".into(), false.into());
    all.insert("error".into(), why.into().into());
    all
}

fn refused<T>(why: impl Into<String>) -> Result<T, Fields> {
    Err(refusal(why))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct New {
    level: Option<PathBuf>,
    text: Option<String>,
    rules: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    ai: BTreeMap<String, String>,
    #[serde(default)]
    handicap: BTreeMap<String, u8>,
    recording: Option<PathBuf>,
    #[serde(default)]
    observe: bool,
    #[serde(default)]
    offers: bool,
}

/// What a reply contains in addition.
struct ReplyParts {
    observe: bool,
    offers: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Observe {
    battle: u64,
    side: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Offers {
    battle: u64,
    #[serde(default)]
    impossible: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    battle: u64,
    order: Option<String>,
    offer: Option<usize>,
    number: Option<i32>,
    #[serde(default)]
    observe: bool,
    #[serde(default)]
    offers: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Odds {
    battle: u64,
    order: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fork {
    battle: u64,
    side: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    observe: bool,
    #[serde(default)]
    offers: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Save {
    battle: u64,
    file: PathBuf,
    #[serde(default)]
    force: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Close {
    battle: u64,
}

/// The open battles, by number.
#[derive(Default)]
struct Server {
    battles: BTreeMap<u64, OpenBattle>,
    last: u64,
}

/// An open battle.
struct OpenBattle {
    level: Arc<Level>,
    setup: Setup,
    seed: u64,
    battle: Battle,
    /// The AI of each side. `None` if the client plays it.
    players: Vec<Option<Box<dyn Controller>>>,
    sides: Vec<BotSide>,
    is_fork: bool,
    /// Orders that could not be carried out since the last reply.
    failed_orders: Vec<Value>,
}

impl Server {
    /// The reply to one line.
    fn reply(&mut self, line: &str) -> Fields {
        let mut command = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(command)) => command,
            Ok(_) => return refusal("a command is an object, as {\"do\": \"hello\"}"),
            Err(e) => return refusal(format!("this is not JSON: {e}")),
        };
        let id = command.remove("id");
        let number = command.get("battle").and_then(Value::as_u64);
        let done = catch_unwind(AssertUnwindSafe(|| self.accept(command)));
        let mut reply = match done {
            Ok(Ok(mut reply)) => {
                reply.insert("ok".into(), true.into());
                reply
            }
            Ok(Err(refusal)) => refusal,
            Err(_) => {
                // The command may be half done.
                if let Some(number) = number {
                    self.battles.remove(&number);
                }
                refusal("a mistake in the program: the battle is closed; please report it")
            }
        };
        if let Some(id) = id {
            reply.insert("id".into(), id);
        }
        reply
    }

    fn accept(&mut self, mut command: Fields) -> Reply {
        let name = match command.remove("do") {
            Some(Value::String(name)) => name,
            _ => return refused(format!("say in `do` what to do: {}", COMMANDS.join(", "))),
        };
        match name.as_str() {
            "hello" => read::<Hello>(command).map(|_| {
                bot::object(json!({
                    "program": version::VERSION,
                    "commands": COMMANDS,
                    "rules": rulesets::ALL.map(|rules| rules.id),
                    "levels": levels::built_in().iter().map(|l| l.id.as_str()).collect::<Vec<_>>(),
                }))
            }),
            "new" => self.new_battle(command),
            "observe" => {
                let args: Observe = read(command)?;
                let open = self.battle_mut(args.battle)?;
                let side = open.side(args.side.as_deref())?;
                Ok(open.sides[side].observation(&open.battle))
            }
            "offers" => {
                let args: Offers = read(command)?;
                self.battle_mut(args.battle)?.offers(args.impossible)
            }
            "order" => {
                BotAnswer::check_types(&command).map_err(refusal)?;
                let args: Order = read(command)?;
                let answer = BotAnswer {
                    order: args.order,
                    offer: args.offer,
                    number: args.number,
                };
                let parts = ReplyParts {
                    observe: args.observe,
                    offers: args.offers,
                };
                self.battle_mut(args.battle)?.order(&answer, &parts)
            }
            "odds" => {
                let args: Odds = read(command)?;
                self.battle_mut(args.battle)?.odds(args.order.as_deref())
            }
            "fork" => {
                let args: Fork = read(command)?;
                let parts = ReplyParts {
                    observe: args.observe,
                    offers: args.offers,
                };
                let open = self.battle_mut(args.battle)?;
                let side = open.side(args.side.as_deref())?;
                let fork = open.fork(side, args.seed.unwrap_or(FORK_SEED));
                Ok(self.add_battle(fork, &parts, false))
            }
            "save" => {
                let args: Save = read(command)?;
                self.battle_mut(args.battle)?.save(&args.file, args.force)
            }
            "close" => {
                let args: Close = read(command)?;
                self.battle_mut(args.battle)?;
                self.battles.remove(&args.battle);
                Ok(Fields::new())
            }
            _ => refused(format!(
                "there is no command '{name}'; {}",
                suggestion(&name, COMMANDS)
            )),
        }
    }

    fn battle_mut(&mut self, number: u64) -> Result<&mut OpenBattle, Fields> {
        let found = self.battles.get_mut(&number);
        found.ok_or_else(|| refusal(format!("there is no battle {number}")))
    }

    fn new_battle(&mut self, command: Fields) -> Reply {
        let args: New = read(command)?;
        let open = match &args.recording {
            Some(path) => OpenBattle::recorded(path, &args)?,
            None => OpenBattle::begin(&args)?,
        };
        let parts = ReplyParts {
            observe: args.observe,
            offers: args.offers,
        };
        Ok(self.add_battle(open, &parts, true))
    }

    /// Stores a battle, lets the AIs play to the client's first question, and
    /// describes it.
    fn add_battle(&mut self, mut open: OpenBattle, parts: &ReplyParts, with_map: bool) -> Fields {
        let answers = open.play_on();
        let mut reply = Fields::new();
        if with_map {
            let side = open.battle.asked().map_or(0, |asked| asked.side.index());
            reply = bot::object(bot::begin(&open.battle, &mut open.sides[side].knowledge));
            reply.remove("what");
            reply.remove("side");
        }
        self.last += 1;
        reply.insert("battle".into(), self.last.into());
        reply.append(&mut open.reply_of(answers, parts));
        self.battles.insert(self.last, open);
        reply
    }
}

fn read<T: DeserializeOwned>(command: Fields) -> Result<T, Fields> {
    serde_json::from_value(Value::from(command)).map_err(|e| refusal(e.to_string()))
}

fn failed(failure: Failure) -> Fields {
    refusal(failure.text)
}

/// A level by its file, or by the id of a built-in one.
fn level(path: &Path) -> Result<Arc<Level>, Fields> {
    let mut built_in = levels::built_in().iter();
    let named = built_in.find(|level| Path::new(&level.id) == path);
    match named.filter(|_| !path.exists()) {
        Some(level) => Ok(level.clone()),
        None => battles::level(path).map_err(failed),
    }
}

impl OpenBattle {
    fn begin(args: &New) -> Result<Self, Fields> {
        let level = match (&args.level, &args.text) {
            (Some(_), Some(_)) => return refused("give `level` or `text`, not both"),
            (Some(path), None) => level(path)?,
            (None, Some(text)) => levels::of_text("level.ron", text).map_err(refusal)?,
            (None, None) => levels::default_level(),
        };
        let option = |(of, &steps): (&String, &u8)| {
            let of = of.clone();
            HandicapOption { of, steps }
        };
        let handicaps: Vec<_> = args.handicap.iter().map(option).collect();
        let most = fivefoot_core::battle::handicap::MAX;
        if args.handicap.values().any(|steps| *steps > most) {
            return refused(format!("the handicap is 0 to {most}"));
        }
        let level = fight::handicapped(&handicaps, &level).map_err(failed)?;
        let rules = args.rules.as_deref().map(ruleset).transpose();
        let rules = rules.map_err(refusal)?;
        let rules = rulesets_of(&level, rules.as_ref().map(slice::from_ref)).map_err(failed)?[0];
        let seed = args.seed.unwrap_or(FIRST_SEED);
        let battle = Battle::new(level_setup(&level), rules, DiceBox::seeded(seed));
        Self::of(level, battle, seed, &args.ai)
    }

    fn recorded(path: &Path, args: &New) -> Result<Self, Fields> {
        let has_own_level = args.level.is_some() || args.text.is_some() || args.rules.is_some();
        if has_own_level || args.seed.is_some() || !args.handicap.is_empty() {
            return refused("a recording has its own level, rules, seed and handicaps");
        }
        let recording = replay::read(path).map_err(failed)?;
        let level = recording.level().map_err(refusal)?;
        let battle = recording.run(None);
        let broken = |b: Broken| format!("{}: step {}: {}", path.display(), b.step, b.why);
        let battle = battle.map_err(|b| refusal(broken(b)))?;
        Self::of(level, battle, recording.seed, &args.ai)
    }

    fn of(
        level: Arc<Level>,
        battle: Battle,
        seed: u64,
        ai: &BTreeMap<String, String>,
    ) -> Result<Self, Fields> {
        let (setup, rules) = (level_setup(&level), battle.rules());
        let mut players: Vec<Option<Box<dyn Controller>>> = vec![];
        players.resize_with(level.sides.len(), || None);
        for (side, name) in ai {
            let n = fight::side_of(&level, side).map_err(failed)?;
            let player: Player = name.parse().map_err(|why: String| refusal(why))?;
            players[n] = Some(player.controller(&setup, rules, n, seed));
        }
        let side = |n: usize| BotSide::new(SideKnowledge::new(&setup, rules, Side(n as u8)));
        Ok(Self {
            sides: (0..level.sides.len()).map(side).collect(),
            level,
            setup,
            seed,
            battle,
            players,
            is_fork: false,
            failed_orders: vec![],
        })
    }

    /// The side of this name, or by default the side that has to answer.
    fn side(&self, name: Option<&str>) -> Result<usize, Fields> {
        match (name, self.battle.asked()) {
            (Some(name), _) => fight::side_of(&self.level, name).map_err(failed),
            (None, Some(asked)) => Ok(asked.side.index()),
            (None, None) => refused("nobody is asked anything now; name a `side`"),
        }
    }

    /// Gives the answers of AIs and of orders in words until the client must decide.
    /// Returns those given for the client.
    fn play_on(&mut self) -> Vec<Choice> {
        let mut given = vec![];
        while let Some(asked) = self.battle.asked() {
            if self.battle.answers().len() >= MAX_ANSWERS {
                break;
            }
            let side = asked.side.index();
            if let Some(player) = &mut self.players[side] {
                let choice = player.choose(&mut self.battle);
                if let Err(e) = self.battle.answer(choice) {
                    panic!("an illegal answer: {e}");
                }
                continue;
            }
            let own = &mut self.sides[side];
            let Some(answers) = own.carry_out(&mut self.battle, &mut self.failed_orders) else {
                break;
            };
            let before = given.len();
            given.extend(self.give(answers));
            if given.len() == before {
                // The order would be repeated forever.
                self.sides[side].drop_orders();
                break;
            }
        }
        given
    }

    /// Gives answers up to the first that is refused. Returns those given.
    fn give(&mut self, answers: Vec<Choice>) -> Vec<Choice> {
        let is_taken = |choice: &Choice| self.battle.answer(choice.clone()).is_ok();
        answers.into_iter().take_while(is_taken).collect()
    }

    /// The answers that an order gave, and the open question.
    fn reply_of(&mut self, answers: Vec<Choice>, parts: &ReplyParts) -> Fields {
        let mut reply = Fields::new();
        reply.insert("answers".into(), bot::orders(&answers, self.battle.names()));
        let failed = std::mem::take(&mut self.failed_orders);
        if !failed.is_empty() {
            reply.insert("undone".into(), failed.into());
        }
        let names = self.battle.names().clone();
        let Some(asked) = self.battle.asked() else {
            reply.append(&mut bot::over(&self.battle));
            return reply;
        };
        let side = asked.side.index();
        let actors: Vec<&str> = asked.actors.iter().map(|id| names.key(*id)).collect();
        reply.insert(
            "asked".into(),
            json!({
                "side": names.side_key(asked.side),
                "prompt": asked.prompt,
                "rule": asked.rule,
                "reaction": asked.reaction,
                "actors": actors,
            }),
        );
        if parts.observe {
            let observation = self.sides[side].observation(&self.battle);
            reply.insert("observation".into(), observation.into());
        }
        if parts.offers {
            let offers = self.question(side).remove("offers");
            reply.insert("offers".into(), offers.unwrap_or_default());
        }
        reply
    }

    fn question(&mut self, side: usize) -> Fields {
        let knowledge = self.sides[side].follow(&self.battle);
        bot::question(&mut self.battle, knowledge)
    }

    fn offers(&mut self, impossible: bool) -> Reply {
        let side = self.side(None)?;
        if !impossible {
            return Ok(self.question(side));
        }
        let knowledge = self.sides[side].follow(&self.battle);
        let mut not: Vec<Value> = vec![];
        for offer in self.battle.offers().iter().filter(|o| !o.is_legal()) {
            not.push(bot::offer_json(&self.battle, knowledge, offer));
        }
        let mut reply = bot::question(&mut self.battle, knowledge);
        reply.insert("impossible".into(), not.into());
        Ok(reply)
    }

    fn order(&mut self, answer: &BotAnswer, parts: &ReplyParts) -> Reply {
        let side = self.side(None)?;
        let choices = self.sides[side].read(&mut self.battle, answer);
        let choices = choices.map_err(|rejected| {
            let mut all = rejected.json();
            all.insert("ok".into(), false.into());
            all
        })?;
        let mut given = self.give(choices);
        given.extend(self.play_on());
        Ok(self.reply_of(given, parts))
    }

    /// The quick AI's score and the success rate of each legal answer, and the win
    /// probability of the side, based on what it knows.
    fn odds(&mut self, order: Option<&str>) -> Reply {
        let side = self.side(None)?;
        let knowledge = self.sides[side].follow(&self.battle);
        let legal = bot::legal(&mut self.battle);
        let wanted = order.map(|text| {
            let choice = self.battle.find(text)?;
            self.battle.check(&choice).map(|()| choice)
        });
        let wanted = wanted.transpose().map_err(|e| refusal(e.to_string()))?;
        let actors = self.battle.asked().map(|asked| asked.actors.clone());
        let mut ranked = vec![];
        for who in actors.unwrap_or_default() {
            ranked.extend(self.battle.ranked(who, Some(knowledge.replica())));
        }
        let mut offers = vec![];
        for (n, offer) in legal.iter().enumerate() {
            if wanted.as_ref().is_some_and(|wanted| !offer.covers(wanted)) {
                continue;
            }
            let found = ranked.iter().find(|(choice, _)| offer.covers(choice));
            let mut one = bot::offer_json(&self.battle, knowledge, offer);
            one["offer"] = n.into();
            // The greatest score marks answers that the AI takes without weighing
            // them.
            if let Some((choice, score)) = found.filter(|(_, score)| *score != i32::MAX) {
                one["score"] = (*score).into();
                if offer.numbers.is_some() {
                    one["best_number"] = choice.number.into();
                }
            }
            if let Some(choice) = &wanted {
                let forecasting = self.battle.rules().forecasting;
                let forecast = forecasting.of(knowledge.world(), choice);
                let names = self.battle.names();
                one["forecast"] = bot::forecast_json(&forecast, names).into();
            }
            offers.push(one);
        }
        let (rules, unknown) = (self.battle.rules(), knowledge.unknown());
        let ids = self.battle.world().resource::<Roster>().ids();
        let unknown: Vec<_> = ids.filter(|id| unknown.has(*id)).collect();
        let win = forecast::formula_estimate(knowledge.world(), rules, Side(side as u8), &unknown);
        Ok(bot::object(json!({
            "side": self.battle.names().side_key(Side(side as u8)),
            "win": win.map(|chance| bot::number(chance.value)),
            "offers": offers,
        })))
    }

    /// A separate battle that continues this one as a side knows it, with other dice.
    /// The quick AI replaces secret declarations of other sides.
    fn fork(&mut self, side: usize, seed: u64) -> Self {
        let rules = self.battle.rules();
        let knowledge = self.sides[side].follow(&self.battle);
        let round = knowledge.round();
        let known = knowledge.replica();
        let mut battle = self.battle.fork_seen(known, DiceBox::seeded(seed));
        let mut own = Some(battle.replica_of_fork(knowledge.side()));
        battle.guess_plans(knowledge.side(), &mut |battle| battle.quick_answer(None));
        let side_state = |n: usize| {
            let is_own = n == side;
            let replica = own.take_if(|_| is_own);
            let replica = replica.unwrap_or_else(|| battle.replica_of_fork(Side(n as u8)));
            BotSide::new(SideKnowledge::over(replica, rules, Side(n as u8), round))
        };
        let sides = (0..self.sides.len()).map(side_state).collect();
        let players = self.players.iter().map(|player| {
            let controller = || Box::new(ForkAi) as Box<dyn Controller>;
            player.as_ref().map(|_| controller())
        });
        Self {
            players: players.collect(),
            sides,
            level: self.level.clone(),
            setup: self.setup.clone(),
            seed,
            battle,
            is_fork: true,
            failed_orders: vec![],
        }
    }

    fn save(&mut self, path: &Path, force: bool) -> Reply {
        if self.is_fork {
            return refused("a fork has no beginning and cannot be saved");
        }
        let place = out::place::<Recording>("a recording", path, force, "`\"force\": true`")
            .map_err(failed)?;
        let recording = Recording::of(&self.battle, &self.level, self.seed);
        let written = out::write_text(&place, recording.text());
        written.map_err(|e| failed(write_failure(path, e)))?;
        Ok(bot::object(json!({"file": path.display().to_string()})))
    }
}

/// The quick AI in a fork. It knows the whole fork, as in a playout.
struct ForkAi;

impl Controller for ForkAi {
    fn restart(&mut self, _: &fivefoot_core::bevy_ecs::world::World, _: u64) {}

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        battle.quick_answer(None)
    }
}
