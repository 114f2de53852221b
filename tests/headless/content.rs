//! Content files: creatures, weapons, armour and spells.

use fivefoot_core::battle::Stat;
use fivefoot_core::content::{
    Attribute, Bulk, Content, Creature, Dice, Launch, Look, Make, Shock, Skill, Trait, Weapon,
    check_file,
};
use fivefoot_core::levels::Rules;
use fivefoot_core::rulesets::skirmish::content::SkirmishStats;
use fivefoot_core::rulesets::{ALL, content_files, profiles};
use fivefoot_kit::files::{assert_no_panic, beneath, code_blocks};

fn read(text: &str) -> Content {
    match check_file("own.ron", text, Content::built_in()) {
        Ok((content, _)) => content,
        Err(problems) => {
            let lines: Vec<_> = problems.iter().map(|p| p.to_string()).collect();
            panic!("{}", lines.join("\n"));
        }
    }
}

#[track_caller]
fn expect(text: &str, wanted: &[&str]) {
    let problems = check_file("own.ron", text, Content::built_in())
        .err()
        .unwrap_or_default();
    let lines: Vec<_> = problems
        .iter()
        .map(|p| p.to_string().replacen("own.ron:", "", 1))
        .collect();
    assert!(
        lines == wanted,
        "found:\n{}\nwanted:\n{}",
        lines.join("\n"),
        wanted.join("\n")
    );
}

fn weapon(id: &str) -> &'static Weapon {
    Content::built_in().weapons.get(id).unwrap()
}

fn creature(id: &str) -> &'static Creature {
    Content::built_in().creature(id).unwrap()
}

#[test]
fn built_in_content_has_no_problems() {
    let mut content = Content::blank();
    for (file, text) in content_files() {
        match check_file(file, text, &content) {
            Ok((more, _)) => content = more,
            Err(problems) => {
                let lines: Vec<_> = problems.iter().map(|p| p.to_string()).collect();
                panic!("{}", lines.join("\n"));
            }
        }
    }
    // Check each file again on top of all built-in content, as `check` does.
    for (file, text) in beneath("assets/content", "ron") {
        assert!(
            content_files().any(|(known, _)| known == file),
            "{file} is not compiled in"
        );
        assert!(
            check_file(&file, &text, Content::built_in()).is_ok(),
            "{file}"
        );
    }
}

#[test]
fn built_in_content_has_enough_kinds() {
    let content = Content::built_in();
    assert!(content.weapons.len() + content.armours.len() >= 30);
    let (heroes, others): (Vec<_>, Vec<_>) = content.creatures.values().partition(|c| c.is_hero());
    assert!(heroes.len() >= 8 && others.len() >= 24);
    assert!(others.iter().any(|c| c.size > 1));
    for hero in heroes {
        assert!(
            (6..=12).contains(&hero.section::<SkirmishStats>().hp),
            "{}",
            hero.id
        );
        assert!(
            matches!(hero.look, Look::Token { .. }) && hero.is_fearless(),
            "{}",
            hero.id
        );
        assert!(
            hero.weapons.iter().any(|w| w.arms_for_melee()),
            "{} has no melee arm",
            hero.id
        );
    }
    for other in others {
        assert!(!other.weapons.is_empty(), "{} has no weapon", other.id);
        assert!(matches!(other.look, Look::Meeple { .. }), "{}", other.id);
    }
}

#[test]
fn dice_survive_parsing_and_printing() {
    for text in ["1d6", "2d6+1", "1d4-1", "10d10+20", "3", "0"] {
        assert_eq!(text.parse::<Dice>().unwrap().to_string(), text);
    }
    assert_eq!("d8".parse::<Dice>().unwrap(), Dice::new(1, 8, 0));
    assert_eq!(
        (Dice::new(2, 6, 1).min(), Dice::new(2, 6, 1).max()),
        (3, 13)
    );
    assert_eq!(Dice::new(1, 6, 0).twice_mean(), 7);
    for text in [
        "", "d", "1d", "0d6", "1d0", "1d6+", "+1", "1d6 + 1", "1w6", "d6d6", "1d6+1+1", "-1",
    ] {
        assert!(text.parse::<Dice>().is_err(), "{text}");
    }
}

