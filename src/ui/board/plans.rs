//! What the player's side has declared and what it is for: ways, arrows, areas,
//! and who would stand where. What is only pointed at is dashed.

use super::{
    Stage, height,
    labels::{Bit, Label, Side},
    mark_painter::{Layer, MarkPainter, rect_of, take_off},
    prints::{Studio, at},
};
use crate::{
    battle::Id,
    grid::{Cell, Space},
    ui::{
        Screen, Selection, Session,
        art::{
            marks,
            palette::{self, Rgb},
        },
        preview::{Foreseen, ahead::PlannedAct, perils::Perils, tries::Tried},
        session::Failure,
        shown::{Person, middle},
        theme::Cut,
    },
    words::count,
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        lay.in_set(Stage::Mark).run_if(in_state(Screen::Battle)),
    );
}

fn lay(
    mut commands: Commands,
    studio: Studio,
    session: Res<Session>,
    (selection, foreseen): (Res<Selection>, Res<Foreseen>),
    old: Query<(Entity, &Layer)>,
    mut drawn: Local<Option<Picture>>,
) {
    if studio.cell_px().is_none() {
        return;
    }
    let looked_at = looked_at(&session, &selection, &foreseen);
    let is_news = foreseen.is_changed()
        || studio.is_renewed()
        || drawn
            .as_ref()
            .is_none_or(|drawn| drawn.looked_at != looked_at);
    if !is_news {
        return;
    }
    let picture = Picture::of(&session, &foreseen, looked_at);
    // While the round is played much changes, and no plan: a label that is laid anew
    // is not seen for a moment.
    if drawn.as_ref() == Some(&picture) && !studio.is_renewed() {
        return;
    }
    *drawn = Some(picture);
    take_off(&mut commands, &old, Layer::Plans);
    let mut painter = MarkPainter {
        commands,
        studio,
        layer: Layer::Plans,
        shown: session.shown(),
        armed: vec![],
    };
    let round = session.shown().clock.round;
    for failed in session.intents().failures(round) {
        // Of who is to do something else now it says no more.
        let is_past = foreseen.is_draft(failed.who);
        if painter.shown.person(failed.who).side == session.player() && !is_past {
            painter.failure(failed.who, &failed.why);
        }
    }
    let Some(ahead) = &foreseen.ahead else { return };
    let ends = ends(&painter, &ahead.acts);
    for (n, deed) in ahead.acts.iter().enumerate() {
        let is_draft = foreseen.is_draft(deed.who);
        let comes_off = foreseen.comes_off.get(&deed.who);
        let perils = foreseen.perils.get(&deed.who);
        let otherwise = perils.and_then(|perils| perils.otherwise);
        let odds = perils.map_or(String::new(), |perils| perils.odds.clone());
        let perils = perils.map_or(vec![], |perils| perils.lines(comes_off));
        let own = ahead.acts[..=n].iter().filter(|act| act.who == deed.who);
        let drawn = own.flat_map(|act| painter.shown.may_strike(&act.drawn));
        let perils: Vec<String> = drawn.chain(perils).collect();
        let chances = match &foreseen.draft {
            Some(draft) if is_draft && deed.at.is_some() => draft.blow.as_ref(),
            _ => None,
        };
        let chances = chances.map_or(vec![], |blow| painter.blow_lines(blow, None));
        painter.draw(deed, is_draft);
        // Of a move and what is done after it one is labelled.
        // So is a spell where it takes effect, and not where it is begun.
        let goes_on = ahead.acts[n + 1..].iter().any(|next| {
            next.who == deed.who && (next.when == deed.when || next.is_spell && deed.is_spell)
        });
        // Of what is not expected to come off the reasons are told.
        let fails = ahead.failures.iter().any(|failed| failed.who == deed.who);
        if !goes_on && !fails {
            let tried = comes_off.and_then(Tried::when);
            let when = match (ahead.is_sure, tried) {
                (true, _) => inline(&deed.when),
                (false, Some(mostly)) => format!("usually {}", inline(&mostly)),
                (false, None) => format!("probably {}", inline(&deed.when)),
            };
            let is_attack = chances.is_empty() && !deed.is_spell && deed.at.is_some();
            let odds = Some(odds).filter(|_| is_attack);
            let is_aimed = deed.is_spell || deed.at.is_some() || deed.path.len() > 1;
            let odds = odds.into_iter().chain(deed.does.iter().cloned()).collect();
            let told = Told {
                chances,
                odds,
                is_tried: is_aimed && foreseen.comes_off.is_empty(),
                otherwise,
                perils,
                share: match (is_draft || looked_at == Some(deed.who), session.held()) {
                    (true, _) => Share::All,
                    (false, Some(_)) => Share::Worst,
                    (false, None) => Share::Count,
                },
                ..Told::of(&session, comes_off)
            };
            painter.name(deed, when, is_draft, told, &ends);
        }
    }
    for person in session.shown().members(session.player()) {
        let is_told = looked_at == Some(person.id) || session.is_declaring();
        let is_shown = ahead.acts.iter().any(|act| act.who == person.id)
            || ahead.failures.iter().any(|failed| failed.who == person.id);
        if is_told && !is_shown && person.is_up() && !person.plan.is_empty() {
            let comes_off = foreseen.comes_off.get(&person.id);
            let told = Told {
                is_tried: foreseen.comes_off.is_empty(),
                perils: Perils::default().lines(comes_off),
                ..Told::of(&session, comes_off)
            };
            painter.open(person, told);
        }
    }
    for failed in &ahead.failures {
        let who = failed.who;
        let comes_off = foreseen.comes_off.get(&who);
        let perils = foreseen.perils.get(&who);
        // What is expected need not come: before it was tried, no more is known.
        let expected = || {
            format!(
                "expected: {}",
                failed.why.lines().next().unwrap_or_default()
            )
        };
        let told = Told {
            odds: perils.map_or(vec![], |perils| vec![perils.odds.clone()]),
            is_tried: comes_off.is_none(),
            otherwise: perils.and_then(|perils| perils.otherwise),
            perils: match (comes_off, perils) {
                (Some(_), Some(perils)) => perils.lines(comes_off),
                _ => vec![expected()],
            },
            ..Told::of(&session, comes_off)
        };
        let draft = foreseen.draft.as_ref().filter(|draft| draft.who() == who);
        let intent = draft.map(|draft| &draft.intent).or(session.intent(who));
        let what = intent.map_or_else(|| painter.plan(who), |intent| intent.label.clone());
        painter.doubtful(who, &what, told);
    }
}

