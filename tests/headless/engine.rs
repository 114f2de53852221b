//! The engine: what holds for every battle.
//!
//! - `circles`: steps that would run for ever
//! - `demo`: the demonstration ruleset, on every level: choices in secret, what
//!   happens at one moment, forks, undo
//! - `hidden`: what is offered tells nothing of hidden units
//! - `holds`: the same and more on Skirmish
//! - `sealed`: what others have said is in nobody else's copy
//!
//! Its hard cases are proven where they are played, by scenarios:
//!
//! | the engine can | proven by |
//! |---|---|
//! | stop between a roll and its verdict, and have somebody fall there | `sk_12_between_hit_and_damage`, `sk_12_drops_nobody` |
//! | ask several at one moment, none knowing of the others, and open again | `sk_05_two_reactors`, `sp_12_riposte` |
//! | interrupt what interrupts | `sk_26_looked_at_again`, `sk_26_cut_short`, `ac_15_in_the_middle_of_a_run` |
//! | let several give up their own for one act, which may lapse | `sk_13_four`, `sk_13_lapses` |
//! | resolve equal counts on one state, and others in their order | `sp_03_double_ko`, `sp_03_low_to_high`, `de_03_both_fall` |
//! | take in a newcomer whose count has gone by | `sp_06_the_ghoul`, `sp_06_in_time` |
//! | let sides act at one moment, or one after the other | `se_32_double_kill`, `se_30_high_is_good` |
//! | move several at once, and bring no two to one cell | `de_02_two_want_one_cell`, `se_32_charges_meet` |
//! | seal declarations and tell them later | `de_01_in_secret`, `se_21_declarations_are_sealed`, `sealed_declarations_stay_sealed_sp_05`, `declarations_are_sealed_and_then_told` |
//! | know the act just done and the next | `ac_13_current_then_gone`, `ac_15_jason_first`, `ac_15_orc_first`, `ac_16_blur`, `ac_16_bladeturn` |
//! | carry an act into the next round | `ac_14_heavy_crossbow`, `ac_14_light_crossbow_and_a_shot` |
//! | offer a share of something that is left | `ac_13_the_share` |
//! | act in groups, late in them, and lose a tie for it | `ph_16_declared_delay`, `ph_16_nothing_until_low`, `ph_16_in_low`, `ph_24_delayed_in_a_tie` |
//! | ask once for many openings, and count what was drawn | `ph_40_one_a_segment`, `ph_40_two_segments`, `ph_40_the_own_action_is_left` |
//! | give up a declaration for an answer | `ph_41_a_declared_spell_is_lost`, `ph_41_a_spent_major` |

mod circles;
mod demo;
mod fair;
mod hidden;
mod holds;
mod sealed;
