//! The page of the battle builder: the choices on the left; on the right the map, the
//! squads and the units that can join them.

use super::{
    BuilderButton as B, Last, ProgressBar, ProgressWords, TitleEntry,
    draft::{BUDGET, BattleDraft, MapSource, OPPONENTS, line as line_of},
};
use crate::{
    battle::capitalised,
    content::Content,
    lab::points::{self, Points},
    levels::{
        Level,
        compose::Aim,
        generate::{Form, MAX_SIDES},
    },
    rulesets,
    ui::{
        Options, Screen,
        art::{hud::Panel, palette, portrait::Portrait, tokens::Base},
        entry::entry,
        hud::SmallPictures,
        input::FirstFocus,
        pictures::SmallPicture,
        portraits,
        redraw::KeepRedrawing,
        room::Room,
        saves::browser::controller_name,
        screens::{PageRoot, new_page, sheet},
        scrollbars::KeepsScroll,
        small_map,
        theme::{self, TextStyle, body_text, faded, strong_text, text},
        widgets::{
            NodeExt, SpawnWith, Tip, button, card, column, fill_height, fill_width, page_button,
            panel_style, rigid, row, rule, scrolling_column, sized, spacer, wide_column,
            word_button, wrapping_row,
        },
    },
};
use bevy::prelude::*;
use std::sync::Arc;

/// The space that everything but the map picture takes up, in layout pixels.
const AROUND: Vec2 = Vec2::new(640.0, 470.0);

/// What the parts of the page need.
struct Maker<'a> {
    draft: &'a BattleDraft,
    last: Option<B>,
}

impl Maker<'_> {
    /// A small button, highlighted if it is chosen.
    fn choice(&self, place: &mut ChildSpawnerCommands, words: &str, what: B, is_chosen: bool) {
        let panel = Panel::Card.active_if(is_chosen);
        self.small(place, words, what, panel, Tip::default());
    }

    fn small(
        &self,
        place: &mut ChildSpawnerCommands,
        words: &str,
        what: B,
        panel: Panel,
        tip: Tip,
    ) {
        page_button(place, words, what, (panel, tip), self.last == Some(what));
    }
}

pub(super) fn build(
    mut commands: Commands,
    old: Query<Entity, With<PageRoot>>,
    (options, draft, last): (Res<Options>, Res<BattleDraft>, Res<Last>),
    mut icons: SmallPictures,
    room: Room,
) {
    let maker = Maker {
        draft: &draft,
        last: last.0,
    };
    let level = draft.level();
    let picture = level.as_ref().ok();
    let picture = picture.map(|level| preview(&mut icons, level, &room));
    let sheet = sheet(&mut icons);
    let builder = ("Builder page", Screen::Builder);
    new_page(&mut commands, old, builder, sheet).with_children(|page| {
        let body = fill_height(default()).column_gap(theme::GAP * 2.0);
        page.group(body, |body| {
            let node = rigid(column(6.0).width(px(330)).scrolling());
            body.spawn_with((node, KeepsScroll("choices")), |left| {
                choices(left, &maker, &options.levels())
            });
            let node = fill_width(card()).row_gap(8.0);
            body.spawn_with((node, panel_style(Panel::Card)), |right| {
                // The buttons below stay visible, however long the content
                // above is.
                let above = scrolling_column(8.0);
                let wrong = level.err();
                let can_start = wrong.is_none();
                right.spawn_with((above, KeepsScroll("squads")), |above| {
                    result(above, &maker, (wrong, picture), &mut icons)
                });
                foot(right, &maker, can_start);
            });
        });
    });
}

/// A picture of the map with all units on it, and its size.
fn preview(icons: &mut SmallPictures, level: &Level, room: &Room) -> (Handle<Image>, Vec2) {
    let space = room.size() - AROUND;
    let (cell_px, size) = small_map::fit(&level.board(), space, room.screen_scale());
    (icons.images.add(small_map::start(level, cell_px)), size)
}

