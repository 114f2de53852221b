//! A simulated player: reads the screen, moves the mouse, presses keys.

use bevy::{
    core_pipeline::CorePipelinePlugin,
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput},
        mouse::MouseButtonInput,
    },
    input_focus::InputFocus,
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    text::{ComputedTextBlock, TextLayoutInfo},
    time::TimeUpdateStrategy,
    ui::UiGlobalTransform,
    window::{
        CursorMoved, PrimaryWindow, WindowEvent, WindowResized, WindowResolution,
        WindowScaleFactorChanged,
    },
    winit::WinitPlugin,
};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    battle::{Id, Ruleset},
    grid::Cell,
    levels::Level,
    ui::{
        ActionPreview, Command, Options, Playback, Profile, Screen, Selection, Session,
        board::MapView,
        preview::{Click, PlanPreview},
        put_game,
        session::{Next, thinking::FrameWait},
        settings::{Pace, Settings},
    },
};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

/// The game without a graphics card, at 1280 by 720.
pub struct Game {
    pub app: App,
}

/// Time per frame.
const FRAME: Duration = Duration::from_millis(50);

/// An empty folder for settings and saves.
pub fn fresh_home() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("home-{}-{n}", std::process::id());
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&home);
    home
}

fn window(world: &mut World) -> Entity {
    let mut windows = world.query_filtered::<Entity, With<PrimaryWindow>>();
    windows.single(world).expect("one window")
}

fn send<M: Message + Clone>(world: &mut World, message: M)
where
    WindowEvent: From<M>,
{
    // Winit writes both messages; picking reads one, key handling the other.
    world.write_message(WindowEvent::from(message.clone()));
    world.write_message(message);
}

/// Resizes the window, in pixels.
pub fn resize(world: &mut World, width: u32, height: u32) {
    let window = window(world);
    let mut inside = world.get_mut::<Window>(window).expect("a window");
    inside.resolution.set_physical_resolution(width, height);
    let (width, height) = (inside.width(), inside.height());
    world.write_message(WindowResized {
        window,
        width,
        height,
    });
}

/// Changes the scale factor of the window's screen.
pub fn rescale(world: &mut World, factor: f32) {
    let window = window(world);
    let mut inside = world.get_mut::<Window>(window).expect("a window");
    if inside.scale_factor() == factor {
        return;
    }
    let resolution = &mut inside.resolution;
    resolution.set_scale_factor_override(Some(factor));
    world.write_message(WindowScaleFactorChanged {
        window,
        scale_factor: factor.into(),
    });
}

/// Presses or releases a key.
pub fn strike(
    world: &mut World,
    key_code: KeyCode,
    logical_key: Key,
    text: Option<&str>,
    state: ButtonState,
) {
    let struck = KeyboardInput {
        key_code,
        logical_key,
        state,
        text: text.map(Into::into),
        repeat: false,
        window: window(world),
    };
    send(world, struck);
}

impl Game {
    /// The game of a player who has won a lesson, so that the title screen opens at the
    /// levels. If the options name no home folder, it gets a fresh one.
    pub fn new(options: Options) -> Self {
        Self::of(options, &["a lesson"])
    }

    /// The game of a player who has never played.
    pub fn newcomer() -> Self {
        Self::of(Options::default(), &[])
    }

