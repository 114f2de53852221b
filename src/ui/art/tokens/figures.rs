//! The outlines of those who are no heroes.

use super::super::canvas::Shape;

/// The outline of a meeple: kinds differ by it, not by colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Figure {
    Plain,
    /// Long ears to the sides.
    Ears,
    /// A helmet with a rim.
    Helm,
    /// A pointed hood.
    Hood,
    /// Two horns.
    Horns,
    /// Broad, with a small head.
    Brute,
    /// On four legs.
    Beast,
}

impl Figure {
    pub const ALL: [Figure; 7] = [
        Figure::Plain,
        Figure::Ears,
        Figure::Helm,
        Figure::Hood,
        Figure::Horns,
        Figure::Brute,
        Figure::Beast,
    ];
}

/// The parts of a figure in layers, the lowest first, about the middle, in a
/// square of one unit.
pub fn figure(figure: Figure) -> Vec<Vec<Shape>> {
    // Arms, legs and trunk in one line; heads lie over it.
    const BODY: &str = "M -0.09 -0.13 C -0.2 -0.13 -0.43 -0.12 -0.43 -0.02 C -0.43 0.09 -0.28 0.07 -0.19 0.075 \
        C -0.22 0.19 -0.28 0.3 -0.33 0.4 L -0.1 0.4 C -0.08 0.3 0.08 0.3 0.1 0.4 L 0.33 0.4 \
        C 0.28 0.3 0.22 0.19 0.19 0.075 C 0.28 0.07 0.43 0.09 0.43 -0.02 C 0.43 -0.12 0.2 -0.13 0.09 -0.13 Z";
    const HEAD: &str = "O 0 -0.25 0.155";
    let layers: &[&[&str]] = match figure {
        Figure::Plain => &[&[BODY, HEAD]],
        Figure::Ears => &[
            &[
                "M 0 -0.3 L -0.38 -0.41 C -0.37 -0.28 -0.28 -0.17 -0.05 -0.16 Z",
                "M 0 -0.3 L 0.38 -0.41 C 0.37 -0.28 0.28 -0.17 0.05 -0.16 Z",
            ],
            &[BODY, HEAD],
        ],
        Figure::Helm => &[
            &[BODY, HEAD],
            &[
                "M -0.165 -0.27 C -0.17 -0.38 -0.1 -0.44 0 -0.47 C 0.1 -0.44 0.17 -0.38 0.165 -0.27 L 0.24 -0.25 L 0.24 -0.2 L -0.24 -0.2 L -0.24 -0.25 Z",
            ],
        ],
        Figure::Hood => &[
            &[BODY],
            &[
                "M 0.04 -0.49 C 0.15 -0.4 0.21 -0.24 0.2 -0.06 C 0.1 0 -0.1 0 -0.2 -0.06 C -0.22 -0.24 -0.12 -0.39 0.04 -0.49 Z",
            ],
        ],
        Figure::Horns => &[
            &[
                "M 0 -0.36 C -0.12 -0.34 -0.18 -0.4 -0.17 -0.5 C -0.28 -0.44 -0.29 -0.26 -0.1 -0.2 Z",
                "M 0 -0.36 C 0.12 -0.34 0.18 -0.4 0.17 -0.5 C 0.28 -0.44 0.29 -0.26 0.1 -0.2 Z",
            ],
            &[BODY, HEAD],
        ],
        Figure::Brute => &[
            &[
                "M -0.1 -0.2 C -0.3 -0.23 -0.46 -0.14 -0.46 0.06 C -0.46 0.18 -0.43 0.26 -0.36 0.26 C -0.3 0.26 -0.28 0.18 -0.27 0.12 \
             C -0.27 0.22 -0.29 0.3 -0.31 0.4 L -0.07 0.4 C -0.06 0.32 0.06 0.32 0.07 0.4 L 0.31 0.4 C 0.29 0.3 0.27 0.22 0.27 0.12 \
             C 0.28 0.18 0.3 0.26 0.36 0.26 C 0.43 0.26 0.46 0.18 0.46 0.06 C 0.46 -0.14 0.3 -0.23 0.1 -0.2 Z",
            ],
            &["O 0 -0.27 0.14"],
        ],
        Figure::Beast => &[&[
            "M -0.4 -0.1 C -0.3 -0.2 -0.1 -0.14 0.08 -0.16 C 0.12 -0.24 0.16 -0.3 0.18 -0.38 L 0.24 -0.3 L 0.31 -0.37 L 0.33 -0.26 \
             C 0.38 -0.24 0.44 -0.2 0.45 -0.15 C 0.44 -0.1 0.36 -0.08 0.31 -0.06 C 0.3 0.04 0.28 0.1 0.27 0.16 L 0.29 0.36 L 0.17 0.36 \
             L 0.13 0.2 C 0.02 0.23 -0.1 0.23 -0.17 0.2 L -0.2 0.36 L -0.32 0.36 L -0.32 0.1 C -0.34 0.06 -0.34 0.0 -0.33 -0.04 \
             C -0.38 0.0 -0.42 0.06 -0.44 0.14 C -0.48 0.06 -0.46 -0.04 -0.4 -0.1 Z",
        ]],
    };
    layers
        .iter()
        .map(|parts| parts.iter().map(|part| Shape::marks(part)).collect())
        .collect()
}
