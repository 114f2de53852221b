//! `fivefoot generate`: writes a level on a generated map.

use super::{Failure, Outcome, args::whole, write_or_say};
use clap::Args;
use fivefoot_core::{
    battle::capitalised,
    content::Content,
    levels::{
        check_file,
        compose::{Aim, Composition, Site, Squad},
        generate::{EDGE, Form, MapSpec, ground},
    },
    ron_read::{Problem, suggestion},
};
use std::path::PathBuf;

/// Make a level on a random map; one seed always gives one level.
///
/// The map is rotationally symmetrical, so it favours no side, and every part of it
/// can be reached. With three or four squads it is square.
#[derive(Args)]
pub struct GenerateArgs {
    /// Terrain: halls, caves, ruins, woods or hills
    #[arg(value_name = "GROUND")]
    form: String,
    /// The seed of the map
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Columns and rows of the map, such as 20x12
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(i16, i16)>,
    /// The units of a side, such as `goblin:4,goblin_chief`; give it once per side, up
    /// to four, the player's first [default: watchmen against watchmen]
    #[arg(long, value_name = "KIND:N,…", value_parser = squad)]
    squad: Vec<Members>,
    /// The objective: defeat, hold (the middle) or leaders (defeat the enemy leaders)
    #[arg(long, value_name = "AIM", value_parser = aim)]
    aim: Option<Aim>,
    /// Write the level to FILE instead of printing it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Let --out overwrite a file
    #[arg(long, requires = "out")]
    force: bool,
}

pub fn run(args: &GenerateArgs) -> Outcome {
    let form = Form::named(&args.form).ok_or_else(|| {
        let all = Form::ALL.map(Form::name).join(", ");
        let name = &args.form;
        Failure::usage(format!("there is no terrain '{name}'; there are {all}"))
    })?;
    let colours = ["The blues", "The reds", "The greens", "The browns"];
    let sides = args.squad.len().max(2);
    if sides > colours.len() {
        let why = format!("--squad can be given up to {} times", colours.len());
        return Err(Failure::usage(why));
    }
    let mut spec = MapSpec::new(form, args.seed, sides);
    if let Some((width, height)) = args.size {
        (spec.width, spec.height) = (width, height);
    }
    let default_squad = || vec![("watchman".into(), 3), ("crossbowman".into(), 1)];
    let squad = |n: usize| Squad {
        name: colours[n].into(),
        members: match args.squad.get(n) {
            Some(squad) => squad.0.clone(),
            None => default_squad(),
        },
    };
    let composition = Composition {
        title: format!("{} {}", capitalised(form.name()), args.seed),
        briefing: String::new(),
        place: Site::of_ground(&ground(spec)),
        squads: (0..sides).map(squad).collect(),
        aim: args.aim.unwrap_or_default(),
        rules: None,
        kinds: String::new(),
    };
    let text = composition.text();
    if let Err(problems) = check_file("generated.ron", &text) {
        let lines: Vec<_> = problems.iter().map(Problem::text).collect();
        return Err(Failure::lines(2, lines.join("\n")));
    }
    write_or_say(&text, args.out.as_ref(), args.force, [])
}

/// Kinds, each with the number of its units.
#[derive(Clone)]
pub struct Members(pub Vec<(String, u32)>);

/// Parses the kinds of a squad: `goblin:4,goblin_chief`.
pub fn squad(text: &str) -> Result<Members, String> {
    let member = |part: &str| {
        let (kind, count) = part.split_once(':').unwrap_or((part, "1"));
        let count = count.parse().ok().filter(|n| (1..=16).contains(n));
        let count = count.ok_or("write 1 to 16 of a kind, such as goblin:4")?;
        check_kind(kind.trim())?;
        Ok::<_, String>((kind.trim().to_owned(), count))
    };
    let members: Result<_, String> = text.split(',').map(member).collect();
    members.map(Members)
}

/// Checks that a kind of unit is built in.
///
/// # Errors
/// If it is not, with the kinds that are.
pub fn check_kind(kind: &str) -> Result<(), String> {
    let known = &Content::built_in().creatures;
    if known.contains_key(kind) {
        return Ok(());
    }
    let help = suggestion(kind, known.keys().map(String::as_str));
    Err(format!("unknown kind `{kind}`; {help}"))
}

/// Parses the size of a map in columns and rows: `20x12`.
pub fn size(text: &str) -> Result<(i16, i16), String> {
    let (least, most) = EDGE;
    let off = || format!("write columns and rows, {least} to {most} each, such as 20x12");
    let (width, height) = text.split_once('x').ok_or_else(off)?;
    let edge = |text: &str| text.parse().ok().filter(|n| (least..=most).contains(n));
    Ok((edge(width).ok_or_else(off)?, edge(height).ok_or_else(off)?))
}

/// Parses the objective of both sides: `hold`.
pub fn aim(text: &str) -> Result<Aim, String> {
    match text {
        "defeat" => Ok(Aim::Defeat),
        "hold" => Ok(Aim::Hold),
        "leaders" => Ok(Aim::Leaders),
        _ => Err("the objectives are defeat, hold and leaders".into()),
    }
}