/// All that is drawn of the plans.
#[derive(PartialEq)]
struct Picture {
    foreseen: Foreseen,
    /// Each with where they stand.
    failures: Vec<(Failure, Cell)>,
    looked_at: Option<Id>,
}

impl Picture {
    fn of(session: &Session, foreseen: &Foreseen, looked_at: Option<Id>) -> Self {
        let round = session.shown().clock.round;
        let failures = session.intents().failures(round).cloned();
        let stands = |failed: Failure| {
            let at = session.shown().person(failed.who).at;
            (failed, at)
        };
        Self {
            foreseen: foreseen.timeless(),
            failures: failures.map(stands).collect(),
            looked_at,
        }
    }
}

/// Whose plan the cursor is on: where they stand, or where they would come to stand.
fn looked_at(session: &Session, selection: &Selection, foreseen: &Foreseen) -> Option<Id> {
    if selection.looked_at.is_some() {
        return selection.looked_at;
    }
    let (cursor, ahead) = (selection.cursor?, foreseen.ahead.as_ref()?);
    let is_there = |act: &&PlannedAct| {
        let person = session.shown().person(act.who);
        let mut stands = [Some(&person.at), act.path.last()].into_iter().flatten();
        stands.any(|&at| {
            Space::new(at, person.size)
                .cells()
                .any(|cell| cell == cursor)
        })
    };
    let found = ahead.acts.iter().find(is_there);
    found.map(|act| act.who)
}

