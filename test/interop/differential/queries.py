"""Random queries: a SELECT of one expression or aggregate."""

import sql_types
from expressions import Expressions
from literals import literal
from sql_types import Array, Decimal, Struct

AGGREGATES = (
    "count({o})", "count(*)", "count(DISTINCT {o})", "sum({n})", "avg({n})", "min({o})",
    "max({o})", "sum({m})", "avg({m})", "any_value({i})", "first({i}, true)", "last({i}, true)",
    "bool_and({b})", "bool_or({b})", "bit_and({i})", "bit_or({i})", "bit_xor({i})", "stddev({d})",
    "variance({d})", "stddev_pop({n})", "var_pop({n})", "corr({d}, {d})", "covar_pop({d}, {d})",
    "skewness({d})", "kurtosis({d})", "median({n})", "percentile({n}, 0.3)",
    "sort_array(collect_list({o}))", "sort_array(collect_set({i}))", "max_by({s}, {i})",
    "min_by({s}, {i})", "count_if({b})", "sum(DISTINCT {i})", "mode({i})", "listagg({s}, ',')",
    "try_sum({l})", "try_avg({n})", "regr_slope({d}, {d})", "max(struct({i} AS p, {s} AS q))",
    "every({b})", "count({i}) FILTER (WHERE {b})", "sum({i}) FILTER (WHERE {b})",
    "percentile_approx({i}, 0.5)", "approx_count_distinct({s})", "array_agg({i})", "any({b})")

COLUMNS = (("i", "INT"), ("l", "BIGINT"), ("d", "DOUBLE"), ("m", Decimal(10, 2)), ("s", "STRING"),
           ("b", "BOOLEAN"), ("t", "DATE"), ("z", "TIMESTAMP"), ("a", Array("INT")),
           ("r", Struct((("p", "INT"), ("q", "STRING")))))


def rows(draw, columns, count):
    """`VALUES` of `count` rows of typed columns, named."""
    lines = [", ".join(literal(draw, type_, edge=0.05) for _, type_ in columns)
             for _ in range(count)]
    values = ", ".join(f"({line})" for line in lines)
    return f"VALUES {values} AS v({', '.join(name for name, _ in columns)})"


def draw_query(draw):
    """A SELECT of random expressions: without a table, over a few rows, or of aggregates."""
    shape = draw.random()
    type_ = sql_types.draw_type(draw, 2, 0.15)
    if shape < 0.5:
        return f"SELECT {Expressions(draw).of(type_, 3)} AS e"
    source = rows(draw, COLUMNS, draw.randint(1, 4))
    over = Expressions(draw, COLUMNS)
    if shape < 0.8:
        return f"SELECT {over.of(type_, 2)} AS e FROM {source}"
    aggregate = over.fill(draw.choice(AGGREGATES), "INT", "INTEGRAL", 1)
    grouped = draw.choice(("", " GROUP BY b", " GROUP BY i % 2"))
    return f"SELECT {aggregate} AS e FROM {source}{grouped}"