fn choices(left: &mut ChildSpawnerCommands, maker: &Maker, levels: &[Arc<Level>]) {
    let draft = maker.draft;
    left.spawn(text("Build a battle", TextStyle::Title, palette::INK));
    left.spawn(faded("Random map"));
    let made = match &draft.ground {
        MapSource::Made(form, _) => Some(*form),
        MapSource::Of(_) => None,
    };
    left.group(wrapping_row(4.0, 4.0), |forms| {
        for form in Form::ALL {
            let words = capitalised(form.name());
            maker.choice(forms, &words, B::Form(form), made == Some(form));
        }
        if made.is_some() {
            let tip = Tip::text("New random map of this type");
            maker.small(forms, "Reroll", B::Reroll, Panel::Button, tip);
        }
    });
    left.spawn(faded("Or use a level's map"));
    let node = rigid(column(4.0).height(px(112)).padding(2.0, 2.0).scrolling());
    left.spawn_with((node, KeepsScroll("maps")), |maps| {
        for (n, level) in levels.iter().enumerate() {
            let is_it = |of: &MapSource| matches!(of, MapSource::Of(of) if of.id == level.id);
            maker.choice(maps, &level.title, B::Map(n), is_it(&draft.ground));
        }
    });
    left.spawn(faded("Squads and point limit"));
    left.group(wrapping_row(4.0, 4.0), |row| {
        for sides in 2..=MAX_SIDES.min(draft.most_squads()) {
            let is_chosen = draft.squads.len() == sides;
            maker.choice(row, &sides.to_string(), B::Sides(sides), is_chosen);
        }
        row.spawn(spacer());
        let (least, most, step) = BUDGET;
        let less = draft.budget.saturating_sub(step).max(least);
        let more = (draft.budget + step).min(most);
        maker.small(row, "−", B::Budget(less), Panel::Card, Tip::default());
        row.spawn(strong_text(draft.budget.to_string()));
        maker.small(row, "+", B::Budget(more), Panel::Card, Tip::default());
    });
    left.spawn(faded("Objective"));
    left.group(wrapping_row(4.0, 4.0), |row| {
        for aim in Aim::ALL {
            maker.choice(row, aim.name(), B::Aim(aim), draft.aim == aim);
        }
    });
    left.spawn(faded("Combat system"));
    left.group(wrapping_row(4.0, 4.0), |row| {
        for (n, rules) in rulesets::ALL.iter().enumerate() {
            maker.choice(row, rules.id, B::Rules(n), draft.rules == n);
        }
    });
    left.spawn(faded("Opponents"));
    left.group(wrapping_row(4.0, 4.0), |row| {
        for (n, controller) in OPPONENTS.into_iter().enumerate() {
            let words = capitalised(controller_name(controller));
            maker.choice(row, &words, B::Opponent(n), draft.opponent == n);
        }
    });
}

fn result(
    right: &mut ChildSpawnerCommands,
    maker: &Maker,
    (wrong, picture): (Option<String>, Option<(Handle<Image>, Vec2)>),
    icons: &mut SmallPictures,
) {
    let draft = maker.draft;
    let top = rigid(Node::default().align(AlignItems::Start).column_gap(16.0));
    right.group(top, |top| {
        if let Some((image, size)) = picture {
            top.spawn((ImageNode::new(image), sized(size.x, size.y)));
        }
        let node = wide_column(8.0).min_width(px(150));
        top.group(node, |side| fairness(side, maker, wrong.as_deref()));
    });
    right.spawn(rule());
    right.group(rigid(Node::default().column_gap(10.0)), |squads| {
        for n in 0..draft.squads.len() {
            squad(squads, maker, n, icons);
        }
    });
    right.spawn(rule());
    muster(right, maker, icons);
}

/// The name of the battle, and the buttons that save, start or leave.
fn foot(right: &mut ChildSpawnerCommands, maker: &Maker, can_start: bool) {
    let draft = maker.draft;
    right.group(wrapping_row(8.0, 4.0), |foot| {
        let any = |c: char| !c.is_control();
        let title = entry("Level name", &draft.title, 200.0, 40, any);
        foot.spawn((TitleEntry, title));
        foot.spawn((word_button("Save as a level", Panel::Button), B::Save));
        foot.spawn(spacer());
        foot.spawn((word_button("Back", Panel::Button), B::Back));
        let panel = Panel::ButtonPrimary.pale_if(!can_start);
        foot.spawn((word_button("Start", panel), B::Start));
    });
}

