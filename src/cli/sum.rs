//! `fivefoot sum`

use super::{
    Failure, Outcome, SumArgs, battles, say,
    telling::{Form, Telling},
};
use fivefoot_core::lab::{Tally, file, report::Report};

pub fn run(args: &SumArgs) -> Outcome {
    let mut parts: Vec<Vec<Tally>> = vec![];
    let mut all: Vec<Tally> = vec![];
    for path in &args.files {
        let name = path.display();
        let text = battles::read(path)?;
        let read = file::read(&text);
        let read = read.map_err(|(line, why)| Failure::new(format!("{name}:{line}: {why}")))?;
        if parts.is_empty() {
            all.clone_from(&read);
        } else {
            let joined = file::join(&mut all, &read);
            joined.map_err(|why| {
                let first = args.files[0].display();
                Failure::new(format!("{name}: cannot be joined to {first}: {why}"))
            })?;
        }
        parts.push(read);
    }
    let form = match (args.json, args.csv) {
        (true, _) => Form::Json,
        (_, true) => Form::Csv,
        _ => Form::Text,
    };
    let mut telling = Telling::new(form, args.report.as_ref())?;
    for (n, tally) in all.into_iter().enumerate() {
        let report = Report::of(tally).map_err(Failure::new)?;
        let held = (parts.len() > 1 && form == Form::Text).then(|| coverage(&report, &parts, n));
        telling.tell(report);
        held.iter().for_each(say);
    }
    telling.finish()
}

/// How many of the parts' intervals hold the share of the whole.
fn coverage(whole: &Report, parts: &[Vec<Tally>], n: usize) -> String {
    let share = whole.wins(0).value;
    let holds = |part: &&Vec<Tally>| {
        let Tally { wins, .. } = &part[n];
        let part = fivefoot_core::lab::interval::Estimate::share(wins[0], part[n].battles());
        part.low <= share && share <= part.high
    };
    let held = parts.iter().filter(holds).count();
    format!(
        "  {held} of the intervals of the {} parts contain the overall win rate ({:.1}%)",
        parts.len(),
        share * 100.0
    )
}