#[test]
fn weapons_get_their_defaults() {
    let sword = weapon("sword");
    assert_eq!(
        (sword.make, sword.hands, sword.name.as_str()),
        (Make::Forged, 1, "sword")
    );
    assert_eq!(
        sword.shock,
        Some(Shock {
            points: 2,
            ac: Some(13)
        })
    );
    let melee = sword.melee.as_ref().unwrap();
    assert_eq!((melee.reach, &melee.skills[..]), (5, &[Skill::Stab][..]));
    assert_eq!(sword.attributes, [Attribute::Str]);

    let bow = weapon("short_bow");
    assert!(bow.needs_two_hands_to_shoot() && !bow.arms_for_melee());
    assert_eq!(bow.attributes, [Attribute::Dex]);
    let crossbow = weapon("hand_crossbow");
    assert!(!crossbow.needs_two_hands_to_shoot());
    assert_eq!(crossbow.ranged.as_ref().unwrap().how, Launch::Crossbow);
    let axe = weapon("hand_axe");
    assert!(axe.is_thrown() && axe.arms_for_melee());
    let skills = &axe.ranged.as_ref().unwrap().skills;
    assert_eq!(skills[..], [Skill::Shoot, Skill::Stab, Skill::Exert]);

    let fists = Content::built_in().unarmed();
    assert_eq!(
        (fists.make, fists.hands, fists.lethal),
        (Make::Unarmed, 0, false)
    );
    assert!(!fists.arms_for_melee());
    assert_eq!(fists.melee.as_ref().unwrap().skills, [Skill::Brawl]);
    // The magic sword differs from the plain one only in its magic.
    let keen = Weapon {
        id: "sword".into(),
        name: "sword".into(),
        magic: 0,
        ..weapon("keen_sword").clone()
    };
    assert_eq!((&keen, weapon("keen_sword").magic), (sword, 1));
}

#[test]
fn skirmish_numbers_are_derived() {
    let content = read(
        r#"(creatures: {
            "plain": (hit_dice: 3),
            "tough": (hit_dice: 3, attributes: (con: 1, dex: 2), armour: "mail", shield: "buckler"),
            "young": (level: 1, attributes: (con: 1)),
            "old": (level: 4, attributes: (con: -2, str: 2)),
            "told": (hit_dice: 2, armour: "plate", shield: "tall_shield",
                skirmish: (hp: 20, ac: 12, attack: 5, save: 9)),
            "nothing": (hit_dice: 0),
        })"#,
    );
    let stats = |id: &str| {
        let s = content.creature(id).unwrap().section::<SkirmishStats>();
        (
            s.hp,
            s.ac_melee,
            s.ac_ranged,
            s.attack_bonus,
            s.physical_save,
        )
    };
    assert_eq!(stats("plain"), (13, 10, 10, 3, 14));
    // HP 13 + 3 for CON. AC from mail 15 + DEX 2, and 1 more in melee for the buckler.
    assert_eq!(stats("tough"), (16, 18, 17, 3, 13));
    assert_eq!(stats("young"), (7, 10, 10, 1, 13));
    // HP: 4 at level 1, then 2 for each level.
    assert_eq!(stats("old"), (10, 10, 10, 2, 9));
    assert_eq!(stats("told"), (20, 13, 15, 5, 9));
    assert_eq!(stats("nothing"), (1, 10, 10, 0, 15));
}