/// How fair the battle is, and the buttons that test or balance it.
fn fairness(side: &mut ChildSpawnerCommands, maker: &Maker, wrong: Option<&str>) {
    let draft = maker.draft;
    if draft.is_busy && wrong.is_none() {
        return busy(side);
    }
    let words = match (wrong, draft.win_rate) {
        (Some(wrong), _) => wrong.to_owned(),
        (None, Some(win_rate)) => line_of(win_rate),
        (None, None) => {
            let [first, other] = [0, 1].map(|n| draft.worth(n).points);
            let gap = (first / other.max(0.1)).ln().abs();
            String::from(match gap {
                ..0.12 => "Evenly matched on points.",
                _ if first > other => "Your squad is stronger on points.",
                _ => "Your squad is weaker on points.",
            })
        }
    };
    let ink = match wrong {
        Some(_) => palette::DANGER,
        None => palette::INK,
    };
    side.spawn(text(words, TextStyle::Body, ink));
    let tip = "Find opponents for your squad so that the Quick AI wins as often with either";
    let fair = word_button("Find a fair fight", Panel::Button);
    side.spawn((fair, B::Fair, Tip::text(tip)));
    if wrong.is_none() {
        let tip = Tip::text("Simulate 100 battles, with the Quick AI on all sides");
        side.spawn((word_button("Simulate", Panel::Button), B::Try, tip));
    }
}

/// The progress of the running test, and the button that stops it.
fn busy(side: &mut ChildSpawnerCommands) {
    side.spawn((body_text(""), ProgressWords, KeepRedrawing));
    let groove = Node::default().width(percent(100)).max_width(px(300));
    let ground = theme::colour(palette::STONE_DARK).with_alpha(0.4);
    let bar = Node::default().width(percent(0)).height(percent(100));
    let fill = BackgroundColor(theme::colour(palette::TEAL));
    side.spawn((
        rigid(groove.height(px(8))),
        BackgroundColor(ground),
        children![(bar, ProgressBar, fill)],
    ));
    let tip = Tip::text("Stop; the squads don't change");
    side.spawn((word_button("Stop", Panel::Button), B::Stop, tip));
}

/// Points as text: one decimal below 10, otherwise whole.
fn number(points: f64) -> String {
    match points {
        ..9.95 => format!("{points:.1}"),
        _ => format!("{points:.0}"),
    }
}

/// The card of a squad with its members.
fn squad(place: &mut ChildSpawnerCommands, maker: &Maker, n: usize, icons: &mut SmallPictures) {
    let (draft, squad) = (maker.draft, &maker.draft.squads[n]);
    let panel = Panel::Card.active_if(draft.picked == n);
    let node = fill_width(card()).row_gap(2.0).padding(8.0, 8.0);
    place.spawn_with((node, panel_style(panel)), |list| {
        let head = Panel::Button.active_if(draft.picked == n);
        maker.small(list, &squad.name, B::Pick(n), head, Tip::default());
        let Points { points, error } = draft.worth(n);
        let words = format!(
            "{} ± {} of {} points",
            number(points),
            number(error),
            draft.budget
        );
        let ink = match points > f64::from(draft.budget) {
            true => palette::DANGER,
            false => palette::FADED_INK,
        };
        list.spawn(text(words, TextStyle::Small, ink));
        let kinds = points::kinds();
        for (kind, count) in &squad.members {
            list.group(row(6.0), |row| {
                spawn_portrait(row, kind, (n, MEMBER), icons);
                row.group(column(0.0), |words| {
                    words.spawn(body_text(format!("{count} × {}", name(kind))));
                    let line = stats(draft, kind).into_iter().next();
                    words.spawn(faded(line.unwrap_or_default()));
                });
                row.spawn(spacer());
                if let Some(at) = kinds.iter().position(|known| known == kind) {
                    let tip = Tip::text("Remove one");
                    maker.small(row, "−", B::Remove(n, at), Panel::Card, tip);
                }
            });
        }
    });
}