/// What is told of a plan besides when it comes.
struct Told<'a> {
    /// What it could do.
    chances: Vec<Vec<Bit>>,
    /// The same of what is declared, in brief.
    odds: Vec<String>,
    comes_off: Option<&'a Tried>,
    /// What its owner may suffer by then.
    price: Option<String>,
    /// It is still being tried out.
    is_tried: bool,
    /// What is done where it does not.
    otherwise: Option<&'static str>,
    perils: Vec<String>,
    share: Share,
}

/// How much is told of what could spoil a plan.
#[derive(PartialEq)]
enum Share {
    /// That there is something.
    Count,
    /// The worst of it, while one looks at the whole plan.
    Worst,
    /// All of it, of who is looked at.
    All,
}

impl<'a> Told<'a> {
    /// All that was found out by trying it; nothing else yet.
    fn of(session: &Session, comes_off: Option<&'a Tried>) -> Self {
        Self {
            chances: vec![],
            odds: vec![],
            comes_off,
            price: comes_off.and_then(|tried| tried.price(session)),
            is_tried: false,
            otherwise: None,
            perils: vec![],
            share: Share::All,
        }
    }

    fn lines(self) -> Vec<Vec<Bit>> {
        let small = |words: String, ink: Rgb| vec![Bit::Words(words, Cut::Small, ink)];
        let mut lines = self.chances;
        let tried = self.comes_off;
        let percent = tried.map(Tried::share);
        let trying = || self.is_tried.then(|| String::from("simulating…"));
        let percent = percent.unwrap_or_else(trying);
        if self.share == Share::Count {
            let perils = (!self.perils.is_empty()).then(|| count(self.perils.len(), "risk"));
            let ink = match perils {
                Some(_) => palette::DANGER,
                None => palette::FADED_INK,
            };
            let words: Vec<String> = percent.into_iter().chain(perils).collect();
            let line = (!words.is_empty()).then(|| small(words.join(" · "), ink));
            lines.extend(line);
            return lines;
        }
        let odds = self.odds.into_iter().filter(|words| !words.is_empty());
        lines.extend(odds.map(|words| small(words, palette::INK)));
        let is_sure = tried.is_some_and(|tried| tried.percent == 100);
        let otherwise = self.otherwise.filter(|_| tried.is_some() && !is_sure);
        let otherwise = otherwise.map_or(String::new(), |words| format!("; if it fails, {words}"));
        lines.extend(percent.map(|words| small(words + &otherwise, palette::FADED_INK)));
        lines.extend(self.price.map(|words| small(words, palette::DANGER)));
        let told = match self.share {
            // One more takes no more room than to say so.
            Share::Worst if self.perils.len() > 2 => 1,
            _ => self.perils.len(),
        };
        let more = self.perils.len() - told;
        let perils = self.perils.into_iter().take(told);
        let more = (more > 0).then(|| format!("and {more} more"));
        let perils = perils.chain(more);
        lines.extend(perils.map(|words| small(words, palette::DANGER)));
        lines
    }
}

/// The rank of the label of a plan that one looks at.
const LOOKED_AT: u32 = 1;
/// From the middle of a token to its edge, in cells.
const EDGE: f32 = 0.46;

