//! Programs that play a side: `cmd:PROGRAM`. Each side has its own process, which
//! reads questions and writes answers, one line of JSON each. `docs/bots.md`
//! describes them.

use super::{lock, stop};
use fivefoot_core::{
    battle::{Battle, Choice, CurrentLevel, Ruleset, Setup, Side},
    bevy_ecs::world::World,
    control::{
        Controller, Player, Quick,
        bot::{self, BotAnswer, BotSide, External, ExternalPlayer, SideKnowledge},
        controller_seed,
    },
    words::{list, shown_line},
};
use serde_json::{Map, Value};
use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdout, Command, Stdio},
    sync::{
        Mutex, OnceLock,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

/// The prefix of a program where an AI is named.
pub const PREFIX: &str = "cmd:";
/// The default time limit of an answer in seconds.
pub const SECONDS: f64 = 10.0;
/// The time limit of a process's first answer: it has to start.
const TO_START: Duration = Duration::from_secs(20);
/// How long a process may take to end once its input is closed.
const TO_END: Duration = Duration::from_millis(500);
/// The most rejected answers to one question.
const REFUSALS: usize = 10;
/// The most orders in words for one question.
const ORDERS: usize = 200;
/// The most bytes of an answer.
const LONGEST: u64 = 1 << 20;

/// The time limit of an answer.
static LIMIT: OnceLock<Duration> = OnceLock::new();
/// The programs named on the command line, each with processes that wait for another
/// battle.
static PROGRAMS: Mutex<Vec<&'static Program>> = Mutex::new(vec![]);

/// Sets the time limit of an answer. Only the first call counts.
pub fn limit(seconds: f64) {
    let _ = LIMIT.set(Duration::from_secs_f64(seconds));
}

/// How a program failed. Failures are compared by the seed, so that the same one is
/// reported whichever thread comes to it first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BotFailure {
    /// The seed of the battle.
    pub seed: u64,
    pub why: String,
}

/// The failure in the battle with the lowest seed. `None` if no program has failed. The
/// quick AI continues for a failed program.
pub fn failure() -> Option<BotFailure> {
    let programs = lock(&PROGRAMS);
    let failed = programs.iter().filter_map(|p| lock(&p.failed).clone());
    failed.min()
}

/// Whether the command line names a program.
pub fn is_used() -> bool {
    !lock(&PROGRAMS).is_empty()
}

/// The player of a name: an AI, or a program.
///
/// # Errors
/// If there is no AI of that name, or the quotes of a program are not closed.
pub fn player(name: &str) -> Result<Player, String> {
    let Some(line) = name.strip_prefix(PREFIX) else {
        let help = |why: String| format!("{why}; a program is named as {PREFIX}PROGRAM");
        return name.parse().map_err(help);
    };
    let words = words(line)?;
    if words.is_empty() {
        let why = format!("'{PREFIX}' needs a program, as in {PREFIX}./my_bot");
        return Err(why);
    }
    // Never freed, because the command line names only a few.
    let program: &'static Program = Box::leak(Box::new(Program {
        line: line.trim().to_owned(),
        words,
        idle: Mutex::default(),
        failed: Mutex::default(),
    }));
    lock(&PROGRAMS).push(program);
    Ok(Player::External(External(program)))
}

/// Splits a command line into words. Quotes keep blanks together.
fn words(line: &str) -> Result<Vec<String>, String> {
    let (mut all, mut word, mut quote) = (vec![], None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => all.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(open) => Err(format!("a quote {open} is not closed")),
        None => {
            all.extend(word);
            Ok(all)
        }
    }
}

/// A program as the command line names it.
#[derive(Debug)]
struct Program {
    line: String,
    words: Vec<String>,
    /// Processes that have played a battle and wait for another.
    idle: Mutex<Vec<Process>>,
    /// How it failed in the battle with the lowest seed.
    failed: Mutex<Option<BotFailure>>,
}

