//! Where enemies can attack on their next turn: cells hatched by the number of enemies that reach
//! them in melee after a move, or only outlined if one enemy reaches most of the board, with a
//! border around all that they could shoot or charge at; threatened allies, and the chance to hit.
//! Doors count as open, because enemies can open them first. A key shows all enemies; hovering an
//! enemy shows that one, only outlined if a click would attack it: then the attack is what counts. For units with a declared move, both the current and the final cell count,
//! because the order of moves is unknown.

use super::{
    Stage, height, intents,
    labels::{self, Bit, Label, LabelSide},
    mark_painter::{Layer, Layers, cell_middle, rect_of},
    overlays::Overlays,
};
use crate::{
    battle::{AttackForecast, Id, ThreatRange},
    grid::{Board, Cell, Space},
    ui::{
        ActionPreview, Selection, Session,
        art::{hud::Panel, marks, palette},
        places::{BoardArea, OverBoard},
        preview::{PlanPreview, Predictions},
        selection::Overlay,
        session::{
            DisplayQueries, ShownMoment,
            thinking::{FrameWait, Thinking},
        },
        shown::UnitView,
        theme::{TextStyle, text},
        widgets::{ScaledWidth, card, panel_style, rule},
    },
};
use bevy::{platform::collections::HashMap, prelude::*};
use std::{
    iter,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EnemyReach>().init_resource::<Pending>();
    app.add_systems(
        Update,
        (
            update_reach,
            lay,
            aim,
            show_danger_card.run_if(
                resource_changed::<EnemyReach>
                    .or_else(resource_changed::<Predictions>)
                    .or_else(resource_changed::<Pending>)
                    .or_else(resource_changed::<Selection>)
                    .or_else(resource_changed::<ActionPreview>),
            ),
        )
            .chain()
            .in_set(Stage::Mark),
    );
}

/// Which enemies can attack which cells.
#[derive(Resource, Default)]
pub struct EnemyReach {
    /// Whether the reach has been computed.
    is_known: bool,
    /// Covers all enemies, not only the one under the cursor.
    is_all: bool,
    /// The enemy under the cursor; `None` if `is_all`.
    enemy: Option<Id>,
    /// Enemies that can attack each cell, one bit each.
    cells: Foes,
    /// Those of them that can attack it in melee after a move, without a charge.
    melee: Foes,
    /// The enemy under the cursor reaches most of the board in melee, so that hatching it all would
    /// not help.
    is_outlined: bool,
    /// Enemies that can attack each of the player's units, at its cell or at the end of its
    /// declared move.
    on: HashMap<Id, u64>,
    /// Best attack on each of the player's units by the enemy under the cursor, or by each enemy on
    /// the player's unit under the cursor.
    attacks: Vec<AttackForecast>,
}

/// True once a calculation has run for [`WORTH_TELLING`]: the card for all enemies then says so.
/// Until it is done, the board keeps the previous reach, or none.
#[derive(Resource, Default, PartialEq)]
struct Pending(bool);

/// The opacity of the outline of an enemy's reach while a click would attack that enemy, from 0 to 1.
const QUIET: f32 = 0.5;
/// In seconds.
const WORTH_TELLING: f32 = 0.1;

/// Enemies that can attack each cell, one bit each.
type Foes = HashMap<Cell, u64>;

/// Final cells of units with declared moves.
pub(super) type Stands = Vec<(Id, Cell)>;

impl EnemyReach {
    /// Whether the board hatches cells that enemies can attack.
    pub(super) fn is_hatched(&self) -> bool {
        !self.cells.is_empty()
    }

    /// Enemies that could attack in the cell only by a charge or a shot, one bit each.
    fn only_from_afar(&self, cell: Cell) -> u64 {
        self.at(cell) & !self.melee.get(&cell).copied().unwrap_or_default()
    }

    fn at(&self, cell: Cell) -> u64 {
        self.cells.get(&cell).copied().unwrap_or_default()
    }

    /// Enemies that can attack the unit, one bit each.
    fn on(&self, who: Id) -> u64 {
        self.on.get(&who).copied().unwrap_or_default()
    }
}

/// What the reach is computed for.
#[derive(Clone, PartialEq)]
struct Wanted {
    moment: ShownMoment,
    enemies: Vec<Id>,
    /// With `is_all`, the player's unit under the cursor, whose attackers are listed with their
    /// chances; otherwise `None`.
    own: Option<Id>,
    is_all: bool,
    /// Final cells of the player's units that have declared moves.
    ends: Stands,
}

