//! The report of a comparison as one HTML file, with its charts inside.

use std::error::Error;

use plotters::prelude::*;
use trencavel_host::diagnostic::Diagnostic;
use trencavel_play::compare::{Measure, Verdict};

use super::{GROUPS, Report, change, is_of_hook, summary, verdict};
use crate::failure::Failure;
use crate::html::{escaped, page as whole};

/// Pixels of a chart.
const WIDTH: u32 = 900;
const ROW: u32 = 34;
const MARGIN: u32 = 90;
/// Rows of a chart, at most.
const MOST: usize = 30;

/// The page.
pub(super) fn page(report: &Report) -> Result<String, Failure> {
    let mut body = format!("<h1>What the change does</h1>\n<p>{}</p>\n", escaped(&summary(report)));
    body += &format!("<p>First: {}<br>\nSecond: {}</p>\n", escaped(&report.first), escaped(&report.second));
    for (sorts, title) in GROUPS {
        let all = report.comparison.measures().filter(|measure| sorts.contains(&measure.sort));
        let measures: Vec<&Measure> = all.collect();
        let shown = clearest(&measures);
        let chart = chart(&shown).map_err(|error| {
            Failure::problem(Diagnostic::new("C005", format!("the chart cannot be drawn: {error}")))
        })?;
        let some = match measures.len() - shown.len() {
            0 => String::new(),
            more => format!(
                "<p>The chart shows the clearest changes of what both tables have; the table has {more} more.</p>\n"
            ),
        };
        body += &format!("<h2>{}</h2>\n{chart}\n{some}{}", capital(title), table(&measures));
    }
    if !report.silent.is_empty() {
        let names: Vec<String> = report.silent.iter().map(|name| format!("<code>{}</code>", escaped(name))).collect();
        body += &format!("<h2>Hooks that never did anything</h2>\n<p>{}</p>\n", names.join(", "));
    }
    body += &format!("<p>Played with <code>{}</code></p>\n", escaped(&report.command));
    Ok(whole("What the change does", "", &body))
}

fn capital(title: &str) -> String {
    let (first, rest) = title.split_at(1);
    first.to_uppercase() + rest
}

/// As many as a chart can hold, in their order: those whose change is largest beside its interval. Hooks that only one of
/// the tables has are not among them: they would leave no room for the others.
fn clearest<'a>(measures: &[&'a Measure]) -> Vec<&'a Measure> {
    let one_sided = |measure: &Measure| is_of_hook(measure) && measure.first.mean().min(measure.second.mean()) == 0.0;
    let measures: Vec<&Measure> = measures.iter().copied().filter(|measure| !one_sided(measure)).collect();
    let clear = |measure: &Measure| match measure.verdict() {
        Verdict::Same => 0.0,
        _ => measure.change.mean().abs() / measure.change.half_width().max(1e-9),
    };
    let mut clearness: Vec<f64> = measures.iter().map(|measure| clear(measure)).collect();
    clearness.sort_by(|one, other| other.total_cmp(one));
    let least = clearness.get(MOST - 1).copied().unwrap_or(0.0);
    measures.into_iter().filter(|measure| clear(measure) >= least).take(MOST).collect()
}

fn table(measures: &[&Measure]) -> String {
    let mut text = "<table>\n<tr><th></th><th>first</th><th>second</th><th>change</th><th></th></tr>\n".to_owned();
    for measure in measures {
        text += &format!(
            "<tr><td>{}</td><td>{:.2}</td><td>{:.2}</td><td>{}</td><td>{}</td></tr>\n",
            escaped(&measure.name),
            measure.first.mean(),
            measure.second.mean(),
            change(measure),
            verdict(measure)
        );
    }
    text + "</table>\n"
}

/// Every change as a dot on its interval; the line in the middle is no change.
fn chart(measures: &[&Measure]) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    let rows = measures.len() as i32;
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, ROW * rows.max(1) as u32 + MARGIN)).into_drawing_area();
        root.fill(&WHITE)?;
        // The first one on top.
        let measures: Vec<&Measure> = measures.iter().rev().copied().collect();
        let reach = reach(&measures);
        let names = |row: &i32| measures.get(*row as usize).map_or_else(String::new, |measure| measure.name.clone());
        let mut chart = ChartBuilder::on(&root)
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(260)
            .build_cartesian_2d(-reach..reach, (0..rows.max(1) - 1).into_segmented())?;
        let label = |row: &SegmentValue<i32>| match row {
            SegmentValue::CenterOf(row) | SegmentValue::Exact(row) => names(row),
            SegmentValue::Last => String::new(),
        };
        let unit = measures.first().map_or("", |measure| measure.unit);
        let axis = format!("second minus first {unit}");
        chart
            .configure_mesh()
            .disable_y_mesh()
            .label_style(("sans-serif", 17))
            .y_labels(rows as usize + 1)
            .y_label_formatter(&label)
            .x_desc(axis)
            .draw()?;
        chart.draw_series([PathElement::new(
            vec![(0.0, SegmentValue::Exact(0)), (0.0, SegmentValue::Last)],
            BLACK.stroke_width(1),
        )])?;
        for (row, measure) in measures.iter().enumerate() {
            let (mean, width) = (measure.change.mean(), measure.change.half_width().min(reach));
            let colour = if measure.verdict() == Verdict::Differs { RED } else { RGBColor(120, 120, 120) };
            let at = |x: f64| (x.clamp(-reach, reach), SegmentValue::CenterOf(row as i32));
            chart.draw_series([PathElement::new(vec![at(mean - width), at(mean + width)], colour.stroke_width(3))])?;
            chart.draw_series([Circle::new(at(mean), 5, colour.filled())])?;
        }
        root.present()?;
    }
    Ok(svg)
}

/// How far the axis goes to either side.
fn reach(measures: &[&Measure]) -> f64 {
    let ends = measures.iter().map(|measure| {
        let width = measure.change.half_width();
        measure.change.mean().abs() + if width.is_finite() { width } else { 0.0 }
    });
    1.1 * ends.fold(0.1, f64::max)
}
