//! The signs of actions, roles and conditions. What each looks like is the window's.

/// Declares the icons and the list of all.
macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What there is a sign for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Icon { $($(#[$doc])* $name,)* }

        impl Icon {
            /// Every icon, in the order of this list.
            pub const ALL: &'static [Icon] = &[$(Icon::$name,)*];
        }
    };
}

icons! {
    /// A sword: to strike.
    Strike,
    /// A drawn bow: to shoot.
    Shoot,
    /// A stone in flight: to throw.
    Throw,
    /// A boot: to move.
    Move,
    /// A boot that leaves lines behind: to run.
    Run,
    /// A couched spear: to charge.
    Charge,
    /// A shield: to defend.
    Defend,
    /// A shield, half of it dark: total defense.
    TotalDefense,
    /// Crossed blades: to parry.
    Parry,
    /// Lightning: a snap attack.
    Snap,
    /// Three arrows on one spot: to swarm.
    Swarm,
    /// Three staves in a row: to screen an ally.
    Screen,
    /// A step away from a foe: to disengage.
    Disengage,
    /// A body on the ground: prone.
    Prone,
    /// A body that rises: to stand up.
    Stand,
    /// A cross: to aid, first aid.
    Aid,
    /// A clock: to hold, to delay.
    Hold,
    /// A ring with hairs: to aim.
    Aim,
    /// A door in its frame: to open or shut it.
    Door,
    /// Up from the ground: to pick up.
    PickUp,
    /// Nine squares: all actions.
    Grid,
    /// A bolt and a turn: to reload.
    Reload,
    /// An arrow against a block: to shove.
    Shove,
    /// Two rings, one in the other: to grapple.
    Grapple,
    /// A star: to cast a spell.
    Spell,
    /// Steps on a wall: to climb.
    Climb,
    /// A mouth that shouts: to intimidate.
    Intimidate,
    /// An hourglass: to end the turn.
    EndTurn,
    /// An arrow that turns back.
    Undo,
    /// An arrow over a spot: to pass.
    Pass,
    /// A question: why not?
    Why,
    /// A staff with a round head.
    Staff,
    /// A short blade, point down.
    Dagger,
    /// A long shaft with a leaf of iron.
    Spear,
    /// A sun on a disc: somebody's god.
    HolySign,
    /// A clenched hand.
    Fist,
    /// A hafted blade.
    Axe,
    /// A drop of blood.
    Bleeding,
    /// A head that swims: stunned.
    Stunned,
    /// A lock: held.
    Held,
    /// "!": surprised.
    Surprised,
    /// Two chevrons that point away: fleeing.
    Fleeing,
    /// An eye.
    Eye,
    /// An eye struck out: unseen.
    Unseen,
    /// A twenty-sided die.
    Die,
    Heart,
    Skull,
    Flag,
    Book,
    Gear,
    Save,
    /// An open folder: to load.
    Load,
    Play,
    Pause,
    FastForward,
    /// On to the end.
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
