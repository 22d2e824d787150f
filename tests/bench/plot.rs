//! A plot of cost against size, both on logarithmic axes, as SVG.

use std::fmt::Write;

/// The points of one program: bytes, and seconds of processor time.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
/// Space for the labels on the left and below.
const MARGIN: f64 = 60.0;
/// Space for the names of the lines.
const RIGHT: f64 = 190.0;
/// Colours that differ in lightness, too.
const COLOURS: [&str; 6] =
    ["#0b6e4f", "#c8553d", "#3066be", "#7d5ba6", "#b8860b", "#555555"];

/// Returns the plot.
pub(crate) fn svg(title: &str, lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|line| &line.points);
    let x = Axis::over(all().map(|point| point.0), MARGIN, WIDTH - RIGHT);
    let y = Axis::over(all().map(|point| point.1), HEIGHT - MARGIN, 40.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"22\" font-size=\"14\">{title}</text>\n"
    );
    grid(&mut out, &x, &y);
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let place = |&(size, time): &(f64, f64)| (x.at(size), y.at(time));
        let points: Vec<_> = line.points.iter().map(place).collect();
        let path: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            path.join(" ")
        );
        if let Some((x, y)) = points.last() {
            let (x, y, name) = (x + 6.0, y + 4.0, &line.name);
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{name}</text>"
            );
        }
    }
    out + "</svg>\n"
}

fn grid(out: &mut String, x: &Axis, y: &Axis) {
    for power in x.powers() {
        let (at, label) = (x.at(10f64.powi(power)), bytes(power));
        let _ = writeln!(
            out,
            "<path stroke=\"#ddd\" d=\"M{at:.1} {} V{}\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            y.start,
            y.end,
            y.start + 20.0
        );
    }
    for power in y.powers() {
        let (at, label) = (y.at(10f64.powi(power)), seconds(power));
        let _ = writeln!(
            out,
            "<path stroke=\"#ddd\" d=\"M{} {at:.1} H{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            x.start,
            x.end,
            x.start - 6.0,
            at + 4.0
        );
    }
}

fn bytes(power: i32) -> String {
    match power {
        ..=5 => format!("{} KB", 10i64.pow((power - 3).max(0) as u32)),
        _ => format!("{} MB", 10i64.pow((power - 6) as u32)),
    }
}

fn seconds(power: i32) -> String {
    match power {
        ..=-1 => format!("{} ms", 10f64.powi(power + 3)),
        _ => format!("{} s", 10i64.pow(power as u32)),
    }
}

/// A logarithmic axis: whole powers of ten from `low` to `high`, drawn from `start` to `end`.
struct Axis {
    low: i32,
    high: i32,
    start: f64,
    end: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Axis {
        let powers: Vec<f64> = values.map(f64::log10).collect();
        let low = powers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = powers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = ((low + 1e-3).floor() as i32, (high - 1e-3).ceil() as i32);
        Axis { low, high: high.max(low + 1), start, end }
    }

    fn at(&self, value: f64) -> f64 {
        let part =
            (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        self.start + part * (self.end - self.start)
    }

    fn powers(&self) -> impl Iterator<Item = i32> {
        self.low..=self.high
    }
}