/// Ends all processes that wait for another battle.
pub fn end() {
    for program in lock(&PROGRAMS).iter() {
        lock(&program.idle).clear();
    }
}

impl ExternalPlayer for Program {
    fn name(&self) -> String {
        format!("{PREFIX}{}", self.line)
    }

    fn take_failure(&self) -> Option<String> {
        lock(&self.failed).take().map(|failed| failed.why)
    }

    fn controller(
        &'static self,
        setup: &Setup,
        rules: &'static Ruleset,
        side: Side,
        seed: u64,
    ) -> Box<dyn Controller> {
        Box::new(ExternalController {
            program: self,
            process: None,
            has_failed: false,
            has_begun: false,
            quick: Quick::new(setup, rules, side),
            side: BotSide::new(SideKnowledge::new(setup, rules, side)),
            queue: VecDeque::new(),
            failed_orders: vec![],
            asked: None,
            answered: None,
            seed,
        })
    }
}

/// A seed for a program's own choices that does not reveal the seed of the dice.
fn bot_seed(seed: u64) -> u64 {
    // Below 2^53, so that every language reads the JSON number exactly.
    let mut x = seed ^ 0x9e37_79b9_7f4a_7c15;
    for factor in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb_u64] {
        x = (x ^ (x >> 31)).wrapping_mul(factor);
    }
    (x ^ (x >> 30)) >> 32
}

/// A side that a program plays.
struct ExternalController {
    program: &'static Program,
    process: Option<Process>,
    /// The program has failed; the quick AI continues.
    has_failed: bool,
    /// The process knows this battle.
    has_begun: bool,
    quick: Quick,
    side: BotSide,
    /// Answers of an order that are still to be given.
    queue: VecDeque<Choice>,
    /// Orders that could not be carried out.
    failed_orders: Vec<Value>,
    /// The deadline of an open question, and its time limit.
    asked: Option<(Instant, Duration)>,
    /// The answer to it, or why there is none.
    answered: Option<Result<String, String>>,
    /// The [`controller_seed`] of the battle.
    seed: u64,
}

impl Controller for ExternalController {
    fn restart(&mut self, pristine: &World, seed: u64) {
        self.quick.restart(pristine, seed);
        self.side.restart(pristine);
        self.queue.clear();
        self.failed_orders.clear();
        if self.asked.take().is_some() {
            self.process = None;
        }
        self.answered = None;
        self.has_begun = false;
        self.has_failed = false;
        self.seed = seed;
    }

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        if !self.has_failed {
            match self.answer(battle) {
                Ok(choice) => return choice,
                Err(why) => self.give_up(battle, &why),
            }
        }
        self.quick.choose(battle)
    }

    fn is_ready(&mut self, battle: &mut Battle) -> bool {
        if self.has_failed || self.answered.is_some() {
            return true;
        }
        if self.asked.is_none() {
            if let Some(choice) = self.next(battle) {
                self.queue.push_front(choice);
                return true;
            }
            let question = self.question(battle);
            if let Err(why) = self.send(battle, &question) {
                self.answered = Some(Err(why));
            }
        }
        self.receive(Duration::ZERO);
        self.answered.is_some()
    }

    fn ended(&mut self, battle: &Battle) {
        if self.has_begun && !self.has_failed {
            let mut message = self.side.observation(battle);
            message.insert("what".into(), "over".into());
            message.append(&mut bot::over(battle));
            self.write_message(&Value::from(message));
        }
    }
}

