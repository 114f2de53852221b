//! The window: the real plugins, driven as a player drives them. Layout and
//! picking are done on the CPU, so that no graphics card is needed; the last
//! test opens a real window.

mod acts;
mod auto_reactions;
mod bindings;
mod board;
mod builder;
mod codex;
mod counts;
mod declared;
mod editor;
mod editor_forms;
mod enemy_reach;
mod feel;
mod flow;
mod foreseen;
mod foresight;
mod habits;
mod hands;
mod hint;
mod honest;
mod hud;
mod journeys;
mod kills;
mod live;
mod log;
mod lost_plans;
mod minute;
mod own;
mod plans;
mod preview;
mod progress;
mod redraw;
mod result;
mod saves;
mod screen_reader;
mod settings;
mod shell;
mod sound;
mod spread;
mod thinking;
mod tries;
mod tutorial;
mod unknown;
mod why;
mod window;