/// Final cells of the player's units that have declared moves and mostly carry them out; the draft
/// does not count.
pub(super) fn ends(session: &Session, plan_preview: &PlanPreview) -> Stands {
    let Some(timeline) = &plan_preview.timeline else {
        return vec![];
    };
    let mut ends = Stands::new();
    let is_declared = |who: Id| session.intent(who).is_some() && !plan_preview.is_draft(who);
    let goes = |who: Id| is_declared(who) && plan_preview.mostly_succeeds(who);
    for act in timeline.acts.iter().filter(|act| goes(act.who)) {
        let Some(&end) = act.path.last() else {
            continue;
        };
        ends.retain(|known| known.0 != act.who);
        ends.push((act.who, end));
    }
    ends.retain(|&(who, end)| session.shown().unit(who).at != end);
    ends
}

/// Computes the reach on a background thread: in a large battle it takes longer than a frame.
#[derive(Default)]
struct ReachJob {
    wanted: Option<Wanted>,
    /// Results for the current state and the current final cells.
    known: Option<Arc<Mutex<KnownReach>>>,
    thinks: Option<Thinking<Option<EnemyReach>>>,
    is_begun: bool,
    /// Seconds since the calculation began.
    thought: f32,
}

/// Keeps the reach up to date.
fn update_reach(
    session: Res<Session>,
    (selection, overlays): (Res<Selection>, Res<Overlays>),
    plan_preview: Res<PlanPreview>,
    (frame_wait, time): (Res<FrameWait>, Res<Time>),
    (mut reach, mut pending): (ResMut<EnemyReach>, ResMut<Pending>),
    mut job: Local<ReachJob>,
) {
    let is_new = session.is_changed()
        || selection.is_changed()
        || overlays.is_changed()
        || plan_preview.is_changed();
    let mut wait = Duration::ZERO;
    if is_new {
        let wanted = wanted(&session, &selection, &overlays, &plan_preview);
        if job.wanted.as_ref() != Some(&wanted) {
            // The old reach stays visible unless the enemy or the battle is a different one.
            let fresh = wanted.nothing();
            let is_other = (reach.is_all, reach.enemy) != (fresh.is_all, fresh.enemy);
            let then = job.wanted.as_ref().map(|wanted| wanted.moment);
            let goes_on = then.is_some_and(|then| then.leads_to(wanted.moment));
            if is_other || !goes_on || wanted.enemies.is_empty() {
                *reach = fresh;
            }
            job.turn_to(wanted);
        }
        // Waits for the plan preview, which gives the final cells; they don't depend on the draft.
        if !job.is_begun && plan_preview.knows_plans(session.moment()) {
            job.begin(&session);
            wait = frame_wait.0;
        }
    }
    let thinks = job.thinks.as_mut();
    if let Some(found) = thinks.and_then(|thinks| thinks.done_within(wait)) {
        job.thinks = None;
        let mut found = found.unwrap_or_default();
        let board = &session.shown().board;
        found.is_outlined = !found.is_all && is_most(found.melee.len(), board);
        // Always replaced: units may have moved even if the reach is equal.
        *reach = found;
    }
    job.thought = match job.thinks {
        Some(_) => job.thought + time.delta_secs(),
        None => 0.0,
    };
    pending.set_if_neq(Pending(job.thought >= WORTH_TELLING));
}

fn wanted(
    session: &Session,
    selection: &Selection,
    overlays: &Overlays,
    plan_preview: &PlanPreview,
) -> Wanted {
    let is_all = overlays.has(Overlay::Threats);
    Wanted {
        enemies: match is_all {
            true => session.known_enemies(),
            false => Vec::from_iter(pointed_at(session, selection)),
        },
        own: is_all.then(|| own_at(session, selection)).flatten(),
        ends: ends(session, plan_preview),
        moment: session.moment(),
        is_all,
    }
}

impl Wanted {
    /// What is shown before the reach is known.
    fn nothing(&self) -> EnemyReach {
        EnemyReach {
            is_known: self.enemies.is_empty(),
            is_all: self.is_all,
            enemy: self.enemies.first().copied().filter(|_| !self.is_all),
            ..default()
        }
    }
}

impl ReachJob {
    fn turn_to(&mut self, wanted: Wanted) {
        let of = |wanted: &Wanted| (wanted.moment, wanted.ends.clone());
        if self.wanted.as_ref().map(of) != Some(of(&wanted)) {
            self.known = None;
        }
        (self.thinks, self.is_begun) = (None, wanted.enemies.is_empty());
        self.wanted = Some(wanted);
    }