impl ExternalController {
    /// The program's answer to the open question.
    fn answer(&mut self, battle: &mut Battle) -> Result<Choice, String> {
        let (mut refusals, mut orders) = (0, 0);
        let mut refused: Option<Map<String, Value>> = None;
        loop {
            // `is_ready` may already have asked.
            if self.asked.is_none() && self.answered.is_none() {
                if let Some(choice) = self.next(battle) {
                    return Ok(choice);
                }
                let question = match refused.take() {
                    None => self.question(battle),
                    Some(mut refused) => {
                        refused.insert("what".into(), "refused".into());
                        refused.into()
                    }
                };
                self.send(battle, &question)?;
            }
            while self.answered.is_none() {
                self.receive(Duration::from_millis(100));
            }
            let line = self.answered.take().ok_or("gave no answer")??;
            let answer = BotAnswer::parse(&line).map_err(|e| {
                let line: String = line.chars().take(80).collect();
                format!("wrote '{line}', which is no answer: {e}")
            })?;
            match self.side.read(battle, &answer) {
                Ok(choices) => {
                    self.queue = choices.into();
                    orders += 1;
                }
                Err(rejected) => {
                    refusals += 1;
                    if refusals == REFUSALS {
                        let why = rejected.why;
                        return Err(format!(
                            "was refused {REFUSALS} answers to one question, the last because {why}"
                        ));
                    }
                    refused = Some(rejected.json());
                }
            }
            if orders == ORDERS {
                let why = format!("gave {ORDERS} orders to one question and no answer");
                return Err(why);
            }
        }
    }

    /// The next answer from orders given earlier.
    fn next(&mut self, battle: &mut Battle) -> Option<Choice> {
        loop {
            if let Some(choice) = self.queue.pop_front() {
                if battle.check(&choice).is_ok() {
                    return Some(choice);
                }
                self.queue.clear();
            }
            let answers = self.side.carry_out(battle, &mut self.failed_orders)?;
            if answers.first().is_none_or(|a| battle.check(a).is_err()) {
                self.side.drop_orders();
                return None;
            }
            self.queue = answers.into();
        }
    }

    fn question(&mut self, battle: &mut Battle) -> Value {
        let mut asked = self.side.observation(battle);
        asked.append(&mut bot::question(battle, &mut self.side.knowledge));
        asked.insert("what".into(), "ask".into());
        let failed = std::mem::take(&mut self.failed_orders);
        if !failed.is_empty() {
            asked.insert("undone".into(), failed.into());
        }
        asked.into()
    }

    /// Asks the process. Starts it and describes the battle first if necessary.
    fn send(&mut self, battle: &Battle, question: &Value) -> Result<(), String> {
        let mut limit = *LIMIT.get_or_init(|| Duration::from_secs_f64(SECONDS));
        if self.process.is_none() {
            self.has_begun = false;
            self.process = lock(&self.program.idle).pop();
        }
        if self.process.is_none() {
            limit = limit.max(TO_START);
            self.process = Some(Process::start(&self.program.words)?);
        }
        if !self.has_begun {
            let mut begin = bot::begin(battle, &mut self.side.knowledge);
            begin["seed"] = bot_seed(self.seed).into();
            self.write_message(&begin);
            self.has_begun = true;
        }
        if let Some(process) = &self.process
            && let Ok(Ok(line)) = process.answers.try_recv()
        {
            let line: String = line.chars().take(80).collect();
            return Err(format!("wrote a line that nothing had asked for: '{line}'"));
        }
        self.write_message(question);
        self.asked = Some((Instant::now() + limit, limit));
        Ok(())
    }

