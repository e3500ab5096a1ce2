-- Intervals and estimates, for every rate the same: Wilson's at 95 %, the effective number of games behind
-- copies, the shrunk estimate (a prior as strong as 50 games), and when a cell is thin.
-- Grain: none, these are functions. Unit: a rate p between 0 and 1 over n games. Definition version: m1.
create macro wilson_centre(p, n) as (p + 1.959963984540054 ^ 2 / (2 * n)) / (1 + 1.959963984540054 ^ 2 / n);
create macro wilson_half(p, n) as
    1.959963984540054 * sqrt(p * (1 - p) / n + 1.959963984540054 ^ 2 / (4 * n * n)) / (1 + 1.959963984540054 ^ 2 / n);
create macro wilson_low(p, n) as if(p is null, null, least(greatest(wilson_centre(p, n) - wilson_half(p, n), 0), p));
create macro wilson_high(p, n) as if(p is null, null, greatest(least(wilson_centre(p, n) + wilson_half(p, n), 1), p));

-- p(1 - p) / Var with Var = dev / k², dev = Σ k_g² (w_g - p)²; where that says nothing (p is 0 or 1, or every game
-- has the same share) (Σ k)² / Σ k². It is never more than the number of copies.
create macro effective(p, k, k2, dev) as
    case
        when p is null then null
        when p * (1 - p) * dev > 1e-12 * k2 then least(p * (1 - p) * k * k / dev, k)
        else k * k / k2
    end;
create macro shrunk(p, n, mean) as (p * n + 50 * mean) / (n + 50);
create macro thin(low, high) as (high - low) / 2 > 0.05;

-- Half the width of the interval of a mean: of n numbers with sum s and sum of squares ss; or of a ratio r = Σx / Σu.
-- Null where the numbers don't differ at all: a few numbers that are alike say nothing of how others would be.
create macro mean_half(n, s, ss) as
    case when n > 1 and n * ss > s::double * s
        then 1.959963984540054 * sqrt((ss - s::double * s / n) / (n - 1) / n) end;
create macro ratio_half(r, u, x2, xu, u2) as
    case when x2 - 2 * r * xu + r ^ 2 * u2 > 1e-12 * x2
        then 1.959963984540054 * sqrt(x2 - 2 * r * xu + r ^ 2 * u2) / u end;