    fn of(options: Options, lessons: &[&str]) -> Self {
        let home = options.home.clone().unwrap_or_else(fresh_home);
        let options = Options {
            home: Some(home),
            // Tests of the opening card turn it on.
            begins_at_once: true,
            ..options
        };
        let mut app = App::new();
        let window = Window {
            resolution: WindowResolution::new(1280, 720),
            ..default()
        };
        let blind = WgpuSettings {
            backends: None,
            ..default()
        };
        let plugins = DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(window),
                ..default()
            })
            .set(RenderPlugin {
                render_creation: blind.into(),
                ..default()
            })
            // Nothing is drawn, and parsing the shaders would take most of the start-up time.
            .disable::<CorePipelinePlugin>()
            .disable::<bevy::log::LogPlugin>()
            .disable::<bevy::audio::AudioPlugin>()
            .disable::<WinitPlugin>();
        // Gilrs would poll for gamepads all the time.
        #[cfg(feature = "gamepad")]
        let plugins = plugins.disable::<bevy::gilrs::GilrsPlugin>();
        app.add_plugins(plugins);
        put_game(&mut app, options);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
        // The preview under the pointer is there at once, even on a busy machine.
        app.insert_resource(FrameWait(Duration::from_secs(60)));
        app.finish();
        app.cleanup();
        let mut profile = app.world_mut().resource_mut::<Profile>();
        let won = lessons.iter().map(|lesson| (*lesson).to_owned());
        // Avoid writing the profile to disk.
        profile.bypass_change_detection().lessons.extend(won);
        // Tests that need warnings or the win probability turn them on.
        let mut settings = app.world_mut().resource_mut::<Settings>();
        (settings.warn, settings.forecast, settings.review) = (false, false, false);
        let mut game = Self { app };
        game.wait(5);
        game
    }

    /// Turns all animation off: every event takes effect on screen at once.
    pub fn at_once(mut self) -> Self {
        let mut settings = self.app.world_mut().resource_mut::<Settings>();
        (settings.own_pace, settings.others_pace) = (Pace::Instant, Pace::Instant);
        self
    }

    pub fn wait(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.app.update());
    }

    /// Runs frames until the condition is met; panics after 2000.
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

    pub fn preview(&self) -> &ActionPreview {
        self.app.world().resource::<ActionPreview>()
    }

    pub fn selection(&self) -> &Selection {
        self.app.world().resource::<Selection>()
    }

    /// Runs frames, with time between them for background work, until the condition is met. False
    /// after 4000 frames.
    pub fn comes(&mut self, mut is_so: impl FnMut(&mut Self) -> bool) -> bool {
        (0..4000).any(|_| {
            self.wait(1);
            std::thread::sleep(Duration::from_millis(2));
            is_so(self)
        })
    }

    /// Runs frames until the condition is met, however many: playouts and files take real time.
    /// Panics after 5 minutes.
    pub fn in_time(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        let since = Instant::now();
        while !is_so(self) {
            let limit = Duration::from_secs(300);
            assert!(since.elapsed() < limit, "it never came about: {what}");
            std::thread::sleep(Duration::from_millis(5));
            self.wait(1);
        }
    }

    /// Runs frames until all plans are simulated as they are now.
    pub fn until_simulated(&mut self) {
        self.in_time("the plans are simulated", |game| {
            let preview = game.app.world().resource::<PlanPreview>();
            preview.simulation.is_some() && preview.is_current()
        });
    }

    /// Runs frames until all events have been shown.
    pub fn until_quiet(&mut self) {
        self.until("it is quiet", |game| {
            !game.app.world().resource::<Playback>().busy
        });
    }

    /// Sends a command, and runs some frames.
    pub fn send(&mut self, command: impl Message, frames: usize) {
        self.app.world_mut().write_message(command);
        self.wait(frames);
    }

    /// Runs frames until the player has a decision or the battle is over.
    pub fn until_asked(&mut self) {
        self.until("a question to the player", |game| {
            game.screen() != Screen::Battle
                || game.session().question().is_some()
                || game.session().awaits_end_of_turn()
        });
        self.wait(2);
    }

    /// Runs frames until the player has a decision that no setting answers. Settings answer
    /// once everything before has been shown.
    pub fn until_settled(&mut self) {
        for _ in 0..20 {
            self.until_asked();
            self.until_quiet();
            self.wait(3);
            let session = self.session();
            let waits = session.question().is_some() || session.awaits_end_of_turn();
            if waits || self.screen() != Screen::Battle {
                return;
            }
        }
    }

    /// Declines all reactions until it is the player's turn or the battle is over.
    pub fn until_own_turn(&mut self) {
        self.until_asked();
        while self.screen() == Screen::Battle && self.session().is_prompted() {
            self.press(KeyCode::Escape);
            self.until_asked();
        }
    }

    pub fn point(&mut self, position: Vec2) {
        let world = self.app.world_mut();
        let window = window(world);
        let moved = CursorMoved {
            window,
            position,
            delta: None,
        };
        send(world, moved);
        self.wait(2);
    }

    pub fn click(&mut self, position: Vec2) {
        self.click_with(position, MouseButton::Left);
    }

    pub fn click_with(&mut self, position: Vec2, button: MouseButton) {
        // No hand rests between two orders.
        let world = self.app.world_mut();
        let window = window(world);
        let moved = CursorMoved {
            window,
            position: position + Vec2::new(6.0, 0.0),
            delta: None,
        };
        send(world, moved);
        self.point(position);
        self.mouse(button, ButtonState::Pressed);
        self.mouse(button, ButtonState::Released);
        self.wait(1);
    }

    /// Clicks where the pointer rests.
    pub fn click_again(&mut self) {
        self.mouse(MouseButton::Left, ButtonState::Pressed);
        self.mouse(MouseButton::Left, ButtonState::Released);
        self.wait(1);
    }

    /// Presses or releases a mouse button where the pointer is.
    pub fn mouse(&mut self, button: MouseButton, state: ButtonState) {
        let world = self.app.world_mut();
        let pressed = MouseButtonInput {
            button,
            state,
            window: window(world),
        };
        send(world, pressed);
        self.wait(1);
    }

    pub fn press(&mut self, key_code: KeyCode) {
        self.key(key_code, ButtonState::Pressed);
        self.key(key_code, ButtonState::Released);
    }

    pub fn key(&mut self, key_code: KeyCode, state: ButtonState) {
        strike(self.app.world_mut(), key_code, Key::Dead(None), None, state);
        self.wait(2);
    }

    /// Replaces the text of the focused field.
    pub fn type_text(&mut self, text: &str) {
        self.key_with(
            KeyCode::ControlLeft,
            Key::Control,
            None,
            ButtonState::Pressed,
        );
        self.key_with(
            KeyCode::KeyA,
            Key::Character("a".into()),
            None,
            ButtonState::Pressed,
        );
        self.key_with(
            KeyCode::KeyA,
            Key::Character("a".into()),
            None,
            ButtonState::Released,
        );
        self.key_with(
            KeyCode::ControlLeft,
            Key::Control,
            None,
            ButtonState::Released,
        );
        for c in text.chars() {
            let letter: &str = &c.to_string();
            let key = match c {
                ' ' => Key::Space,
                _ => Key::Character(letter.into()),
            };
            // Text input does not depend on the physical key.
            let code = KeyCode::F24;
            self.key_with(code, key.clone(), Some(letter), ButtonState::Pressed);
            self.key_with(code, key, None, ButtonState::Released);
        }
        self.wait(2);
    }

    /// Presses or releases a key with its logical key and text in a layout.
    pub fn key_with(
        &mut self,
        key_code: KeyCode,
        key: Key,
        text: Option<&str>,
        state: ButtonState,
    ) {
        strike(self.app.world_mut(), key_code, key, text, state);
        self.wait(1);
    }

    /// Connects a gamepad.
    #[cfg(feature = "gamepad")]
    pub fn plug_in(&mut self) -> Entity {
        use bevy::input::gamepad::{GamepadConnection, GamepadConnectionEvent};
        let world = self.app.world_mut();
        let pad = world.spawn_empty().id();
        world.write_message(GamepadConnectionEvent {
            gamepad: pad,
            connection: GamepadConnection::Connected {
                name: String::from("a pad"),
                vendor_id: None,
                product_id: None,
            },
        });
        self.wait(2);
        pad
    }

    /// Presses a button of the gamepad.
    #[cfg(feature = "gamepad")]
    pub fn pad(&mut self, pad: Entity, button: GamepadButton) {
        use bevy::input::gamepad::{RawGamepadButtonChangedEvent, RawGamepadEvent};
        for value in [1.0, 0.0] {
            let event = RawGamepadButtonChangedEvent::new(pad, button, value);
            self.app
                .world_mut()
                .write_message(RawGamepadEvent::from(event));
            self.wait(2);
        }
        self.wait(2);
    }

    /// Whether the focused entity has such a component.
    pub fn has_focus<C: Component>(&self, is_it: impl Fn(&C) -> bool) -> bool {
        let world = self.app.world();
        let focus = world.resource::<InputFocus>().get();
        focus.is_some_and(|e| world.get::<C>(e).is_some_and(is_it))
    }

    /// Clicks a cell while a key is held.
    pub fn click_cell_with(&mut self, held: KeyCode, cell: Cell) {
        self.key(held, ButtonState::Pressed);
        self.click_cell(cell);
        self.key(held, ButtonState::Released);
    }

    /// The middle of a node with such a component: the first one of the topmost card.
    pub fn find<C: Component>(&mut self, is_it: impl Fn(&C) -> bool) -> Option<Vec2> {
        let world = self.app.world_mut();
        let mut nodes = world.query::<(Entity, &C, &ComputedNode, &UiGlobalTransform)>();
        let of_it = nodes
            .iter(world)
            .filter(|(_, c, node, _)| is_it(c) && node.size().min_element() > 1.0);
        let above = |node: Entity| {
            let up = std::iter::successors(Some(node), |node| Some(world.get::<ChildOf>(*node)?.0));
            up.filter_map(|node| world.get::<GlobalZIndex>(node))
                .map(|z| z.0)
                .max()
        };
        let found = of_it.min_by_key(|found| std::cmp::Reverse(above(found.0)));
        found.map(|(_, _, node, place)| place.translation * node.inverse_scale_factor)
    }

    /// Number of nodes with such a component on the screen.
    pub fn count<C: Component>(&mut self, is_it: impl Fn(&C) -> bool) -> usize {
        let world = self.app.world_mut();
        let mut nodes = world.query::<(&C, &ComputedNode)>();
        let seen = nodes
            .iter(world)
            .filter(|(c, node)| is_it(c) && node.size().min_element() > 1.0);
        seen.count()
    }

    /// The nodes with such a component, in pixels of the window.
    pub fn rects<C: Component>(&mut self) -> Vec<Rect> {
        let world = self.app.world_mut();
        let mut nodes = world.query_filtered::<(&ComputedNode, &UiGlobalTransform), With<C>>();
        let nodes = nodes.iter(world);
        nodes
            .map(|(node, place)| Rect::from_center_size(place.translation, node.size()))
            .collect()
    }

    /// The only node with such a component, in pixels of the window.
    pub fn rect<C: Component>(&mut self) -> Rect {
        let all = self.rects::<C>();
        assert_eq!(all.len(), 1, "one node: {all:?}");
        all[0]
    }

    /// Whether a button sends the command.
    pub fn has_button(&mut self, command: &Command) -> bool {
        self.count::<SendOnPress<Command>>(|sends| sends.0 == *command) > 0
    }

    /// Clicks the first node with such a component.
    pub fn click_on<C: Component>(&mut self, what: &str, is_it: impl Fn(&C) -> bool) {
        let place = self.find(is_it);
        let place = place.unwrap_or_else(|| panic!("not on the screen: {what}"));
        self.click(place);
    }

    /// Clicks a text span with such a component.
    pub fn click_span<C: Component>(&mut self, what: &str, is_it: impl Fn(&C) -> bool) {
        let world = self.app.world_mut();
        let mut texts = world.query::<(
            &ComputedTextBlock,
            &TextLayoutInfo,
            &ComputedNode,
            &UiGlobalTransform,
        )>();
        let mut found = None;
        for (block, layout, node, place) in texts.iter(world) {
            // The first entity is the paragraph itself.
            let mut parts = block.entities().iter().enumerate().skip(1);
            let part = parts.find(|(_, part)| world.get::<C>(part.entity).is_some_and(&is_it));
            let Some((nth, _)) = part else { continue };
            let run = layout.run_geometry.iter().find(|r| r.section_index == nth);
            if let Some(run) = run {
                let at = run.bounds.center() + node.content_box().min;
                found = Some(place.transform_point2(at) * node.inverse_scale_factor);
            }
        }
        let place = found.unwrap_or_else(|| panic!("not on the screen: {what}"));
        self.click(place);
    }

    /// Clicks the button that sends a command.
    pub fn click_button(&mut self, command: &Command) {
        let place = self.find::<SendOnPress<Command>>(|sends| sends.0 == *command);
        let place = place.unwrap_or_else(|| panic!("no button for {command:?}"));
        self.click(place);
    }

    /// Clicks the button of an action, or presses its key if it has no button in the bar.
    pub fn act(&mut self, key: char) {
        let command = Command::Act(key);
        match self.has_button(&command) {
            true => self.click_button(&command),
            false => self.send(command, 3),
        }
    }

    pub fn screen_point(&self, cell: Cell) -> Vec2 {
        let middle = Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5);
        self.app.world().resource::<MapView>().in_window(middle)
    }

    pub fn click_cell(&mut self, cell: Cell) {
        self.click(self.screen_point(cell));
    }

    /// The cell where the screen shows a unit.
    pub fn cell_of(&self, who: Id) -> Cell {
        self.session().shown().unit(who).at
    }

    /// The cells of the standing enemies.
    pub fn enemies(&self) -> Vec<Cell> {
        let session = self.session();
        let all = session.shown().units.iter();
        let enemies = all.filter(|p| p.is_up() && p.side != session.player());
        enemies.map(|p| p.at).collect()
    }

    /// Clicks the first enemy that a click would attack. `false` if there is none.
    pub fn click_enemy(&mut self) -> bool {
        for cell in self.enemies() {
            self.point(self.screen_point(cell));
            if let Click::Attack(attack) = &self.preview().click {
                let percent = format!("{}%", attack.likely_percent());
                assert!(self.says(&percent), "the chance is shown before the click");
                self.click_cell(cell);
                return true;
            }
        }
        false
    }

    /// Starts a battle directly, without the title screen.
    pub fn battle(level: Arc<Level>, rules: Option<&'static Ruleset>, seed: u64) -> Self {
        let mut game = Self::new(Options::default());
        game.app.insert_resource(Next { level, rules, seed });
        let mut next = game.app.world_mut().resource_mut::<NextState<Screen>>();
        next.set(Screen::Battle);
        game.wait(5);
        game.until_asked();
        game
    }

    /// Whether a modal covers the window.
    pub fn is_paused(&mut self) -> bool {
        self.find::<fivefoot::ui::modal::Modal>(|_| true).is_some()
    }

    /// Every text on the screen, by line or paragraph.
    pub fn words(&mut self) -> Vec<String> {
        let world = self.app.world_mut();
        let mut texts = world.query::<(&Text, Option<&Children>)>();
        let whole = |(text, parts): (&Text, Option<&Children>)| {
            let parts = parts.into_iter().flatten();
            let spans = parts.filter_map(|part| world.get::<TextSpan>(*part));
            spans.fold(text.0.clone(), |line, span| line + &span.0)
        };
        texts.iter(world).map(whole).collect()
    }

    pub fn says(&mut self, part: &str) -> bool {
        self.words().iter().any(|w| w.contains(part))
    }
}
