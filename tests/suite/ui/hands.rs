//! A player's eyes and hands: looks at what is on the screen, moves the mouse,
//! presses keys.

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput},
        mouse::MouseButtonInput,
    },
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    ui::UiGlobalTransform,
    window::{CursorMoved, PrimaryWindow, WindowEvent, WindowResolution},
    winit::WinitPlugin,
};
use fivefoot::{
    battle::Ruleset,
    grid::Cell,
    levels::Level,
    ui::{
        Command, Options, Pick, Prospect, Screen, Session, board::View, pick::Warnings, put_game,
        session::Next, widgets::Sends,
    },
};
use std::{sync::Arc, time::Duration};

/// The game without a graphics card, at 1280 by 720.
pub struct Game {
    pub app: App,
}

/// Time that passes in a frame.
const FRAME: Duration = Duration::from_millis(50);

impl Game {
    pub fn new(options: Options) -> Self {
        let mut app = App::new();
        let window = Window {
            resolution: WindowResolution::new(1280, 720),
            ..default()
        };
        let blind = WgpuSettings {
            backends: None,
            ..default()
        };
        app.add_plugins(
            DefaultPlugins
                .set(WindowPlugin {
                    primary_window: Some(window),
                    ..default()
                })
                .set(RenderPlugin {
                    render_creation: blind.into(),
                    ..default()
                })
                .disable::<bevy::log::LogPlugin>()
                .disable::<WinitPlugin>(),
        );
        put_game(&mut app, options);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
        app.finish();
        app.cleanup();
        // Who wants to be warned says so.
        app.insert_resource(Warnings(false));
        let mut game = Self { app };
        game.wait(5);
        game
    }

    pub fn wait(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.app.update());
    }

    /// Lets frames pass until it is so.
    pub fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        for _ in 0..2000 {
            if is_so(self) {
                return;
            }
            self.app.update();
        }
        panic!("it never came about: {what}");
    }

    pub fn screen(&self) -> Screen {
        *self.app.world().resource::<State<Screen>>().get()
    }

    pub fn session(&self) -> &Session {
        self.app.world().resource::<Session>()
    }

    pub fn prospect(&self) -> &Prospect {
        self.app.world().resource::<Prospect>()
    }

    pub fn pick(&self) -> &Pick {
        self.app.world().resource::<Pick>()
    }

    /// The player is asked something, or the battle is over.
    pub fn until_asked(&mut self) {
        self.until("a question to the player", |game| {
            game.screen() != Screen::Battle
                || game.session().question().is_some()
                || game.session().awaits_end_of_turn()
        });
        self.wait(2);
    }

    fn window(&mut self) -> Entity {
        let world = self.app.world_mut();
        world
            .query_filtered::<Entity, With<PrimaryWindow>>()
            .single(world)
            .expect("one window")
    }

    fn send<M: Message + Clone>(&mut self, message: M)
    where
        WindowEvent: From<M>,
    {
        // The window library writes both; picking reads one, keys the other.
        self.app
            .world_mut()
            .write_message(WindowEvent::from(message.clone()));
        self.app.world_mut().write_message(message);
    }

    pub fn point(&mut self, position: Vec2) {
        let window = self.window();
        self.send(CursorMoved {
            window,
            position,
            delta: None,
        });
        self.wait(3);
    }

    pub fn click(&mut self, position: Vec2) {
        self.point(position);
        let window = self.window();
        for state in [ButtonState::Pressed, ButtonState::Released] {
            self.send(MouseButtonInput {
                button: MouseButton::Left,
                state,
                window,
            });
            self.wait(2);
        }
        self.wait(2);
    }

    pub fn press(&mut self, key_code: KeyCode) {
        self.key(key_code, ButtonState::Pressed);
        self.key(key_code, ButtonState::Released);
    }

    pub fn key(&mut self, key_code: KeyCode, state: ButtonState) {
        let window = self.window();
        self.send(KeyboardInput {
            key_code,
            logical_key: Key::Dead(None),
            state,
            text: None,
            repeat: false,
            window,
        });
        self.wait(2);
    }

    /// A click with Shift held.
    pub fn shift_click(&mut self, cell: Cell) {
        self.key(KeyCode::ShiftLeft, ButtonState::Pressed);
        self.click_cell(cell);
        self.key(KeyCode::ShiftLeft, ButtonState::Released);
    }

    /// Where the middle of a node with such a component is.
    pub fn find<C: Component>(&mut self, is_it: impl Fn(&C) -> bool) -> Option<Vec2> {
        let world = self.app.world_mut();
        let mut nodes = world.query::<(&C, &ComputedNode, &UiGlobalTransform)>();
        let found = nodes
            .iter(world)
            .find(|(c, node, _)| is_it(c) && node.size().min_element() > 1.0);
        found.map(|(_, node, place)| place.translation * node.inverse_scale_factor)
    }

    /// Clicks the button that sends a command.
    pub fn click_button(&mut self, command: &Command) {
        let place = self.find::<Sends>(|sends| sends.0 == *command);
        let place = place.unwrap_or_else(|| panic!("no button for {command:?}"));
        self.click(place);
    }

    pub fn spot(&self, cell: Cell) -> Vec2 {
        let middle = Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5);
        self.app.world().resource::<View>().in_window(middle)
    }

    pub fn click_cell(&mut self, cell: Cell) {
        self.click(self.spot(cell));
    }

    /// A battle of its own, without the title screen.
    pub fn battle(level: Arc<Level>, rules: Option<&'static Ruleset>, seed: u64) -> Self {
        let mut game = Self::new(Options::default());
        game.app.insert_resource(Next { level, rules, seed });
        let mut next = game.app.world_mut().resource_mut::<NextState<Screen>>();
        next.set(Screen::Battle);
        game.wait(5);
        game.until_asked();
        game
    }

    /// Every line of text on the screen.
    pub fn words(&mut self) -> Vec<String> {
        let world = self.app.world_mut();
        world
            .query::<&Text>()
            .iter(world)
            .map(|t| t.0.clone())
            .collect()
    }

    pub fn says(&mut self, part: &str) -> bool {
        self.words().iter().any(|w| w.contains(part))
    }
}