    fn begin(&mut self, session: &Session) {
        let Some(wanted) = self.wanted.clone() else {
            return;
        };
        self.is_begun = true;
        let fresh = || Arc::new(Mutex::new(KnownReach::new(session.queries_copy())));
        let known = self.known.get_or_insert_with(fresh).clone();
        let own = session.shown().members(session.player());
        let own = own.filter(|p| p.is_up()).map(|p| (p.id, p.space()));
        let own: Vec<(Id, Space)> = own.collect();
        self.thinks = Some(Thinking::soon(move |dropped| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            known.reach(&wanted, &own, dropped)
        }));
    }
}

/// Results since the state last changed.
struct KnownReach {
    queries: DisplayQueries,
    /// Reach of an enemy; the flag is set if the player's units stand at their final cells.
    ranges: HashMap<(Id, bool), ThreatRange>,
    /// Attack of an enemy on a unit; the flag is set if the player's units stand at their final
    /// cells.
    attacks: HashMap<(Id, Id, bool), Option<AttackForecast>>,
}

impl KnownReach {
    fn new(queries: DisplayQueries) -> Self {
        Self {
            queries,
            ranges: HashMap::default(),
            attacks: HashMap::default(),
        }
    }

    /// Computes the reach; `None` if `enough` stopped it.
    fn reach(
        &mut self,
        wanted: &Wanted,
        own: &[(Id, Space)],
        enough: &dyn Fn() -> bool,
    ) -> Option<EnemyReach> {
        let mut reach = wanted.nothing();
        let at_end = (!wanted.ends.is_empty()).then_some(true);
        for moved in iter::once(false).chain(at_end) {
            let stands: &[(Id, Cell)] = if moved { &wanted.ends } else { &[] };
            self.add(wanted, own, (moved, stands), &mut reach, enough)?;
        }
        reach.is_known = true;
        Some(reach)
    }

    /// Adds what the enemies can do with the player's units at `stands`; `None` if `enough` stopped
    /// it.
    fn add(
        &mut self,
        wanted: &Wanted,
        own: &[(Id, Space)],
        (moved, stands): (bool, &[(Id, Cell)]),
        reach: &mut EnemyReach,
        enough: &dyn Fn() -> bool,
    ) -> Option<()> {
        let queries = &self.queries;
        let mut cells = Foes::default();
        for &enemy in &wanted.enemies {
            let range = self.ranges.entry((enemy, moved));
            let range = range.or_insert_with(|| queries.threat_range_if(enemy, stands));
            for cell in range.cells() {
                *cells.entry(cell).or_default() |= enemy.bit();
            }
            for &cell in &range.strikes {
                *reach.melee.entry(cell).or_default() |= enemy.bit();
            }
            if enough() {
                return None;
            }
        }
        for &(at, space) in own {
            if enough() {
                return None;
            }
            let end = stands.iter().find(|(who, _)| *who == at);
            let space = end.map_or(space, |end| Space::new(end.1, space.size));
            let there = space.cells().filter_map(|cell| cells.get(&cell));
            let could = there.fold(0, |all, enemies| all | enemies);
            *reach.on.entry(at).or_default() |= could;
            if wanted.is_all && wanted.own != Some(at) {
                continue;
            }
            let can = |enemy: &&Id| could & enemy.bit() != 0;
            for &enemy in wanted.enemies.iter().filter(can) {
                let attack = self.attacks.entry((enemy, at, moved));
                let forecast = attack.or_insert_with(|| queries.coming((enemy, at), stands));
                reach.keep(forecast.clone());
            }
        }
        for (cell, enemies) in cells {
            *reach.cells.entry(cell).or_default() |= enemies;
        }
        Some(())
    }
}

impl EnemyReach {
    /// Keeps the better attack for each pair of enemy and target.
    fn keep(&mut self, attack: Option<AttackForecast>) {
        let Some(forecast) = attack else { return };
        let mut known = self.attacks.iter_mut();
        match known.find(|known| (known.by, known.at) == (forecast.by, forecast.at)) {
            Some(known) if known.worth < forecast.worth => *known = forecast,
            Some(_) => {}
            None => self.attacks.push(forecast),
        }
    }
}

/// The player's unit at the cursor.
fn own_at(session: &Session, selection: &Selection) -> Option<Id> {
    let under = selection.pointed(session.shown())?;
    (under.side == session.player()).then_some(under.id)
}