#[test]
fn creature_queries_return_their_traits_and_skills() {
    let mara = creature("mara");
    assert!(mara.is_hero() && mara.is_disciplined() && creature("osk").has(Trait::Reroll));
    assert_eq!(
        (mara.skill(Skill::Stab), mara.skill(Skill::Talk)),
        (Some(1), None)
    );
    assert_eq!(
        mara.attack_skill(&[Skill::Shoot, Skill::Exert]),
        (Skill::Exert, 1)
    );
    assert_eq!(
        mara.best_modifier(&[Attribute::Dex, Attribute::Str]),
        (Attribute::Str, 2)
    );
    let goblin = creature("goblin");
    assert_eq!(
        (
            goblin.skill(Skill::Notice),
            goblin.attack_skill(&[Skill::Stab]).1
        ),
        (Some(1), 0)
    );
    assert!(goblin.morale.is_some() && !goblin.is_disciplined());
    assert_eq!(
        (
            creature("knight").shock_bonus(),
            creature("bugbear").damage_bonus()
        ),
        (1, 1)
    );
    let ogre = creature("ogre");
    assert_eq!(
        (ogre.bulk, ogre.reach(&ogre.weapons[0])),
        (Bulk::Large, Some(10))
    );
    assert_eq!(ogre.reach(weapon("short_bow")), None);
}

#[test]
fn kinds_can_be_based_on_other_kinds() {
    let content = read(
        r#"(
            creatures: {
                // A kind can come before the kind that it is like.
                "grandchild": (like: "child", speed: 20),
                "child": (like: "knight", shield: None, attributes: (str: 1), skirmish: (attack: 6)),
                "recruit": (like: "brandt", hit_dice: 1),
                "squire": (like: "knight", level: 1, skills: (stab: 0)),
                "goblin": (like: "goblin", morale: Fearless),
            },
        )"#,
    );
    let kind = |id: &str| content.creature(id).unwrap();
    let grandchild = kind("grandchild");
    assert_eq!(
        (
            grandchild.speed,
            grandchild.section::<SkirmishStats>().attack_bonus
        ),
        (20, 6)
    );
    assert_eq!(
        (
            grandchild.section::<SkirmishStats>().ac_melee,
            grandchild.section::<SkirmishStats>().shield_melee
        ),
        (18, 0)
    );
    assert_eq!(grandchild.modifier(Attribute::Str), 1);
    assert!(!kind("recruit").is_hero() && kind("squire").is_hero());
    assert!(kind("goblin").is_fearless() && !creature("goblin").is_fearless());
}

#[test]
fn mistakes_in_content_are_all_reported() {
    expect(
        r#"(
    weapons: {
        "Sword": (damage: "1d6", melee: ()),
        "club": (damage: "1w6", melee: (reach: 7, skills: [Stabb])),
        "bow": (damage: "1d6", ranged: (how: Bo, range: (60, 50)), shock: "2/13"),
        "wand": (damage: "1d6"),
        "knife": (like: "daggr"),
        "shears": (mele: ()),
    },
    armor: {},
    creatures: {
        "a": (hit_dice: 1, level: 1),
        "b": (weapons: ["swrod", "dagger"], skils: (stab: 1)),
        "c": (hit_dice: 1, traits: [Fearless, Disciplin, ShockBonus], skills: (stab: 1)),
        "d": (level: 1, look: Token(Swrod, Bleu), skill: 2),
        "e": (like: "f"),
        "f": (like: "e"),
        "f": (hit_dice: 1),
    },
)"#,
        &[
            "3:9: \"Sword\" cannot be an id; use lower-case letters, digits and underscores, a letter first",
            "4:26: expected dice such as \"1d6\" or \"2d4+1\", up to \"100d1000+1000\", found \"1w6\"",
            "4:48: 7 ft is no whole number of cells; a cell is 5 ft",
            "4:60: unknown skill `Stabb`; did you mean `Stab`?",
            "5:46: unknown way to shoot `Bo`; did you mean `Bow`?",
            "5:62: the long range is less than the normal one; write the normal range first",
            "5:75: expected Shock such as \"2/AC 13\", or \"2/-\" against any AC, found \"2/13\"",
            "6:9: a weapon needs the field `melee` or `ranged`",
            "7:25: unknown weapon `daggr`; did you mean `dagger`?",
            "8:9: a weapon needs the field `damage`",
            "8:20: unknown field `mele`; did you mean `melee`?",
            "10:5: unknown field `armor`; did you mean `armour`?",
            "12:25: a creature has a level or hit dice, not both; keep one",
            "13:9: a creature needs the field `level` or `hit_dice`",
            "13:25: unknown weapon `swrod`; did you mean `sword`?",
            "13:45: unknown field `skils`; did you mean `skills`?",
            "14:37: `Fearless` is no trait; write `morale: Fearless`",
            "14:47: unknown trait `Disciplin`; did you mean `Disciplined`?",
            "14:58: expected points in brackets, such as `ShockBonus(2)`, found `ShockBonus`",
            "15:37: unknown icon `Swrod`; did you mean `Sword`?",
            "15:44: unknown colour `Bleu`; did you mean `Blue`?",
            "17:21: `f` is like `e`, which cannot be made before it; kinds must not be like each other in a ring",
            "18:9: `f` is here twice; keep one",
        ],
    );
}

