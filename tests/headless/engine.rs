//! The engine: properties of every battle.
//!
//! - `circles`: endless loops of steps
//! - `demo`: the demonstration ruleset on every level: secret choices, simultaneous events, undo
//! - `fair`: an AI's choices depend only on what its side knows
//! - `hidden`: offers reveal nothing about hidden units
//! - `holds`: determinism, forks and undo under every ruleset, and more on Skirmish
//! - `sealed`: a copy for one side holds no secret answers of other sides
//!
//! Scenarios test the engine's hard cases in the rulesets that use them:
//!
//! | the engine can | tested by |
//! |---|---|
//! | stop between a roll and its hit result, and let a unit fall there | `sk_12_between_hit_and_damage`, `sk_12_drops_nobody` |
//! | prompt several units at one moment, in secret, and prompt again | `sk_05_two_reactors`, `sp_12_riposte` |
//! | interrupt an interruption | `sk_26_looked_at_again`, `sk_26_cut_short`, `ac_15_in_the_middle_of_a_run` |
//! | let several units give up their actions for one joint action, which can lapse | `sk_13_four`, `sk_13_lapses` |
//! | resolve equal counts on one state, and other counts in order | `sp_03_double_ko`, `sp_03_low_to_high`, `de_03_both_fall` |
//! | add a reinforcement whose count has passed | `sp_06_the_ghoul`, `sp_06_in_time` |
//! | let sides act at one moment, or one after the other | `se_32_double_kill`, `se_30_high_is_good` |
//! | move several units at once, never two into one cell | `de_02_two_want_one_cell`, `se_32_charges_meet` |
//! | keep declarations secret and reveal them later | `de_01_in_secret`, `se_21_declarations_are_sealed`, `sealed_declarations_stay_sealed_sp_05`, `declarations_are_sealed_and_then_told` |
//! | know a unit's current action and its next one | `ac_13_current_then_gone`, `ac_15_jason_first`, `ac_15_orc_first`, `ac_16_blur`, `ac_16_bladeturn` |
//! | carry an action into the next round | `ac_14_heavy_crossbow`, `ac_14_light_crossbow_and_a_shot` |
//! | offer part of a remaining amount | `ac_13_the_share` |
//! | act in groups, act late in a group, and lose ties for it | `ph_16_declared_delay`, `ph_16_nothing_until_low`, `ph_16_in_low`, `ph_24_delayed_in_a_tie` |
//! | prompt once for many openings, and limit the attacks they provoke | `ph_40_one_a_segment`, `ph_40_two_segments`, `ph_40_the_own_action_is_left` |
//! | give up a declaration for a reaction | `ph_41_a_declared_spell_is_lost`, `ph_41_a_spent_major` |

mod circles;
mod demo;
mod fair;
mod hidden;
mod holds;
mod sealed;
