use super::{Entry, entry, plain_name};
use crate::content::section::{Sections, whole, yes_no};
use crate::content::{Armour, Content, Registry};
use crate::ron_read::{ByteRange, Reader};
use std::collections::BTreeMap;
use std::sync::Arc;

entry! {
    pub(in crate::content) struct ArmourEntry: Armour in armours, sections of Armour: armour;
    name: String, super::name;
    shield: bool, yes_no;
    ac: i32, whole(0..=30);
    ac_ranged: i32, whole(0..=30);
    magic: i32, whole(0..=10);
}

impl Entry for ArmourEntry {
    const THING: &'static str = "an armour or shield";
    const NEEDS: &'static [&'static [&'static str]] = &[&["ac"]];

    fn make(&self, r: &mut Reader, at: ByteRange, id: &str, known: &Registry) -> Option<Armour> {
        let shield = self.shield.unwrap_or(false);
        let Some(ac_melee) = self.ac else {
            r.problem(at, "an armour or shield needs the field `ac`", "");
            return None;
        };
        let ac_ranged = self.ac_ranged.unwrap_or(ac_melee);
        if shield != (ac_melee.max(ac_ranged) < 10) {
            let what = match shield {
                true => "a shield's `ac` is what it adds, from 0 to 9",
                false => "an armour's `ac` is what it gives instead of 10, so 10 or more",
            };
            r.problem(at, what, "`shield: true` makes it a shield");
            return None;
        }
        let mut armour = Armour {
            id: id.to_string(),
            name: self.name.clone().unwrap_or_else(|| plain_name(id)),
            shield,
            ac_melee,
            ac_ranged,
            magic: self.magic.unwrap_or(0),
            sections: Sections::default(),
        };
        (self.sections).derive(r, at, &known.armour, &mut armour, |it| &mut it.sections);
        Some(armour)
    }
}
