//! Icons for actions, roles and conditions. How they look is defined in the UI.

/// Declares the icons and the list of all icons.
macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What an icon stands for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Icon { $($(#[$doc])* $name,)* }

        impl Icon {
            /// Every icon, in the order of this list.
            pub const ALL: &'static [Icon] = &[$(Icon::$name,)*];
            /// Every icon with its name in files.
            pub const WORDS: &'static [(&'static str, Icon)] =
                &[$((stringify!($name), Icon::$name),)*];
        }
    };
}

icons! {
    /// A sword: strike.
    Strike,
    /// A drawn bow: shoot.
    Shoot,
    /// A stone in flight: throw.
    Throw,
    /// A boot: move.
    Move,
    /// A boot with speed lines: run.
    Run,
    /// A levelled spear: charge.
    Charge,
    /// A shield: defend.
    Defend,
    /// A half-dark shield: total defense.
    TotalDefense,
    /// Crossed blades: parry.
    Parry,
    /// Lightning: a snap attack.
    Snap,
    /// Three arrows on one spot: swarm.
    Swarm,
    /// Three staves in a row: screen an ally.
    Screen,
    /// A step away from an enemy: disengage.
    Disengage,
    /// A body on the ground: prone.
    Prone,
    /// A body that rises: stand up.
    Stand,
    /// A cross: aid, first aid.
    Aid,
    /// A clock: hold, delay.
    Hold,
    /// A ring with cross hairs: aim.
    Aim,
    /// A door in its frame: open or close it.
    Door,
    /// An arrow up from the ground: pick up.
    PickUp,
    /// Nine squares: all actions.
    Grid,
    /// A bolt and a turning arrow: reload.
    Reload,
    /// An arrow against a block: shove.
    Shove,
    /// Two linked rings: grapple.
    Grapple,
    /// A star: cast a spell.
    Spell,
    /// Steps on a wall: climb.
    Climb,
    /// A shouting mouth: intimidate.
    Intimidate,
    /// An hourglass: end the turn.
    EndTurn,
    /// An arrow that turns back: undo.
    Undo,
    /// An arrow over a spot: pass.
    Pass,
    /// A question mark: why not?
    Why,
    /// A staff with a round head.
    Staff,
    /// A short blade, point down.
    Dagger,
    /// A long shaft with an iron point.
    Spear,
    /// A sun on a disc: a religious symbol.
    HolySign,
    /// A clenched hand.
    Fist,
    /// A blade on a shaft.
    Axe,
    /// A drop of blood.
    Bleeding,
    /// A dizzy head: stunned.
    Stunned,
    /// A lock: held.
    Held,
    /// "!": surprised.
    Surprised,
    /// A banner on a broken staff: fleeing.
    Fleeing,
    /// Two chevrons: a way out.
    Exit,
    /// An eye.
    Eye,
    /// A crossed-out eye: unseen.
    Unseen,
    /// A twenty-sided die.
    Die,
    Heart,
    Skull,
    Flag,
    Book,
    Gear,
    Save,
    /// An open folder: load.
    Load,
    Play,
    Pause,
    FastForward,
    /// An arrow to the end: skip ahead.
    Skip,
    Close,
    Check,
    Sound,
    Mute,
    /// A folded sheet: the levels.
    Map,
    ArrowRight,
    ArrowLeft,
    ArrowUp,
    ArrowDown,
}
