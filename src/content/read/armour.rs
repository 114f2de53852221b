use super::{Entry, plain_name};
use crate::content::section::{Sections, Written};
use crate::content::{Armour, Content, Registry};
use crate::ron_read::{Fields, Place, Reader};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub(in crate::content) struct ArmourEntry {
    name: Option<String>,
    shield: Option<bool>,
    ac: Option<i32>,
    ac_ranged: Option<i32>,
    magic: Option<i32>,
    sections: Written<Armour>,
}

impl Entry for ArmourEntry {
    type Made = Armour;
    const THING: &'static str = "an armour or shield";
    const NEEDS: &'static [&'static [&'static str]] = &[&["ac"]];

    fn read(r: &mut Reader, f: &mut Fields, content: &Content) -> Self {
        Self {
            name: f.optional(r, "name", Reader::filled_text),
            shield: f.optional(r, "shield", Reader::yes_no),
            ac: f.optional(r, "ac", |r, p| r.whole(p, 0..=30)),
            ac_ranged: f.optional(r, "ac_ranged", |r, p| r.whole(p, 0..=30)),
            magic: f.optional(r, "magic", |r, p| r.whole(p, 0..=10)),
            sections: Written::read(r, f, content, &content.registry.armour),
        }
    }

    fn over(self, base: &Self) -> Self {
        Self {
            name: self.name.or_else(|| base.name.clone()),
            shield: self.shield.or(base.shield),
            ac: self.ac.or(base.ac),
            ac_ranged: self.ac_ranged.or(base.ac_ranged),
            magic: self.magic.or(base.magic),
            sections: self.sections.over(&base.sections),
        }
    }

    fn make(&self, r: &mut Reader, at: Place, id: &str, known: &Registry) -> Option<Armour> {
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

    fn entries(content: &mut Content) -> &mut BTreeMap<String, Self> {
        &mut content.entries.armours
    }

    fn made(content: &mut Content) -> &mut BTreeMap<String, Arc<Armour>> {
        &mut content.armours
    }
}
