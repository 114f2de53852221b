//! Colour perception: how colours look without one kind of cones, and how different
//! two colours look.

use super::palette::Rgb;

/// A kind of cones in the eye.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cones {
    Red,
    Green,
    Blue,
}

impl Cones {
    pub const ALL: [Cones; 3] = [Cones::Red, Cones::Green, Cones::Blue];

    /// The transformation of linear light for eyes without these cones: the model of
    /// Machado, Oliveira and Fernandes (2009) at full strength.
    fn without(self) -> [[f32; 3]; 3] {
        match self {
            Cones::Red => [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            Cones::Green => [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            Cones::Blue => [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        }
    }
}

impl Rgb {
    /// The colour as a person without these cones sees it.
    pub fn as_seen_without(self, cones: Cones) -> Rgb {
        let light = [self.0, self.1, self.2].map(to_light);
        let [r, g, b] = cones.without().map(|row| {
            let sum: f32 = std::iter::zip(row, light).map(|(a, b)| a * b).sum();
            from_light(sum)
        });
        Rgb(r, g, b)
    }

    /// How different two colours look (CIEDE2000): 1 is just visible when they touch,
    /// 10 at a glance.
    pub fn apart(self, other: Rgb) -> f32 {
        ciede2000(self.lab(), other.lab())
    }

    /// Lightness and the two opponent colours of CIELAB, under daylight.
    fn lab(self) -> [f32; 3] {
        let [r, g, b] = [self.0, self.1, self.2].map(to_light);
        let f = |t: f32| match t > 0.008856 {
            true => t.cbrt(),
            false => 7.787 * t + 16.0 / 116.0,
        };
        let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
        let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }
}

/// The linear light of an sRGB byte, from 0 to 1.
pub(super) fn to_light(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    match c <= 0.040_45 {
        true => c / 12.92,
        false => ((c + 0.055) / 1.055).powf(2.4),
    }
}

fn from_light(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let c = match light <= 0.003_130_8 {
        true => light * 12.92,
        false => 1.055 * light.powf(1.0 / 2.4) - 0.055,
    };
    (c * 255.0).round() as u8
}

/// The CIEDE2000 difference of two CIELAB colours, all weights 1.
pub fn ciede2000([l1, a1, b1]: [f32; 3], [l2, a2, b2]: [f32; 3]) -> f32 {
    let seventh = |c: f32| (c.powi(7) / (c.powi(7) + 25f32.powi(7))).sqrt();
    let mean = (a1.hypot(b1) + a2.hypot(b2)) / 2.0;
    let stretch = 1.0 + 0.5 * (1.0 - seventh(mean));
    let (a1, a2) = (a1 * stretch, a2 * stretch);
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue = |a: f32, b: f32| b.atan2(a).to_degrees().rem_euclid(360.0);
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let is_grey = c1 * c2 == 0.0;
    let turn = match h2 - h1 {
        _ if is_grey => 0.0,
        d if d > 180.0 => d - 360.0,
        d if d < -180.0 => d + 360.0,
        d => d,
    };
    let (dl, dc) = (l2 - l1, c2 - c1);
    let dh = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let (l, c) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let h = match is_grey {
        true => h1 + h2,
        false => (h1 + turn / 2.0).rem_euclid(360.0),
    };
    let cos = |degrees: f32| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(h - 30.0) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + 6.0)
        - 0.20 * cos(4.0 * h - 63.0);
    let off = (l - 50.0).powi(2);
    let sl = 1.0 + 0.015 * off / (20.0 + off).sqrt();
    let (sc, sh) = (1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
    let turned = 60.0 * (-((h - 275.0) / 25.0).powi(2)).exp();
    let rotation = -turned.to_radians().sin();
    let (l, c, h) = (dl / sl, dc / sc, dh / sh);
    (l * l + c * c + h * h + rotation * 2.0 * seventh((c1 + c2) / 2.0) * c * h)
        .max(0.0)
        .sqrt()
}
