//! Spells of all sides that have a target and have not taken effect yet: an area keeps its
//! outline, a single target the arrow to it.

use super::{
    Stage,
    mark_painter::{Layer, Layers, cell_middle},
};
use crate::{
    battle::Id,
    grid::Cell,
    ui::{
        Session, Shown, art::palette, preview::PreviewedMoment, ruleset_ui::AimedSpell,
        shown::UnitView,
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, lay.in_set(Stage::Mark));
}

/// A spell with its caster's and its target's cells, which are the ends of the arrow.
#[derive(Clone, PartialEq)]
struct Aimed {
    who: Id,
    from: Cell,
    to: Cell,
    spell: AimedSpell,
}

impl Aimed {
    fn all(shown: &Shown) -> Vec<Self> {
        let of = |unit: &UnitView| {
            let spell = unit.aimed.clone().filter(|_| unit.is_up())?;
            let to = match spell {
                AimedSpell::Unit(at) => Some(shown.unit(at)).filter(|p| p.is_there())?.at,
                AimedSpell::Area(to, _) => to,
            };
            Some(Self {
                who: unit.id,
                from: unit.at,
                to,
                spell,
            })
        };
        shown.units.iter().filter_map(of).collect()
    }
}

fn lay(
    layers: Layers,
    session: Res<Session>,
    looked: Res<PreviewedMoment>,
    mut drawn: Local<Vec<Aimed>>,
) {
    // A later moment of the round is only a preview: these spells may have taken effect by then.
    let now = match looked.0 {
        Some(_) => vec![],
        None => Aimed::all(session.shown()),
    };
    let is_news = *drawn != now || layers.is_empty(Layer::AimedSpells) != now.is_empty();
    let painter = layers.redraw(Layer::AimedSpells, is_news, session.shown());
    let Some(mut painter) = painter else { return };
    drawn.clone_from(&now);
    for aimed in now {
        match aimed.spell {
            AimedSpell::Unit(at) if at == aimed.who => painter.spell_mark(cell_middle(aimed.to)),
            AimedSpell::Unit(at) => {
                let from = painter.shown.unit(aimed.who).middle().into();
                let target = painter.shown.unit(at).space();
                painter.attack_arrow((aimed.who, from), target, true, false);
            }
            AimedSpell::Area(to, cells) => {
                painter.area(&cells, palette::PURPLE);
                painter.spell_mark(cell_middle(to));
            }
        }
    }
}