/// The enemy under the cursor; `None` while an action waits for its target, while others act and
/// behind a prompt: what happens there must not lie under the hatching.
fn pointed_at(session: &Session, selection: &Selection) -> Option<Id> {
    let under = selection.pointed(session.shown())?;
    let is_free = selection.armed.is_none() && selection.warning.is_none();
    let is_free = is_free && session.is_players_turn();
    let is_enemy = session.known_enemies().contains(&under.id);
    (is_free && is_enemy).then_some(under.id)
}

/// Whether a number of cells is most of the board: hatching them all would not help.
fn is_most(cells: usize, board: &Board) -> bool {
    let standable = board
        .cells()
        .filter(|&cell| board.can_stand(Space::one(cell)));
    2 * cells > standable.count()
}

fn lay(
    layers: Layers,
    session: Res<Session>,
    (reach, predictions, overlays): (Res<EnemyReach>, Res<Predictions>, Res<Overlays>),
    preview: Res<ActionPreview>,
    mut laid: Local<(Vec<Cell>, bool)>,
) {
    // All enemies together reach most of the board. What counts is where the selected unit can
    // move; with no such cells, all are hatched. If a single enemy reaches most of the board, what
    // counts is which of the player's units it reaches.
    let within: Vec<Cell> = if reach.is_outlined {
        let own = session.shown().members(session.player());
        let own = own.filter(|unit| unit.is_up());
        own.flat_map(|unit| unit.space().cells()).collect()
    } else if reach.is_all {
        preview.reach.iter().map(|end| end.cell).collect()
    } else {
        vec![]
    };
    // The attack that a click would make is more important; a key shows all of the reach.
    let is_target = reach.enemy.is_some() && preview.click.target() == reach.enemy;
    let is_quiet = is_target && !overlays.has(Overlay::Numbers);
    let now = (within, is_quiet);
    let is_news =
        reach.is_changed() || *laid != now || predictions.is_changed() || overlays.is_changed();
    let painter = layers.redraw(Layer::EnemyReach, is_news, session.shown());
    let Some(mut painter) = painter else { return };
    *laid = now;
    let (hatched_cells, _) = &*laid;
    let px = painter.px();
    let places = |foes: &Foes| Vec::from_iter(foes.keys().copied());
    if is_quiet {
        let foes = match reach.melee.is_empty() {
            true => &reach.cells,
            false => &reach.melee,
        };
        if let Some(border) = marks::thin_border(&places(foes), palette::DANGER, px) {
            painter.alpha = QUIET;
            let border = painter.sprites.placed(border, height::REACH + 0.2);
            painter.lay(border);
        }
        return;
    }
    let is_whole = !reach.is_outlined && hatched_cells.is_empty();
    let is_hatched = |cell: &Cell| is_whole || hatched_cells.contains(cell);
    for (&cell, enemies) in reach.melee.iter().filter(|(cell, _)| is_hatched(cell)) {
        let enemies = enemies.count_ones().min(3) as usize;
        let draw = |px| marks::attacked(enemies, px);
        let name = format!("attacked {enemies}");
        let image = painter.sprites.get_or_draw(name, draw);
        painter.place_image(&image, cell_middle(cell), height::REACH + 0.2);
    }
    let mut cells = reach.cells.keys();
    let has_afar = cells.any(|&cell| reach.only_from_afar(cell) != 0);
    let afar = has_afar.then(|| marks::dashed_border(&places(&reach.cells), palette::DANGER, px));
    let melee = reach
        .is_outlined
        .then(|| marks::thin_border(&places(&reach.melee), palette::DANGER, px));
    for border in [afar, melee].into_iter().flatten().flatten() {
        let border = painter.sprites.placed(border, height::REACH + 0.2);
        painter.lay(border);
    }
    if !reach.is_all {
        // The arrows show likely actions; the numbers appear while their key is held.
        if !overlays.has(Overlay::Numbers) {
            return;
        }
        let own = session.shown().members(session.player());
        for unit in own.filter(|p| p.is_up()) {
            let at = unit.id;
            let attack = reach.attacks.iter().find(|forecast| forecast.at == at);
            let likely = reach
                .enemy
                .and_then(|enemy| predictions.on(&session, enemy, at));
            if attack.is_none() && likely.is_none() {
                continue;
            }
            // A charge may reach further or hit better than the plain attack in the reach.
            let hits = likely.and_then(|likely| likely.hits);
            let hits =
                hits.filter(|&hits| attack.is_none_or(|b| b.mean.is_none() && hits > b.percent));
            let drops = attack.filter(|forecast| hits.is_none() && forecast.drop_percent > 0);
            let name = &unit.name;
            let mean = attack
                .filter(|_| hits.is_none())
                .and_then(|forecast| forecast.mean);
            let percent = hits.or(attack.map(|forecast| forecast.percent));
            let (chance, words) = match (mean, percent) {
                (Some(mean), _) => (
                    Some(format!("{mean:.1}")),
                    format!("damage to {name}: up to"),
                ),
                (None, Some(percent)) => (
                    Some(format!("{percent}%")),
                    format!("chance to hit {name}: up to"),
                ),
                (None, None) => (None, name.clone()),
            };
            let mut line = vec![Bit::small(words, palette::INK)];
            line.extend(
                chance.map(|chance| Bit::Words(chance, TextStyle::Strong, palette::DANGER)),
            );
            line.extend(drops.map(|forecast| {
                let words = format!("· {}% to drop", forecast.drop_percent);
                Bit::small(words, palette::DANGER)
            }));
            let mut lines = vec![line];
            if let Some(likely) = likely {
                let words = format!("attacks {name}: {}%", likely.percent);
                lines.push(vec![Bit::small(words, palette::DANGER)]);
            }
            let card = labels::label(&mut painter.commands, label_of(&session, unit), lines);
            let mut card = painter.commands.entity(card);
            card.insert((painter.layer, Threatened(at)));
        }
        return;
    }
    let own = session.shown().members(session.player());
    for unit in own.filter(|p| p.is_up()) {
        let enemies = attackers(&session, &reach, &predictions, unit.id).len();
        if enemies > 0 {
            let disc = (px as f32 * 0.34).round() as u32;
            let draw = |_| marks::attackers(enemies, disc);
            let name = format!("attackers {enemies}");
            let image = painter.sprites.get_or_draw(name, draw);
            let middle: Vec2 = unit.middle().into();
            let out = 0.5 * f32::from(unit.size.max(1)) - 0.14;
            let place = middle - Vec2::splat(out);
            painter.place_image(&image, place, height::DANGER);
        }
    }
}

