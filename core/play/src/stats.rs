//! Means with their uncertainty.

/// A mean that is collected number by number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    count: u64,
    mean: f64,
    /// Sum of squared distances to the mean.
    squares: f64,
}

impl Mean {
    /// So many zeros.
    pub fn of_zeros(count: u64) -> Self {
        Self { count, ..Self::default() }
    }

    /// One more number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let before = number - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (number - self.mean);
    }

    /// How many numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Half the width of the 95 % confidence interval of the mean, by Student's t; infinite for fewer than two numbers.
    pub fn half_width(&self) -> f64 {
        if self.count < 2 {
            return f64::INFINITY;
        }
        let freedom = (self.count - 1) as f64;
        let error = (self.squares / freedom / self.count as f64).sqrt();
        t_quantile(freedom) * error
    }

    /// True if the interval does not hold 0.
    pub fn differs(&self) -> bool {
        self.mean.abs() > self.half_width()
    }
}

/// The number that Student's t with so many degrees of freedom is below in 97.5 % of all cases; to three places.
fn t_quantile(freedom: f64) -> f64 {
    const FIRST: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    const Z: f64 = 1.959_964;
    if let Some(known) = FIRST.get(freedom as usize - 1) {
        return *known;
    }
    // The expansion of Cornish and Fisher around the normal quantile.
    let terms = [
        (Z.powi(3) + Z) / 4.0,
        (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0,
        (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / 384.0,
    ];
    terms.iter().zip(1..).fold(Z, |sum, (term, power)| sum + term / freedom.powi(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, known) in [(1.0, 12.706), (5.0, 2.571), (11.0, 2.201), (30.0, 2.042), (1000.0, 1.962)] {
            assert!((t_quantile(freedom) - known).abs() < 0.002, "{freedom}: {}", t_quantile(freedom));
        }
    }

    #[test]
    fn the_interval_of_a_textbook() {
        let mut mean = Mean::default();
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|number| mean.add(number));
        assert_eq!((mean.count(), mean.mean()), (8, 5.0));
        // s = 2.138, t(7) = 2.365
        assert!((mean.half_width() - 1.788).abs() < 0.003, "{}", mean.half_width());
        assert!(mean.differs());
    }

    #[test]
    fn one_number_says_nothing() {
        let mut mean = Mean::default();
        mean.add(3.0);
        assert!(!mean.differs());
    }
}
