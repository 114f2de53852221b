//! Test play: starts a battle on the current level, and returns to the editor
//! afterwards.

use super::{simulate::Simulation, state::EditorState};
use crate::{
    battle::Ruleset,
    control::{Player, Strategist, recording::SideController},
    levels::Level,
    rulesets,
    ui::{
        Screen, Session,
        saves::browser::controller_name,
        session::{self, Ready, TestBattle, any_seed},
        settings::Toast,
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TestTable>();
    app.add_systems(OnEnter(Screen::Title), come_back);
}

/// The ruleset and the controllers for test play and simulation.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct TestTable {
    /// Index into [`rulesets::ALL`].
    rules: usize,
    /// Index into [`CONTROLLERS`].
    players: usize,
}

/// Who controls the player's sides (`None`: you), and who controls the other sides.
const CONTROLLERS: [(Option<Player>, Player); 6] = [
    (None, Player::Quick),
    (None, Player::Strategist(Strategist::PLAYOUTS)),
    (None, Player::Easy),
    (Some(Player::Quick), Player::Quick),
    (
        Some(Player::Strategist(Strategist::PLAYOUTS)),
        Player::Strategist(Strategist::PLAYOUTS),
    ),
    (None, Player::Idle),
];

impl TestTable {
    /// The ruleset for test play: the level's own if it names one.
    pub fn rules(&self, level: Option<&Level>) -> &'static Ruleset {
        let own = level.and_then(|level| rulesets::find(level.rules?.0));
        own.unwrap_or(rulesets::ALL[self.rules])
    }

    pub fn turn_rules(&mut self) {
        self.rules = (self.rules + 1) % rulesets::ALL.len();
    }

    pub fn turn_players(&mut self) {
        self.players = (self.players + 1) % CONTROLLERS.len();
    }

    /// The chosen controllers as text, such as "you vs quick".
    pub fn words(&self) -> String {
        let (own, other) = CONTROLLERS[self.players];
        let own = own.map_or("you", |player| controller_name(SideController::Ai(player)));
        format!("{own} vs {}", controller_name(SideController::Ai(other)))
    }

    fn controllers(&self, level: &Level) -> Vec<SideController> {
        let (own, other) = CONTROLLERS[self.players];
        let controller = |usual: SideController| match (usual, own) {
            (SideController::Human, None) => SideController::Human,
            (SideController::Human, Some(player)) => SideController::Ai(player),
            _ => SideController::Ai(other),
        };
        session::usual(level).into_iter().map(controller).collect()
    }

    /// The controllers for a simulation, where an AI stands in for you.
    pub fn players(&self, level: &Level) -> Vec<Player> {
        let player = |controller| match controller {
            SideController::Human => Player::Quick,
            SideController::Ai(player) => player,
        };
        self.controllers(level).into_iter().map(player).collect()
    }
}

/// Sets up a battle on the last level state without errors. Returns whether there is
/// one.
pub(super) fn begin(state: &mut EditorState, table: &TestTable, commands: &mut Commands) -> bool {
    let Some(level) = state.good.clone() else {
        state.message = Some("Fix the errors first: nothing to play.".into());
        return false;
    };
    state.stroke = None;
    let session = Session::with_controllers(
        &level,
        table.rules(Some(&level)),
        any_seed(),
        table.controllers(&level),
    );
    commands.insert_resource(TestBattle);
    commands.insert_resource(Ready(session));
    let words = "Test play: F5 or leaving returns to the editor. No saves, no stars.";
    commands.write_message(Toast(words.into()));
    true
}

/// Leaving a test play skips the title screen and returns to the editor. Otherwise the
/// player has left the editor, so its state is removed.
fn come_back(
    mut commands: Commands,
    test_battle: Option<Res<TestBattle>>,
    state: Option<Res<EditorState>>,
    mut next: ResMut<NextState<Screen>>,
) {
    if test_battle.is_some() && state.is_some() {
        next.set(Screen::Editor);
    } else {
        commands.remove_resource::<EditorState>();
        commands.insert_resource(Simulation::default());
    }
    commands.remove_resource::<TestBattle>();
}