/// The enemies that are likely to attack a unit, and the enemies without a prediction that could.
fn attackers(session: &Session, reach: &EnemyReach, predictions: &Predictions, who: Id) -> Vec<Id> {
    let attacks = |&enemy: &Id| match predictions.of(session, enemy) {
        Some(all) => intents::attack(enemy, all).is_some_and(|it| it.aim.target() == Some(who)),
        None => reach.on(who) & enemy.bit() != 0,
    };
    let enemies = session.known_enemies().into_iter();
    enemies.filter(attacks).collect()
}

/// With all enemies shown, draws lines from those that see the cell under the cursor, and could attack
/// there only by a charge or a shot.
fn aim(
    layers: Layers,
    session: Res<Session>,
    (selection, reach): (Res<Selection>, Res<EnemyReach>),
    mut drawn: Local<Vec<(Space, Space)>>,
) {
    let shown = session.shown();
    let lines = |cell: Cell| -> Vec<(Space, Space)> {
        let own = own_at(&session, &selection);
        let to = own.map_or(Space::one(cell), |id| shown.unit(id).space());
        let afar = reach.only_from_afar(cell);
        let enemies = shown.units.iter().filter(|unit| afar & unit.id.bit() != 0);
        let spaces = enemies.map(|unit| unit.space());
        let seen = spaces.filter(|&from| shown.board.sight(from, to).los);
        seen.map(|from| (from, to)).collect()
    };
    let cursor = selection.cursor.filter(|_| reach.is_all);
    let now = cursor.map_or(vec![], lines);
    let Some(mut painter) = layers.redraw(Layer::Threats, *drawn != now, shown) else {
        return;
    };
    for &(from, to) in &now {
        painter.aim(from, to, palette::DANGER);
    }
    *drawn = now;
}

/// The enemy's chance to hit this unit on its next turn.
#[derive(Component)]
pub struct Threatened(pub Id);

/// Places a label beside the target and clear of the player's units.
fn label_of(session: &Session, at: &UnitView) -> Label {
    let place = |unit: &UnitView| rect_of(unit.space());
    let own = session.shown().members(session.player());
    Label {
        about: place(at),
        clear: own.map(place).collect(),
        rank: 5 + u32::from(at.id.0),
        side: LabelSide::Above,
    }
}

/// The card that lists units in danger.
#[derive(Component)]
pub struct DangerCard;