    /// Waits at most this long for the answer of the process.
    fn receive(&mut self, patience: Duration) {
        let (Some((until, limit)), Some(process)) = (self.asked, &mut self.process) else {
            self.answered
                .get_or_insert_with(|| Err("was not asked".into()));
            return;
        };
        let left = until.saturating_duration_since(Instant::now());
        let answered = match process.answers.recv_timeout(patience.min(left)) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => Err(process.ended()),
            // Do not make a signal wait.
            Err(RecvTimeoutError::Timeout) if stop::asked().is_some() => Err("was stopped".into()),
            Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                let seconds = limit.as_secs_f64();
                Err(format!("gave no answer within {seconds} s"))
            }
            Err(RecvTimeoutError::Timeout) => return,
        };
        self.asked = None;
        self.answered = Some(answered);
    }

    fn write_message(&mut self, what: &Value) {
        if let Some(process) = &self.process {
            // If the process no longer reads, its answer will be missing.
            let _ = process.lines.send(what.to_string());
        }
    }

    /// Handles a failed program: the quick AI takes over.
    fn give_up(&mut self, battle: &Battle, why: &str) {
        self.has_failed = true;
        self.process = None;
        // Applied again, it gives the seed of the battle.
        let seed = controller_seed(self.seed, self.side.knowledge.side().index());
        let asked = battle.asked().map(|asked| {
            let names = battle.names();
            let who = asked.actors.iter().map(|id| names.key(*id).to_owned());
            let who = list(who, "and");
            format!(
                " (in {} under {}, seed {seed}, for side {}, round {}, {} asked: {})",
                battle.world().resource::<CurrentLevel>().0.id,
                battle.rules().id,
                names.side_key(asked.side),
                self.side.knowledge.round(),
                if who.is_empty() { "nobody" } else { &who },
                asked.prompt
            )
        });
        let (program, asked) = (&self.program.line, asked.unwrap_or_default());
        let line = format!("the program `{program}` {why}{asked}");
        let why = shown_line(&line).into_owned();
        let failed = BotFailure { seed, why };
        let mut lowest = lock(&self.program.failed);
        if lowest.as_ref().is_none_or(|lowest| failed < *lowest) {
            *lowest = Some(failed);
        }
    }
}

impl Drop for ExternalController {
    fn drop(&mut self) {
        // Starting a process is slow, so the next battle reuses it, unless it still
        // owes an answer, which would arrive in that battle.
        let process = self.process.take().filter(|_| self.asked.is_none());
        lock(&self.program.idle).extend(process);
    }
}

/// A running program.
#[derive(Debug)]
struct Process {
    child: Child,
    /// Its input, written by another thread, so that a program that never reads
    /// blocks no one.
    lines: Sender<String>,
    answers: Receiver<Result<String, String>>,
}

impl Process {
    fn start(words: &[String]) -> Result<Self, String> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|e| format!("cannot be started: {e}"))?;
        let (mut stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (lines, to_write) = channel::<String>();
        let (to_read, answers) = channel();
        let write = move || {
            for line in to_write {
                let written = stdin
                    .as_mut()
                    .map(|stdin| writeln!(stdin, "{line}").and_then(|()| stdin.flush()));
                if !matches!(written, Some(Ok(()))) {
                    return;
                }
            }
        };
        let read = move || {
            if let Some(stdout) = stdout {
                read_lines(stdout, &to_read);
            }
        };
        let started = thread::Builder::new().spawn(write);
        let started = started.and_then(|_| thread::Builder::new().spawn(read));
        let mut process = Self {
            child,
            lines,
            answers,
        };
        match started {
            Ok(_) => Ok(process),
            Err(e) => {
                process.end();
                Err(format!("its output cannot be read: {e}"))
            }
        }
    }

    /// Describes how it ended by itself.
    fn ended(&mut self) -> String {
        match self.wait(TO_END) {
            Some(status) => format!("ended before the battle did, with {status}"),
            None => "closed its output before the battle was over".into(),
        }
    }

    fn wait(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Closes its input, and kills it if it does not end.
    fn end(&mut self) {
        self.lines = channel().0;
        if self.wait(TO_END).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn read_lines(stdout: ChildStdout, to: &Sender<Result<String, String>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = vec![];
        let read = (&mut stdout).take(LONGEST).read_until(b'\n', &mut line);
        let said = match read {
            Err(_) | Ok(0) => return,
            Ok(n) if n as u64 == LONGEST && line.last() != Some(&b'\n') => {
                Err(format!("wrote a line of more than {LONGEST} bytes"))
            }
            Ok(_) => match String::from_utf8(line) {
                // Skip empty lines.
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => Ok(line.trim_end().to_owned()),
                Err(_) => Err("wrote a line that is not UTF-8".into()),
            },
        };
        let is_bad = said.is_err();
        if to.send(said).is_err() || is_bad {
            return;
        }
    }
}
