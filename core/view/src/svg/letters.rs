//! Letters as strokes, so that pictures need no font and look the same everywhere.

use super::curve::number;

/// The strokes of a letter on a grid of four columns and six rows, a digit each; a space lifts the pen.
const LETTERS: [(char, &str); 51] = [
    ('A', "062046 1434"),
    ('B', "000636454433033342413000"),
    ('C', "4130100105163645"),
    ('D', "00062645412000"),
    ('E', "40000646 0333"),
    ('F', "400006 0333"),
    ('G', "41301001051636454323"),
    ('H', "0006 4046 0343"),
    ('I', "1030 2026 1636"),
    ('J', "4045361605"),
    ('K', "0006 4003 0346"),
    ('L', "000646"),
    ('M', "0600234046"),
    ('N', "06004640"),
    ('O', "103041453616050110"),
    ('P', "06003041423303"),
    ('Q', "103041453616050110 2446"),
    ('R', "06003041423303 2346"),
    ('S', "413010010213334445361605"),
    ('T', "0040 2026"),
    ('U', "000516364540"),
    ('V', "002640"),
    ('W', "0016233640"),
    ('X', "0046 4006"),
    ('Y', "002340 2326"),
    ('Z', "00400646"),
    ('0', "103041453616050110"),
    ('1', "112026 1636"),
    ('2', "01103041420646"),
    ('3', "004023334445361605"),
    ('4', "36300444"),
    ('5', "4000033344453606"),
    ('6', "40200305163645443303"),
    ('7', "004026"),
    ('8', "1030413323120110 2334453616051423"),
    ('9', "06264341301001021343"),
    ('-', "1333"),
    ('+', "2125 0343"),
    ('.', "2526"),
    (',', "2517"),
    (':', "2122 2425"),
    ('/', "0640"),
    ('x', "0246 4206"),
    ('*', "0145 4105 2026"),
    ('(', "30212536"),
    (')', "10212516"),
    ('\'', "2021"),
    ('%', "0640 0001 4546"),
    ('=', "0242 0444"),
    ('&', "461120302205162634"),
    ('?', "0110304142232425"),
];

/// How wide a letter is, with the space behind it, for a height of 6.
const ADVANCE: f64 = 5.6;

/// How wide a text of this height is.
pub(crate) fn width(text: &str, height: f64) -> f64 {
    (text.chars().count() as f64 * ADVANCE - (ADVANCE - 4.0)).max(0.0) * height / 6.0
}

/// The path of a text whose north-west corner is here; small letters are drawn as capitals.
pub(crate) fn path(text: &str, left: f64, top: f64, height: f64) -> String {
    let scale = height / 6.0;
    let mut d = String::new();
    for (place, letter) in text.chars().enumerate() {
        let start = left + place as f64 * ADVANCE * scale;
        for stroke in strokes(letter).split(' ') {
            let digits: Vec<f64> = stroke.chars().filter_map(|digit| digit.to_digit(10)).map(f64::from).collect();
            for (index, point) in digits.chunks_exact(2).enumerate() {
                d += if index == 0 { "M" } else { "L" };
                d += &format!("{} {}", number(start + point[0] * scale), number(top + point[1] * scale));
            }
        }
    }
    d
}

/// A text as an element of this colour.
pub(crate) fn text(words: &str, left: f64, top: f64, height: f64, colour: &str) -> String {
    let thick = number(height / 7.0);
    let d = path(words, left, top, height);
    format!(
        "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{thick}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n"
    )
}

/// A text whose middle is here.
pub(crate) fn centred(words: &str, x: f64, y: f64, height: f64, colour: &str) -> String {
    text(words, x - width(words, height) / 2.0, y - height / 2.0, height, colour)
}

fn strokes(letter: char) -> &'static str {
    let find = |wanted: char| LETTERS.iter().find(|(known, _)| *known == wanted).map(|(_, strokes)| *strokes);
    match letter {
        ' ' => "",
        '×' => find('x').unwrap_or_default(),
        _ => find(letter).or_else(|| find(letter.to_ascii_uppercase())).or_else(|| find('?')).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_side_by_side() {
        assert_eq!(path("l", 0.0, 0.0, 6.0), "M0 0L0 6L4 6");
        assert_eq!(path("LL", 0.0, 0.0, 6.0), "M0 0L0 6L4 6M5.6 0L5.6 6L9.6 6");
        assert_eq!(path(" ", 0.0, 0.0, 6.0), "");
        assert!(width("LL", 6.0) > width("L", 6.0));
    }

    #[test]
    fn every_stroke_has_whole_points() {
        for (letter, strokes) in LETTERS {
            for stroke in strokes.split(' ') {
                assert_eq!(stroke.len() % 2, 0, "{letter}: {stroke}");
                assert!(stroke.len() >= 4, "{letter}: {stroke}");
                assert!(stroke.chars().all(|digit| digit.is_ascii_digit()), "{letter}: {stroke}");
            }
        }
    }
}
