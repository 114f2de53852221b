//! A player's eyes and hands: looks at what is on the screen, moves the mouse,
//! presses keys.

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
    battle::Ruleset,
    grid::Cell,
    levels::Level,
    ui::{
        ActionPreview, Command, Options, Playback, Profile, Screen, Selection, Session,
        board::View,
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
    time::Duration,
};

/// The game without a graphics card, at 1280 by 720.
pub struct Game {
    pub app: App,
}

/// Time that passes in a frame.
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
    // The window library writes both; picking reads one, keys the other.
    world.write_message(WindowEvent::from(message.clone()));
    world.write_message(message);
}

/// Gives the window another size, in pixels.
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

/// Gives the window's screen another scale factor.
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

/// Presses a key or lets it go.
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
    /// Of a player who has won a lesson, so that the title opens at the levels. Without a
    /// home of its own it gets a fresh one.
    pub fn new(options: Options) -> Self {
        Self::of(options, &["a lesson"])
    }

    /// Of a player who has never played.
    pub fn newcomer() -> Self {
        Self::of(Options::default(), &[])
    }

    fn of(options: Options, lessons: &[&str]) -> Self {
        let home = options.home.clone().unwrap_or_else(fresh_home);
        let options = Options {
            home: Some(home),
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
            // What is never drawn needs no shaders: to read them takes most of
            // the time in which the game starts.
            .disable::<CorePipelinePlugin>()
            .disable::<bevy::log::LogPlugin>()
            .disable::<bevy::audio::AudioPlugin>()
            .disable::<WinitPlugin>();
        // It would ask all the time what is plugged in.
        #[cfg(feature = "gamepad")]
        let plugins = plugins.disable::<bevy::gilrs::GilrsPlugin>();
        app.add_plugins(plugins);
        put_game(&mut app, options);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
        // However busy the machine is, what is pointed at is foreseen at once.
        app.insert_resource(FrameWait(Duration::from_secs(60)));
        app.finish();
        app.cleanup();
        let mut profile = app.world_mut().resource_mut::<Profile>();
        let won = lessons.iter().map(|lesson| (*lesson).to_owned());
        // What was won before is not written again.
        profile.bypass_change_detection().lessons.extend(won);
        // Who wants to be warned, or to be told who will win, says so.
        let mut settings = app.world_mut().resource_mut::<Settings>();
        (settings.warn, settings.forecast, settings.review) = (false, false, false);
        let mut game = Self { app };
        game.wait(5);
        game
    }

    /// Nothing is played on the board: everything is at once as it then is.
    pub fn at_once(mut self) -> Self {
        let mut settings = self.app.world_mut().resource_mut::<Settings>();
        (settings.own_pace, settings.others_pace) = (Pace::Instant, Pace::Instant);
        self
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

    pub fn preview(&self) -> &ActionPreview {
        self.app.world().resource::<ActionPreview>()
    }

    pub fn selection(&self) -> &Selection {
        self.app.world().resource::<Selection>()
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

    /// The player is asked something that no standing answer settles: those answer as soon
    /// as everything before has been shown.
    pub fn until_settled(&mut self) {
        for _ in 0..20 {
            self.until_asked();
            self.until("it is quiet", |game| {
                !game.app.world().resource::<Playback>().busy
            });
            self.wait(3);
            let session = self.session();
            let waits = session.question().is_some() || session.awaits_end_of_turn();
            if waits || self.screen() != Screen::Battle {
                return;
            }
        }
    }

    /// Lets pass whatever is asked out of turn, until it is the player's own
    /// turn or the battle is over.
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
        self.point(position);
        for state in [ButtonState::Pressed, ButtonState::Released] {
            let world = self.app.world_mut();
            let pressed = MouseButtonInput {
                button,
                state,
                window: window(world),
            };
            send(world, pressed);
            self.wait(1);
        }
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

    /// Types into what has the focus, in place of what stands there.
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
            // Which key of the keyboard it is matters to no text.
            let code = KeyCode::F24;
            self.key_with(code, key.clone(), Some(letter), ButtonState::Pressed);
            self.key_with(code, key, None, ButtonState::Released);
        }
        self.wait(2);
    }

    /// Presses a key or lets it go, with what it types in a layout.
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

    /// Plugs in a gamepad.
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

    /// Whether what has the focus has such a component.
    pub fn has_focus<C: Component>(&self, is_it: impl Fn(&C) -> bool) -> bool {
        let world = self.app.world();
        let focus = world.resource::<InputFocus>().get();
        focus.is_some_and(|e| world.get::<C>(e).is_some_and(is_it))
    }

    /// A click with a key held.
    pub fn click_cell_with(&mut self, held: KeyCode, cell: Cell) {
        self.key(held, ButtonState::Pressed);
        self.click_cell(cell);
        self.key(held, ButtonState::Released);
    }

    /// Where the middle of a node with such a component is; of several the first of
    /// what lies on top.
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

    /// How many nodes with such a component are on the screen.
    pub fn count<C: Component>(&mut self, is_it: impl Fn(&C) -> bool) -> usize {
        let world = self.app.world_mut();
        let mut nodes = world.query::<(&C, &ComputedNode)>();
        let seen = nodes
            .iter(world)
            .filter(|(c, node)| is_it(c) && node.size().min_element() > 1.0);
        seen.count()
    }

    /// Clicks the first node with such a component.
    pub fn click_on<C: Component>(&mut self, what: &str, is_it: impl Fn(&C) -> bool) {
        let place = self.find(is_it);
        let place = place.unwrap_or_else(|| panic!("not on the screen: {what}"));
        self.click(place);
    }

    /// Clicks a part of a paragraph: a span with such a component.
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
            // The first is the paragraph itself.
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

    /// Clicks the button of an act; an act without one in the bar is chosen by its key.
    pub fn act(&mut self, key: char) {
        let command = Command::Act(key);
        if self
            .find::<SendOnPress<Command>>(|sends| sends.0 == command)
            .is_some()
        {
            return self.click_button(&command);
        }
        self.app.world_mut().write_message(command);
        self.wait(3);
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

    /// Something lies over the whole window.
    pub fn is_paused(&mut self) -> bool {
        self.find::<fivefoot::ui::modal::Modal>(|_| true).is_some()
    }

    /// Every line or paragraph of text on the screen.
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