#[test]
fn no_input_makes_the_reader_panic() {
    for (file, text) in beneath("assets/content", "ron") {
        let read = |text: &str| drop(check_file(&file, text, Content::built_in()));
        assert_no_panic(&file, &text, read);
    }
}

#[test]
fn the_examples_in_the_docs_are_valid_content() {
    let blocks = code_blocks(include_str!("../../docs/content.md"));
    assert!(!blocks.is_empty());
    for (_, block) in blocks {
        read(&block);
    }
}

/// A weapon with a count becomes that many items. Weapons that never run out cannot have a count.
#[test]
fn a_weapon_can_have_a_count() {
    let text = r#"(creatures: {
    "thrower": (hit_dice: 1, weapons: ["sword", (weapon: "javelin", count: 3)], pack: [(weapon: "dart", count: 1)]),
})"#;
    let content = read(text);
    let thrower = content.creature("thrower").unwrap();
    let ids: Vec<&str> = thrower.weapons.iter().map(|w| w.id.as_str()).collect();
    assert_eq!(ids, ["sword", "javelin", "javelin", "javelin"]);
    assert_eq!(thrower.pack.len(), 1);
    expect(
        r#"(creatures: {
    "a": (hit_dice: 1, weapons: [(weapon: "claws", count: 2)]),
    "b": (hit_dice: 1, weapons: [(weapon: "dart", count: 0), (weapon: "dart")]),
    "c": (hit_dice: 1, weapons: [(weapon: "drat", count: 2, cuont: 1)]),
})"#,
        &[
            "2:43: `claws` is not an item that can be carried; name it alone: it does not run out",
            "3:58: expected a whole number from 1 to 20, found 0",
            "3:62: a weapon with its count needs the field `count`",
            "4:43: unknown weapon `drat`; did you mean `dart`?",
            "4:61: unknown field `cuont`; did you mean `count`?",
        ],
    );
}

/// OP-03: each point of a side's hit-point bonus adds 5% to the displayed hit points, under the
/// rulesets that the level names.
#[test]
fn creature_figures_include_the_hit_point_bonus() {
    let content = Content::built_in();
    let creature = &content.creatures["goblin_archer"];
    let hp = |points: &[(Rules, u8)]| -> Vec<Option<String>> {
        let all = profiles(content, creature, points);
        let of = |figures: &[Stat]| figures.iter().find(|f| f.name == "HP").map(Stat::text);
        all.iter().map(|(_, figures)| of(figures)).collect()
    };
    let place = |rules| ALL.iter().position(|r| r.id == rules).unwrap();
    let (none, some) = (hp(&[]), hp(&[(Rules("Skirmish"), 20)]));
    let number = |hp: &Option<String>| hp.as_ref().unwrap().parse::<i32>().unwrap();
    let at = place("Skirmish");
    assert_eq!(number(&some[at]), 2 * number(&none[at]));
    for (n, (before, after)) in none.iter().zip(&some).enumerate() {
        assert!(n == at || before == after);
    }
}
