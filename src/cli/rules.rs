//! `fivefoot rules`: prints the rules of the codex.

use super::{Failure, Outcome, args::ruleset, hint, say, say_lines, sheet};
use clap::Args;
use fivefoot_core::{battle::Ruleset, content::codex::Codex};

/// Look up rules: the list, one rule, or a ruleset as a page to print.
#[derive(Args)]
pub struct RulesArgs {
    /// A rule's id, such as SK-31
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Print a ruleset as an HTML page, to standard output
    #[arg(long, value_name = "R", value_parser = ruleset, conflicts_with = "id")]
    sheet: Option<&'static Ruleset>,
}

pub fn run(args: &RulesArgs) -> Outcome {
    let codex = Codex::built_in();
    if let Some(rules) = args.sheet {
        let sheet = sheet::page(codex, rules);
        say_lines(sheet.trim_end());
        return Ok(());
    }
    let Some(id) = &args.id else {
        for rule in codex.rules() {
            say(format!("{:<7} {}", rule.id, rule.title));
        }
        return Ok(());
    };
    let Some(rule) = codex.rule(id) else {
        let help = hint(id, codex.rules().map(|r| r.id.as_str()), "rules");
        return Err(Failure::usage(format!("there is no rule '{id}'; {help}")));
    };
    say(format!("{}  {}", rule.id, rule.title));
    say("");
    say_lines(&rule.text);
    Ok(())
}