/// The size of a portrait in a squad, and of one in the list of units that can join,
/// in layout pixels.
const MEMBER: f32 = 34.0;
const JOINS: f32 = 30.0;

/// The portrait of a kind, coloured for its squad.
fn spawn_portrait(
    place: &mut ChildSpawnerCommands,
    kind: &str,
    (squad, size): (usize, f32),
    icons: &mut SmallPictures,
) {
    let Some(creature) = Content::built_in().creature(kind) else {
        return;
    };
    let portrait = Portrait {
        base: Base::of_rank(squad as u8),
        ..portraits::of(creature)
    };
    place.spawn(icons.square(SmallPicture::Portrait(portrait, false), size));
}

/// The abilities of a kind, one line each: "HP 10, 30 ft a move", then weapons and
/// spells.
fn stats(draft: &BattleDraft, kind: &str) -> Vec<String> {
    let Some(creature) = Content::built_in().creature(kind) else {
        return vec![];
    };
    let hp = (draft.rules().hit_points)(creature);
    let armour = creature.armour.iter().chain(&creature.shield);
    let armour: Vec<&str> = armour.map(|it| it.name.as_str()).collect();
    let armour = match armour.is_empty() {
        true => String::from("no armour"),
        false => armour.join(", "),
    };
    let weapons = creature.weapons.iter().chain(&creature.off_hand);
    let weapons: Vec<&str> = weapons.map(|it| it.name.as_str()).collect();
    let spells: Vec<&str> = creature.spells.iter().map(|it| it.name.as_str()).collect();
    let more = [weapons.join(", "), spells.join(", ")];
    let more = more.into_iter().filter(|line| !line.is_empty());
    let first = format!("HP {hp}, {} ft, {armour}", creature.speed);
    std::iter::once(first).chain(more).collect()
}

fn name(kind: &str) -> String {
    let known = Content::built_in().creature(kind);
    known.map_or_else(|| kind.to_owned(), |creature| creature.name.clone())
}

/// The units that can join the selected squad.
fn muster(place: &mut ChildSpawnerCommands, maker: &Maker, icons: &mut SmallPictures) {
    let draft = maker.draft;
    let squad = draft.squads[draft.picked].name.to_lowercase();
    place.spawn(faded(format!("Click to add to {squad}:")));
    let node = Node {
        flex_wrap: FlexWrap::Wrap,
        align_content: AlignContent::Start,
        ..scrolling_column(4.0)
            .min_height(px(96))
            .padding(2.0, 2.0)
            .in_row(4.0)
    };
    place.spawn_with((node, KeepsScroll("kinds")), |all| {
        for (n, kind) in points::kinds().iter().enumerate() {
            let Some(of) = points::of(draft.rules(), kind) else {
                continue;
            };
            let refused = draft.refuses(kind);
            let panel = Panel::Card.pale_if(refused.is_some());
            let words = format!("{} ± {} points", number(of.points), number(of.error));
            let mut tip = Tip::text(words);
            if let Some(why) = refused {
                tip = tip.line(capitalised(&why), TextStyle::Small, palette::DANGER);
            }
            for line in stats(draft, kind) {
                tip = tip.small(line);
            }
            let node = Node::default()
                .width(px(178))
                .justify(JustifyContent::Start)
                .column_gap(6.0)
                .padding(6.0, 2.0);
            let mut spawned = all.spawn((button(panel, node), B::Add(n), tip));
            spawned.insert_if(FirstFocus, || maker.last == Some(B::Add(n)));
            spawned.with_children(|button| {
                spawn_portrait(button, kind, (draft.picked, JOINS), icons);
                let title = text(capitalised(&name(kind)), TextStyle::Label, panel.text());
                button.spawn((fill_width(default()), children![title]));
                button.spawn(text(number(of.points), TextStyle::Label, panel.text()));
            });
        }
    });
}
