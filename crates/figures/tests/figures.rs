//! Figures as callers get them: SVG and PNG of any data.

use std::collections::BTreeSet;
use std::io::Cursor;

use nonius_figures::{
    Axis, Colour, Curve, Figure, FigureError, Format, Look, Marker, Markers, Panel, Reference,
};

fn svg(figure: &Figure) -> String {
    String::from_utf8(figure.draw(Format::Svg).unwrap()).unwrap()
}

/// The words of an SVG, in their order.
fn words(svg: &str) -> Vec<&str> {
    let texts = svg.split("<text ").skip(1);
    texts.map(|rest| rest.split_once('>').unwrap().1.split_once("</text>").unwrap().0).collect()
}

/// Checks that tags are closed in their order, and that attributes have no stray signs.
fn check(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let mut open = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap();
        assert!(!text.contains('>'), "{piece}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert!(open.is_empty());
    for nothing in ["NaN", "inf"] {
        assert!(
            svg.split("points=\"").skip(1).all(|p| !p.split('"').next().unwrap().contains(nothing))
        );
    }
}

/// A number of the first tag that has that attribute.
fn attribute(svg: &str, name: &str) -> f64 {
    let (_, rest) = svg.split_once(&format!(" {name}=\"")).unwrap();
    rest.split_once('"').unwrap().0.parse().unwrap()
}

/// Checks that all lines and the beginnings of all words are on the page.
fn check_places(svg: &str) {
    let (width, height) = (attribute(svg, "width"), attribute(svg, "height"));
    let inside = |x: f64, y: f64| {
        assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{x},{y}: {svg}");
    };
    for line in svg.split(" points=\"").skip(1) {
        for point in line.split_once('"').unwrap().0.split(' ') {
            let (x, y) = point.split_once(',').unwrap();
            inside(x.parse().unwrap(), y.parse().unwrap());
        }
    }
    for words in svg.split("<text ").skip(1) {
        inside(attribute(words, "x"), attribute(words, "y"));
    }
}

/// Width and height of an SVG, and of the PNG of the same figure.
fn sizes(figure: &Figure) -> [(u32, u32); 2] {
    let text = svg(figure);
    check_places(&text);
    let size = ["width", "height"].map(|name| attribute(&text, name) as u32);
    let png = figure.draw(Format::Png).unwrap();
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert!(pixels.iter().any(|&part| part < 100), "all paper");
    [size.into(), (frame.width, frame.height)]
}

fn of(curves: Vec<Curve>, y: Axis) -> Figure {
    let panel = Panel { x: Axis::counting("iteration"), y, curves, ..Panel::default() };
    Figure { title: "title".into(), panels: vec![panel], ..Figure::default() }
}

fn series(values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(i, &y)| (i as f64, y)).collect()
}

#[test]
fn numbers_of_any_size_are_drawn() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let cases: [&[f64]; 15] = [
        &[1.0, 1e-160, 1e-318],
        &[1e-320],
        &[5e-324, 1.0],
        &[f64::MAX, 1.0],
        &[f64::MAX, f64::MIN_POSITIVE, 5e-324],
        &[inf, 1e-3, nan, nan, 2.0],
        &[3.0, 3.0],
        &[1.0, 1.0 + f64::EPSILON],
        &[1e100, 1e-100, 7.0],
        &[-f64::MAX, f64::MAX, 1.0],
        &[-5e-324, 5e-324],
        &[-1.0, 0.0, 1.0, nan, 2.0],
        &[1e16, 1e16 + 2.0],
        &[0.1, 0.3],
        &[-1e-300, 1e300],
    ];
    for values in cases {
        for y in [Axis::linear("y"), Axis::logarithmic("y"), Axis::logarithmic("y").reaching(1.0)] {
            for points in [series(values), values.iter().map(|&v| (v, v)).collect()] {
                for x in [Axis::counting("x"), Axis::linear("x"), Axis::logarithmic("x")] {
                    let curves = vec![Curve::new("one", points.clone()), Curve::new("two", [])];
                    let panel = Panel { x, y: y.clone(), curves, ..Panel::default() };
                    let figure = Figure { panels: vec![panel], ..Figure::default() };
                    match figure.draw(Format::Svg) {
                        Ok(bytes) => {
                            let text = String::from_utf8(bytes).unwrap();
                            check(&text);
                            check_places(&text);
                        }
                        Err(FigureError::Empty) => {
                            let shown = points.iter().any(|&(a, b)| a > 0.0 && a < inf && b > 0.0);
                            assert!(!shown, "{points:?}");
                        }
                        Err(error) => panic!("{values:?}: {error}"),
                    }
                }
            }
        }
    }
}

