//! The window: the real plugins, driven as a player drives them. Layout and
//! picking are done on the CPU, so that no graphics card is needed; the last
//! test opens a real window.

mod acts;
mod art;
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
mod enter;
mod feel;
mod files;
mod flow;
mod foreseen;
mod foresight;
mod hidden;
mod hint;
mod honest;
mod hud;
mod journeys;
mod kills;
mod kit;
mod licences;
mod live;
mod log;
mod lost_plans;
mod minute;
mod one_frame;
mod own;
mod party;
mod plan_list;
mod plans;
mod predictions;
mod preview;
mod progress;
mod redraw;
mod result;
mod saves;
mod screen_reader;
mod settings;
mod settings_files;
mod shell;
mod simulated;
mod sound;
mod spread;
mod thinking;

mod tutorial;
mod unknown;
mod why;
mod window;
