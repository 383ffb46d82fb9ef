//! Covering arrays: few combinations in which every pair of values meets.

use std::collections::BTreeSet;

use crate::dice::Dice;

/// A pair of values: of the factor `first` the value `.1`, of the factor `second` the value `.3`; `first < second`.
type Pair = (usize, usize, usize, usize);

/// Rows with a value for each factor (`levels` says how many a factor has), so that any two values of different factors
/// are together in at least one of them. The first row is all zeros; a single factor has a row for each of its values.
pub fn pairwise(levels: &[usize], dice: &mut Dice) -> Vec<Vec<usize>> {
    let mut rows = vec![vec![0; levels.len()]];
    if let [only] = levels {
        rows.extend((1..*only).map(|value| vec![value]));
        return rows;
    }
    let mut missing = all_pairs(levels);
    met(&mut missing, &rows[0]);
    while let Some(pair) = missing.first().copied() {
        let row = row_with(pair, levels, &missing, dice);
        met(&mut missing, &row);
        rows.push(row);
    }
    rows
}

fn all_pairs(levels: &[usize]) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    for second in 0..levels.len() {
        for first in 0..second {
            let values = (0..levels[first]).flat_map(|one| (0..levels[second]).map(move |two| (one, two)));
            pairs.extend(values.map(|(one, two)| (first, one, second, two)));
        }
    }
    pairs
}

fn pairs_of(row: &[usize]) -> impl Iterator<Item = Pair> + '_ {
    (0..row.len()).flat_map(move |second| (0..second).map(move |first| (first, row[first], second, row[second])))
}

fn met(missing: &mut BTreeSet<Pair>, row: &[usize]) {
    pairs_of(row).for_each(|pair| {
        missing.remove(&pair);
    });
}

/// A row with this pair; each other factor, in an order of its own, takes the value that adds most pairs.
fn row_with(pair: Pair, levels: &[usize], missing: &BTreeSet<Pair>, dice: &mut Dice) -> Vec<usize> {
    let mut row: Vec<Option<usize>> = vec![None; levels.len()];
    (row[pair.0], row[pair.2]) = (Some(pair.1), Some(pair.3));
    let mut order: Vec<usize> = (0..levels.len()).filter(|factor| row[*factor].is_none()).collect();
    dice.shuffle(&mut order);
    for factor in order {
        let gain = |value: usize| gained(&row, factor, value, missing);
        let best = (0..levels[factor]).rev().max_by_key(|value| gain(*value));
        row[factor] = best;
    }
    row.into_iter().map(Option::unwrap_or_default).collect()
}

/// Missing pairs that a value makes with those that are chosen.
fn gained(row: &[Option<usize>], factor: usize, value: usize, missing: &BTreeSet<Pair>) -> usize {
    let chosen = row.iter().enumerate().filter_map(|(other, chosen)| chosen.map(|chosen| (other, chosen)));
    let pairs = chosen.map(|(other, chosen)| match other < factor {
        true => (other, chosen, factor, value),
        false => (factor, value, other, chosen),
    });
    pairs.filter(|pair| missing.contains(pair)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(levels: &[usize], most: usize) {
        let rows = pairwise(levels, &mut Dice::new(1));
        assert_eq!(rows, pairwise(levels, &mut Dice::new(1)), "the same every time");
        let met: BTreeSet<Pair> = rows.iter().flat_map(|row| pairs_of(row).collect::<Vec<_>>()).collect();
        assert_eq!(met, all_pairs(levels), "every pair meets, and no value is out of range: {levels:?}");
        assert!(rows.len() <= most, "{} rows for {levels:?}", rows.len());
        assert!(rows[0].iter().all(|value| *value == 0));
    }

    #[test]
    fn every_pair_of_values_meets() {
        check(&[2, 2, 2], 6);
        check(&[2; 10], 12);
        check(&[3, 3, 3, 3], 14);
        check(&[5, 2, 3, 2, 4], 26);
        check(&[3, 1, 2], 8);
    }

    #[test]
    fn one_factor_takes_each_value_and_none_makes_one_row() {
        assert_eq!(pairwise(&[3], &mut Dice::new(1)), [[0], [1], [2]]);
        assert_eq!(pairwise(&[], &mut Dice::new(1)), [Vec::<usize>::new()]);
    }
}