#[test]
fn labels_reach_the_smallest_numbers() {
    let curve = Curve::new("gap", series(&[1.0, 1e-30, 1e-100, 1e-300]));
    let text = svg(&of(vec![curve], Axis::logarithmic("gap")));
    let found = words(&text);
    for label in ["1", "10⁻⁵⁰", "10⁻¹⁰⁰", "10⁻²⁵⁰", "10⁻³⁰⁰", "iteration", "gap", "title"]
    {
        assert!(found.contains(&label), "{label}: {found:?}");
    }
}

#[test]
fn figures_without_points_are_refused() {
    let none = [vec![], vec![Curve::new("a", [])], vec![Curve::new("a", [(0.0, f64::NAN)])]];
    for curves in none {
        let figure = of(curves, Axis::linear("y"));
        assert!(matches!(figure.draw(Format::Svg), Err(FigureError::Empty)));
        assert!(matches!(figure.draw(Format::Png), Err(FigureError::Empty)));
    }
    let zero = of(vec![Curve::new("a", [(0.0, 0.0)])], Axis::logarithmic("y"));
    let error = zero.draw(Format::Svg).unwrap_err().to_string();
    assert_eq!(error, "the figure is empty: no curve has a point that its axes can show");
    assert!(matches!(Figure::default().draw(Format::Svg), Err(FigureError::Empty)));
}

/// However many there are, and wherever they end.
#[test]
fn every_curve_is_named_and_has_a_look_of_its_own() {
    for count in [2, 3, 6, 7, 14, 21, 75] {
        for apart in [0.0, 1e-3, 1.0] {
            let curve = |i: usize| {
                let height = i as f64 * apart;
                Curve::new(format!("curve u{i}"), [(0.0, 0.0), (i as f64 * apart, 1.0 + height)])
            };
            let text = svg(&of((0..count).map(curve).collect(), Axis::linear("y")));
            check(&text);
            check_places(&text);
            let found = words(&text);
            for i in 0..count {
                let name = format!("curve u{i}");
                assert_eq!(found.iter().filter(|&&word| word == name).count(), 1, "{name}");
            }
            let looks: BTreeSet<&str> = text
                .split("<polyline ")
                .filter(|line| line.contains("stroke-width=\"2\""))
                .map(|line| line.split(" points").next().unwrap())
                .collect();
            assert_eq!(looks.len(), count);
        }
    }
}

#[test]
fn few_curves_are_named_at_their_ends_and_many_beside_the_axes() {
    let names = |count: usize| {
        let curve = |i: usize| Curve::new(format!("c{i}"), [(0.0, 0.0), (1.0, i as f64)]);
        let text = svg(&of((0..count).map(curve).collect(), Axis::linear("y")));
        text.matches("class=\"nf-words-").count()
    };
    assert_eq!((names(6), names(7)), (6, 0));
    // The names of ends at one place are moved apart; those of ends hidden in curves are listed.
    let alike = |i: usize| Curve::new(format!("c{i}"), [(0.0, i as f64), (1.0, 9.0)]);
    let text = svg(&of((0..6).map(alike).collect(), Axis::linear("y")));
    assert_eq!(text.matches("class=\"nf-words-").count(), 6);
    let noise = (0..3000).map(|i| (f64::from(i), f64::from(i * 7919 % 1000)));
    let within = Curve::new("within", [(0.0, 0.0), (1500.0, 500.0)]);
    let text = svg(&of(vec![Curve::new("noise", noise), within], Axis::linear("y")));
    assert!(!text.contains("class=\"nf-words-") && words(&text).contains(&"within"));
}

#[test]
fn a_panel_of_one_curve_can_name_it_by_its_title() {
    let figure = |name: &str| {
        let mut figure = of(vec![Curve::new(name, [(0.0, 1.0)])], Axis::linear("y"));
        figure.panels[0].title = "delta".into();
        svg(&figure)
    };
    assert_eq!(words(&figure("delta")).iter().filter(|&&w| w == "delta").count(), 1);
    assert!(words(&figure("gamma")).contains(&"gamma"));
}

