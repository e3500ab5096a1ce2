-- Intervals and estimates, for every rate the same: Wilson's at 95 %, the effective number of games behind
-- copies, the shrunk estimate (a prior as strong as 50 games), and when a cell is thin.
-- Grain: none, these are functions. Unit: a rate p between 0 and 1 over n games. Definition version: m2.
create macro z() as 1.959963984540054;
create macro wilson_centre(p, n) as (p + z() ^ 2 / (2 * n)) / (1 + z() ^ 2 / n);
create macro wilson_half(p, n) as
    z() * sqrt(p * (1 - p) / n + z() ^ 2 / (4 * n * n)) / (1 + z() ^ 2 / n);
create macro wilson_low(p, n) as if(p is null, null, least(greatest(wilson_centre(p, n) - wilson_half(p, n), 0), p));
create macro wilson_high(p, n) as if(p is null, null, greatest(least(wilson_centre(p, n) + wilson_half(p, n), 1), p));

-- p(1 - p) / Var with Var = dev / k², dev = Σ k_g² (w_g - p)²; where that says nothing (p is 0 or 1, or every game
-- has the same share) (Σ k)² / Σ k², and never more: a few games of uneven copies are no more than they are.
create macro effective(p, k, k2, dev) as
    case
        when p is null then null
        when p * (1 - p) * dev > 1e-12 * k2 then least(p * (1 - p) * k * k / dev, k * k / k2)
        else k * k / k2
    end;
create macro shrunk(p, n, mean) as (p * n + 50 * mean) / (n + 50);
create macro thin(low, high) as (high - low) / 2 > 0.05;

-- Half the width of the interval of a mean: of n numbers with sum s and sum of squares ss; or of a ratio r = Σx / Σu.
-- Null where the numbers don't differ at all: a few numbers that are alike say nothing of how others would be.
create macro mean_half(n, s, ss) as
    case when n > 1 and n * ss > s::double * s
        then z() * sqrt((ss - s::double * s / n) / (n - 1) / n) end;
create macro ratio_half(r, u, x2, xu, u2) as
    case when x2 - 2 * r * xu + r ^ 2 * u2 > 1e-12 * x2
        then z() * sqrt(x2 - 2 * r * xu + r ^ 2 * u2) / u end;

-- Variance of the difference p1 - p2 of two copy-weighted rates whose copies (k and u) meet in one game, from their
-- sums over games, won and all.
create macro pair_spread(k, u, p1, p2, kk_won, kk, ku_won, ku, uu_won, uu) as
    ((1 - p1) / k) ^ 2 * kk_won + (p1 / k) ^ 2 * (kk - kk_won)
    - 2 * ((1 - p1) * (1 - p2) * ku_won + p1 * p2 * (ku - ku_won)) / (k * u)
    + ((1 - p2) / u) ^ 2 * uu_won + (p2 / u) ^ 2 * (uu - uu_won);

-- The interval of a mean of n paired differences with sum s and sum of squares ss, each between -1 and 1: Wald's with
-- one difference of each sign added, counted half (Agresti and Min 2005). The half width without
-- pairing, from the sum of the two variances.
create macro paired_centre(n, s) as s / (n + 2);
create macro paired_half(n, s, ss) as
    z() * sqrt(((ss + 1) / (n + 2) - (s / (n + 2)) ^ 2) / (n + 2));
create macro paired_low(n, s, ss) as if(n = 0, null, greatest(least(paired_centre(n, s) - paired_half(n, s, ss), s / n), -1));
create macro paired_high(n, s, ss) as if(n = 0, null, least(greatest(paired_centre(n, s) + paired_half(n, s, ss), s / n), 1));
create macro unpaired_half(variances, n) as z() * sqrt(variances / n);

-- What games played both ways say of a result: how many, its mean each way, the difference with its interval, and how
-- much narrower that is than without pairing. An aggregate of the results as printed and changed.
create macro paired(w, changed_w) as {
    'games': count(*), 'printed': avg(w), 'changed': avg(changed_w), 'difference': sum(changed_w - w) / count(*),
    'low': paired_low(count(*), sum(changed_w - w), sum((changed_w - w) ^ 2)),
    'high': paired_high(count(*), sum(changed_w - w), sum((changed_w - w) ^ 2)),
    'narrower': unpaired_half(var_pop(w) + var_pop(changed_w), count(*))
        / paired_half(count(*), sum(changed_w - w), sum((changed_w - w) ^ 2))
};