/// The card's heading with its colour, and the enemies that can attack at the cursor.
type Lines = (String, palette::Rgb, String);

fn show_danger_card(
    mut commands: Commands,
    session: Res<Session>,
    (selection, preview): (Res<Selection>, Res<ActionPreview>),
    (reach, pending): (Res<EnemyReach>, Res<Pending>),
    predictions: Res<Predictions>,
    area: Single<Entity, With<BoardArea>>,
    card_there: Query<Entity, With<DangerCard>>,
    mut shown_lines: Local<Option<Lines>>,
) {
    // The action menus use this corner too, so the card makes way for them.
    let is_free = preview.menu.is_none() && !selection.more;
    let lines = || match pending.0 {
        true => (String::from("Calculating…"), palette::INK, String::new()),
        false => lines(&session, &selection, &reach, &predictions),
    };
    let is_told = reach.is_known || pending.0;
    let now = (reach.is_all && is_free && is_told).then(lines);
    if *shown_lines == now && card_there.is_empty() == now.is_none() {
        return;
    }
    *shown_lines = now;
    card_there
        .iter()
        .for_each(|card| commands.entity(card).despawn());
    let Some((heading, ink, cursor)) = &*shown_lines else {
        return;
    };
    let node = Node {
        position_type: PositionType::Absolute,
        right: px(0),
        bottom: px(0),
        row_gap: px(2),
        ..card()
    };
    let parts = (
        DangerCard,
        OverBoard,
        ChildOf(*area),
        node,
        ScaledWidth(250.0),
        panel_style(Panel::Card),
        Pickable::IGNORE,
    );
    commands.spawn(parts).with_children(|card| {
        card.spawn(text(heading.clone(), TextStyle::Strong, *ink));
        card.spawn(rule());
        let words = match cursor.is_empty() {
            true => String::from("Hover a cell to see which enemies."),
            false => cursor.clone(),
        };
        card.spawn(text(words, TextStyle::Small, palette::INK));
    });
}

fn lines(
    session: &Session,
    selection: &Selection,
    reach: &EnemyReach,
    predictions: &Predictions,
) -> Lines {
    let shown = session.shown();
    let own = shown.members(session.player());
    let own = own.filter(|p| p.is_up());
    let counted = own.filter_map(|p| {
        let enemies = attackers(session, reach, predictions, p.id).len();
        (enemies > 0).then(|| format!("{} ({enemies})", p.name))
    });
    let counted: Vec<String> = counted.collect();
    let could = reach.on.values().any(|&enemies| enemies != 0);
    let (heading, ink) = match counted.is_empty() {
        true if could => (
            String::from("No attack on your units is likely"),
            palette::INK,
        ),
        true => (String::from("Nobody is in danger"), palette::INK),
        false => {
            let heading = format!("In danger: {}", counted.join(", "));
            (heading, palette::DANGER)
        }
    };
    let own = own_at(session, selection);
    let with = |enemy: Id| {
        let mut attacks = reach.attacks.iter();
        let attack = attacks.find(|forecast| forecast.by == enemy && Some(forecast.at) == own);
        attack.map_or(String::new(), |forecast| {
            let charges = session
                .queries
                .rules
                .planning
                .is_charge(forecast.choice.verb);
            let how = if charges { "charge, " } else { "" };
            format!(" ({how}{} {})", forecast.weapon, forecast.chance())
        })
    };
    let names = |set: u64| -> Vec<String> {
        let units = shown.units.iter();
        let there = units.filter(|p| set & p.id.bit() != 0);
        there.map(|p| format!("{}{}", p.name, with(p.id))).collect()
    };
    let cursor = selection.cursor.map(|cell| names(reach.at(cell)));
    let cursor = match cursor.as_deref() {
        None => String::new(),
        Some([]) => String::from("No enemy can attack here"),
        Some(names) => {
            let could = format!("Enemies can attack here: {}", names.join(", "));
            let likely = own.map(|who| attackers(session, reach, predictions, who));
            let likely = likely.filter(|likely| likely.len() < names.len());
            let likely = likely.map(|likely| {
                let likely = likely.iter().map(|&id| &*shown.unit(id).name);
                match Vec::from_iter(likely).join(", ") {
                    none if none.is_empty() => String::from("None of them is likely to"),
                    likely => format!("Likely to: {likely}"),
                }
            });
            Vec::from_iter([could].into_iter().chain(likely)).join("\n")
        }
    };
    (heading, ink, cursor)
}
