//! The window: the real plugins, driven as a player drives them. Layout and
//! picking are done on the CPU, so that no graphics card is needed; the last
//! test opens a real window.

mod acts;
mod declared;
mod foresight;
mod hands;
mod journeys;
mod minute;
mod preview;
mod window;