impl MarkPainter<'_, '_, '_> {
    fn ink(&self, deed: &PlannedAct, is_draft: bool) -> Rgb {
        let rank = usize::from(self.shown.person(deed.who).rank);
        match is_draft {
            true => palette::TEAL,
            false => palette::SIDES[rank % palette::SIDES.len()],
        }
    }

    /// Where somebody would go by, and from where to where its arrow goes.
    fn course(&self, deed: &PlannedAct) -> (Vec<Vec2>, Option<(Vec2, Vec2)>) {
        let size = self.shown.person(deed.who).size;
        let spots: Vec<Vec2> = deed.path.iter().map(|&c| middle(c, size).into()).collect();
        let aim = deed.at.filter(|&id| id != deed.who).and_then(|at_whom| {
            let target = self.shown.person(at_whom);
            let (end, to) = (*spots.last()?, Vec2::from(target.middle()));
            let edge = EDGE * f32::from(target.size.max(1));
            let along = (to - end).normalize_or_zero();
            Some((end + along * EDGE, to - along * edge))
        });
        (spots, aim)
    }

    fn draw(&mut self, deed: &PlannedAct, is_draft: bool) {
        let ink = self.ink(deed, is_draft);
        let (spots, aim) = self.course(deed);
        let Some(&end) = spots.last() else { return };
        for step in spots.windows(2) {
            self.stretch(step[0], step[1], ink, is_draft);
        }
        if spots.len() > 1 {
            self.ghost(Some(deed.who), Some(end));
        }
        self.dangers(&deed.drawn, &spots);
        if let Some((from, to)) = aim {
            self.arrow(from, to, ink, is_draft);
        } else if let [.., before, last] = spots[..] {
            let along = (last - before).normalize_or_zero();
            self.head(last - along * EDGE, along, ink);
        }
        if !deed.area.is_empty() {
            self.area(&deed.area, palette::PURPLE);
        }
    }

    /// When it comes, what it could do, and what could spoil it.
    fn name(&mut self, deed: &PlannedAct, when: String, is_draft: bool, told: Told, ends: &[Rect]) {
        let rank = match told.share {
            Share::All => LOOKED_AT,
            _ => 100 + u32::from(deed.who.0),
        };
        let ink = self.ink(deed, is_draft);
        let (spots, aim) = self.course(deed);
        let about = match (aim, spots.last()) {
            (Some((from, to)), _) => {
                Rect::from_center_half_size((from + to) / 2.0, Vec2::splat(0.12))
            }
            (None, Some(&end)) => Rect::from_center_half_size(end, Vec2::splat(0.5)),
            (None, None) => return,
        };
        let mut line = vec![self.whose(deed.who)];
        line.push(Bit::Words(when, Cut::Strong, ink));
        if deed.is_spell {
            let words = deed.what.clone();
            line.push(Bit::Words(words, Cut::Small, palette::INK));
        }
        let mut lines = vec![line];
        if let Some(missed) = deed.misses {
            let words = format!("can't reach {}", self.shown.person(missed).name);
            lines.push(vec![Bit::Words(words, Cut::Small, palette::DANGER)]);
        }
        lines.extend(told.lines());
        let step = |spot: &Vec2| Rect::from_center_half_size(*spot, Vec2::splat(0.3));
        let mut clear: Vec<Rect> = self.others(Id(u16::MAX)).collect();
        clear.extend(ends);
        clear.extend(spots.iter().map(step));
        let label = Label {
            about,
            clear,
            rank,
            side: Side::Above,
        };
        self.tell(label, lines);
    }

    /// The name of whose plan it is, with a colon.
    fn whose(&self, who: Id) -> Bit {
        let name = &self.shown.person(who).name;
        Bit::Words(format!("{name}:"), Cut::Small, palette::INK)
    }

    /// What somebody has declared without a target: where it comes is not foreseen.
    fn open(&mut self, person: &Person, told: Told) {
        let plan = uncapitalised(&self.plan(person.id));
        let plan = Bit::Words(plan, Cut::Small, palette::INK);
        let line = [vec![self.whose(person.id), plan]];
        let lines = line.into_iter().chain(told.lines());
        self.corner(person.id, lines.collect());
    }

    /// Why somebody's plan would not come off.
    fn failure(&mut self, who: Id, why: &str) {
        let first = why.lines().next().unwrap_or_default();
        let words = Bit::Words(first.to_owned(), Cut::Small, palette::DANGER);
        self.corner(who, vec![vec![self.whose(who), words]]);
    }

    /// What somebody has declared, as the rules tell it.
    fn plan(&self, who: Id) -> String {
        self.shown.person(who).plan.to_string()
    }

    /// What is planned that is not expected to come off, and how often it does.
    fn doubtful(&mut self, who: Id, what: &str, told: Told) {
        let words = Bit::Words(uncapitalised(what), Cut::Small, palette::INK);
        let lines = [vec![self.whose(who), words]]
            .into_iter()
            .chain(told.lines());
        self.corner(who, lines.collect());
    }

    fn corner(&mut self, who: Id, lines: Vec<Vec<Bit>>) {
        let label = Label {
            about: rect_of(self.shown.person(who).space()),
            clear: self.others(Id(u16::MAX)).collect(),
            rank: 5,
            side: Side::Corner,
        };
        self.tell(label, lines);
    }

    /// A part of a way.
    fn stretch(&mut self, from: Vec2, to: Vec2, ink: Rgb, is_draft: bool) {
        match is_draft {
            false => self.line(from, to, ink),
            true => self.dashes(from, to, ink),
        }
    }

    fn dashes(&mut self, from: Vec2, to: Vec2, ink: Rgb) {
        const DASH: f32 = 0.22;
        let way = to - from;
        let (length, along) = (way.length(), way.normalize_or_zero());
        let count = (length / (2.0 * DASH)).ceil().max(1.0);
        let step = length / count;
        for n in 0..count as u32 {
            let start = from + along * step * n as f32;
            self.line(start, start + along * step * 0.55, ink);
        }
    }

    fn arrow(&mut self, from: Vec2, to: Vec2, ink: Rgb, is_draft: bool) {
        let along = (to - from).normalize_or_zero();
        if along == Vec2::ZERO {
            return;
        }
        self.stretch(from, to - along * 0.16, ink, is_draft);
        self.head(to, along, ink);
    }

    /// The head of an arrow with its point at a place.
    fn head(&mut self, point: Vec2, along: Vec2, ink: Rgb) {
        let draw = |px: u32| marks::arrow_head(ink, (px as f32 * 0.34).round() as u32);
        let print = self.studio.print(format!("arrow head {ink:?}"), draw);
        let middle = point - along * print.size.x / 2.0;
        let turn = -along.y.atan2(along.x);
        let place = Transform::from_translation(at(middle, height::AIM + 0.01))
            .with_rotation(Quat::from_rotation_z(turn));
        self.lay((print.sprite(), place));
    }
}

/// Where those who go would come to stand: no label hides them.
fn ends(painter: &MarkPainter, acts: &[PlannedAct]) -> Vec<Rect> {
    let end = |act: &PlannedAct| {
        let size = painter.shown.person(act.who).size;
        let end: Vec2 = middle(*act.path.last()?, size).into();
        let half = Vec2::splat(0.45 * f32::from(size.max(1)));
        Some(Rect::from_center_half_size(end, half))
    };
    acts.iter().filter_map(end).collect()
}

/// "Shoot at goblin 1" as "shoot at goblin 1"; "HIGH" stays.
fn uncapitalised(words: &str) -> String {
    let mut chars = words.chars();
    let (first, rest) = (chars.next(), chars.as_str());
    match first {
        Some(first) if rest.starts_with(char::is_lowercase) => {
            first.to_lowercase().chain(rest.chars()).collect()
        }
        _ => words.to_owned(),
    }
}

/// "Count 9" as "count 9": what has no name of its own, within a line.
pub fn inline(when: &str) -> String {
    match ["Count ", "Segment "].iter().any(|it| when.starts_with(it)) {
        true => when.to_lowercase(),
        false => when.to_owned(),
    }
}