#[test]
fn names_are_escaped() {
    let name = "a\u{1b}[31m <b> & \"c\"\u{202e}\u{ffff}";
    let mut figure = of(vec![Curve::new(name, [(0.0, 1.0)])], Axis::linear(name));
    figure.title = name.into();
    figure.note = name.into();
    figure.panels[0].title = "<panel>".into();
    figure.panels[0].references = vec![Reference { name: name.into(), value: 2.0 }];
    let text = svg(&figure);
    check(&text);
    assert_eq!(text.matches("&lt;b&gt; &amp; &quot;c&quot;").count(), 6);
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{ffff}']));
}

#[test]
fn long_names_keep_their_ends() {
    let curves = (0..9).map(|i| Curve::new(format!("{} u{i}", "x".repeat(9000)), [(0.0, 1.0)]));
    let text = svg(&of(curves.collect(), Axis::linear("y")));
    assert!((0..9).all(|i| text.contains(&format!("x u{i}<"))));
    assert!(text.len() < 20_000);
}

#[test]
fn many_points_are_thinned() {
    let wave = (0..500_000).map(|i| (f64::from(i), f64::from(i).sin()));
    let text = svg(&of(vec![Curve::new("wave", wave)], Axis::linear("y")));
    assert!(text.len() < 60_000, "{}", text.len());
}

#[test]
fn a_png_has_two_pixels_for_each_of_the_figure() {
    let looks = Marker::ALL.map(|marker| Look { colour: Colour::Green, dash: 3, marker });
    let curves = looks.iter().zip(Marker::ALL).enumerate().map(|(i, (&look, marker))| {
        let points = [(0.0, 1.0), (1.0, 1e-5), (2.0, 10.0_f64.powi(i as i32))];
        let markers = if i % 2 == 0 { Markers::All } else { Markers::End };
        Curve::new(format!("{marker:?}"), points).with_look(look).with_markers(markers)
    });
    let mut figure = of(curves.collect(), Axis::logarithmic("y"));
    figure.note = "a note".into();
    for (width, height, shared_legend) in [(860, 360, false), (333, 100, true), (0, 0, false)] {
        figure = Figure { width, height, shared_legend, ..figure };
        let [vector, pixels] = sizes(&figure);
        assert_eq!(vector.0, width.max(320));
        assert_eq!((2 * vector.0, 2 * vector.1), pixels);
    }
    figure.panels = vec![figure.panels[0].clone(); 400];
    assert!(matches!(figure.draw(Format::Png), Err(FigureError::TooLarge { .. })));
    check(&svg(&figure));
}

#[test]
fn pages_are_light_or_dark() {
    let text = svg(&of(vec![Curve::new("a", [(0.0, 1.0)])], Axis::linear("y")));
    let (light, dark) = text.split_once("@media (prefers-color-scheme:dark)").unwrap();
    assert!(light.contains(".nf-paper{fill:#ffffff}") && dark.contains(".nf-paper{fill:#161b22}"));
    // Nothing has a colour of its own.
    assert!(!dark.split_once("</style>").unwrap().1.contains('#'));
}

#[test]
fn panels_stand_in_a_grid_and_share_a_legend() {
    let panel = |i: usize| {
        let curves =
            (0..8).map(|k| Curve::new(format!("c{k}"), [(0.0, 0.0), (1.0, (i + k) as f64)]));
        Panel { title: format!("panel {i}"), curves: curves.collect(), ..Panel::default() }
    };
    let mut figure =
        Figure { panels: (0..5).map(panel).collect(), columns: 2, ..Figure::default() };
    let count = |figure: &Figure, name: &str| {
        words(&svg(figure)).into_iter().filter(|word| *word == name).count()
    };
    assert_eq!((count(&figure, "c3"), count(&figure, "panel 4")), (5, 1));
    figure.shared_legend = true;
    assert_eq!((count(&figure, "c3"), count(&figure, "panel 4")), (1, 1));
    for (columns, width) in [(0, 860), (3, 320), (99, 320), (99, 4000)] {
        for shared_legend in [false, true] {
            figure = Figure { columns, width, shared_legend, ..figure };
            check_places(&svg(&figure));
        }
    }
    // A panel without points is left out.
    figure.panels[4].curves.clear();
    assert_eq!(count(&figure, "panel 4"), 0);
}
