"""Random typed expressions: each is of about the type asked for, over columns and literals.

The grammar below aims at a type; what type an expression really has, both engines say. Now and then
an operand has a type near the one that fits, so that coercion, casts and refusals come up too.
"""

import re

import sql_types
from literals import literal
from sql_types import Array, Decimal, Map, Struct

COMPARISONS = ("=", "<", "<=", ">", ">=", "<>", "<=>")

# Templates by the kind of type they give. A hole names the type that goes there: i INT, l BIGINT,
# n any number, d DOUBLE, m a decimal, s text, b BOOLEAN, x BINARY, t DATE, z TIMESTAMP, w
# TIMESTAMP_NTZ, a ARRAY<INT>, v ARRAY<STRING>, k MAP<STRING, INT>, o any one type (the same in the
# whole template).
TEMPLATES = {
    "BOOLEAN": (
        "{b} AND {b}", "{b} OR {b}", "NOT {b}", "{o} IS NULL", "{o} IS NOT NULL", "{b} IS TRUE",
        "{b} IS NOT FALSE", "{n} BETWEEN {n} AND {n}", "{o} IN ({o}, {o})", "{s} LIKE {s}",
        "{s} LIKE '%a%'", "{s} RLIKE '^[a-c]+'", "{s} ILIKE 'A%'", "isnan({d})",
        "array_contains({a}, {i})", "arrays_overlap({a}, {a})", "exists({a}, e -> e > {i})",
        "forall({a}, e -> e IS NOT NULL)", "startswith({s}, {s})", "endswith({s}, {s})",
        "contains({s}, {s})", "map_contains_key({k}, {s})", "{o} IS DISTINCT FROM {o}",
        "equal_null({o}, {o})", "{n} NOT IN ({n}, NULL)", "bool({s})"),
    "INTEGRAL": (
        "{i} + {i}", "{i} - {i}", "{i} * {i}", "{l} DIV {l}", "{i} % {i}", "-{i}", "abs({i})",
        "pmod({i}, {i})", "{l} + {i}", "{l} * {l}", "{i} & {i}", "{i} | {l}", "{i} ^ {i}", "~{i}",
        "shiftleft({i}, 2)", "shiftright({l}, 3)", "length({s})", "char_length({s})",
        "bit_length({s})", "octet_length({x})", "ascii({s})", "size({a})", "size({k})",
        "cardinality({v})", "instr({s}, {s})", "locate({s}, {s})", "position({s} IN {s})",
        "levenshtein({s}, {s})", "year({t})", "month({z})", "day({t})", "hour({z})", "minute({w})",
        "second({z})", "quarter({t})", "dayofweek({t})", "weekday({t})", "dayofyear({t})",
        "weekofyear({t})", "datediff({t}, {t})", "extract(YEAROFWEEK FROM {t})", "sign({i})",
        "unix_date({t})", "unix_micros({z})", "unix_seconds({z})", "unix_timestamp({z})",
        "array_max({a})", "array_min({a})", "array_position({a}, {i})", "element_at({a}, 1)",
        "element_at({k}, 'x')", "{a}[0]", "{k}['x']", "try_element_at({a}, 2)", "get({a}, 1)",
        "aggregate({a}, 0, (acc, e) -> acc + e)", "ceil({d})", "floor({m})", "round({i}, -1)",
        "bit_count({l})", "hash({o})", "xxhash64({s})", "crc32({x})", "find_in_set({s}, {s})",
        "try_add({i}, {i})", "try_divide({i}, {i})", "try_multiply({l}, {l})", "bigint({s})",
        "int({m})", "smallint({l})", "tinyint({i})", "CAST({b} AS INT)", "try_cast({s} AS INT)",
        "bround({i}, -1)", "width_bucket({d}, 0D, 10D, 5)", "greatest({i}, {l})", "least({i}, {i})",
        "nullif({i}, {i})", "nvl2({o}, {i}, {i})", "array_size({a})", "CAST({d} AS INT)",
        "timestampdiff(DAY, {z}, {z})", "timestampdiff(MONTH, {z}, {w})", "conv({s}, 10, 2)"),
    "FLOATING": (
        "{d} + {d}", "{d} - {d}", "{d} * {d}", "{d} / {d}", "{n} / {n}", "{d} % {d}", "-{d}",
        "abs({d})", "sqrt({d})", "exp({d})", "ln({d})", "log10({d})", "log2({d})", "pow({d}, {d})",
        "round({d}, 1)", "bround({d}, 1)", "cbrt({d})", "signum({d})", "rint({d})", "double({s})",
        "float({s})", "CAST({m} AS DOUBLE)", "CAST({l} AS FLOAT)", "degrees({d})", "atan2({d}, {d})",
        "hypot({d}, {d})", "nanvl({d}, {d})", "months_between({z}, {z})", "greatest({d}, {d})",
        "least({d}, {n})", "try_divide({d}, {d})", "sinh({d})", "expm1({d})", "log({d}, {d})",
        "try_cast({s} AS DOUBLE)", "CAST({z} AS DOUBLE)", "pmod({d}, {d})", "e() * {i}"),
    "DECIMAL": (
        "{m} + {m}", "{m} - {m}", "{m} * {m}", "{m} / {m}", "{m} % {m}", "-{m}", "abs({m})",
        "{m} + {i}", "{m} * {l}", "{m} / {i}", "round({m}, 1)", "bround({m}, 0)", "round({m}, -1)",
        "ceil({m}, 1)", "floor({m}, 1)", "CAST({n} AS DECIMAL(12,3))", "CAST({s} AS DECIMAL(8,2))",
        "try_cast({n} AS DECIMAL(4,1))", "greatest({m}, {m})", "least({m}, {i})", "sign({m})",
        "pmod({m}, {m})", "{m} DIV {m}", "coalesce({m}, {i})", "decimal({i})", "if({b}, {m}, {m})",
        "extract(SECOND FROM {z})", "to_number({s}, '999.99')", "try_to_number({s}, '999.99')"),
    "STRING": (
        "{s} || {s}", "concat({s}, {s}, {s})", "concat_ws(',', {s}, {s})", "upper({s})",
        "lower({s})", "trim({s})", "ltrim({s})", "rtrim({s})", "substring({s}, {i}, {i})",
        "substr({s}, 2)", "left({s}, {i})", "right({s}, {i})", "lpad({s}, 5, '*')", "rpad({s}, {i})",
        "repeat({s}, 2)", "reverse({s})", "replace({s}, {s}, {s})", "translate({s}, 'abc', '12')",
        "initcap({s})", "split_part({s}, ',', 1)", "regexp_replace({s}, '[a-c]', '_')",
        "regexp_extract({s}, '([a-z]+)', 1)", "substring_index({s}, ',', 1)", "hex({l})", "hex({s})",
        "md5({s})", "base64({x})", "bin({l})", "CAST({n} AS STRING)", "CAST({d} AS STRING)",
        "CAST({m} AS STRING)", "CAST({z} AS STRING)", "CAST({t} AS STRING)", "CAST({b} AS STRING)",
        "CAST({o} AS STRING)", "string({x})", "date_format({z}, 'yyyy-MM-dd HH:mm')",
        "date_format({t}, 'EEE d MMM')", "to_json(struct({o} AS q))", "array_join({v}, '-')",
        "array_join({v}, '-', '?')", "format_number({d}, 2)", "format_string('%s/%d', {s}, {i})",
        "elt({i}, {s}, {s})", "soundex({s})", "overlay({s} PLACING '__' FROM 2)", "chr({i})",
        "space(2) || {s}", "element_at({v}, 1)", "{v}[0]", "nvl({s}, {s})", "ifnull({s}, {s})",
        "dayname({t})", "monthname({t})", "quote({s})", "to_char({m}, '999.99')", "mask({s})",
        "get_json_object('{{\"a\": 1.50}}', '$.a')", "sha2({s}, 256)", "typeof({o})",
        "decode({x}, 'UTF-8')", "btrim({s})", "regexp_substr({s}, '[a-z]+')", "url_encode({s})",
        "CAST({z} - {z} AS STRING)", "CAST({t} - {t} AS STRING)", "char({i})", "luhn_check({s})",
        "CAST(make_interval({i}, {i}) AS STRING)", "CAST(make_dt_interval({i}, {i}) AS STRING)",
        "CAST(INTERVAL '1' DAY * {i} AS STRING)", "CAST(make_ym_interval({i}, {i}) AS STRING)"),
    "BINARY": (
        "unhex({s})", "CAST({s} AS BINARY)", "encode({s}, 'UTF-8')", "{x} || {x}", "unbase64({s})",
        "substring({x}, 2, 1)", "to_binary({s}, 'utf-8')", "CAST({i} AS BINARY)", "lpad({x}, 3, {x})"),
    "DATE": (
        "date_add({t}, {i})", "date_sub({t}, {i})", "add_months({t}, {i})", "last_day({t})",
        "next_day({t}, 'MON')", "trunc({t}, 'MONTH')", "to_date({s})", "CAST({s} AS DATE)",
        "CAST({z} AS DATE)", "CAST({w} AS DATE)", "{t} + INTERVAL '1' MONTH", "{t} - INTERVAL 3 DAY",
        "make_date({i}, {i}, {i})", "try_cast({s} AS DATE)", "greatest({t}, {t})", "{t} + {i}",
        "to_date({s}, 'yyyy-MM-dd')", "date_from_unix_date({i})", "array_max(array({t}, {t}))",
        "trunc({z}, 'YEAR')", "{t} - {i}"),
    "TIMESTAMP": (
        "{z} + INTERVAL '2' HOUR", "{z} - INTERVAL '1 02:03:04.5' DAY TO SECOND", "CAST({s} AS TIMESTAMP)",
        "CAST({t} AS TIMESTAMP)", "CAST({w} AS TIMESTAMP)", "date_trunc('HOUR', {z})",
        "date_trunc('WEEK', {z})", "to_timestamp({s})", "try_cast({s} AS TIMESTAMP)",
        "timestamp_seconds({i})", "timestamp_millis({l})", "timestamp_micros({l})",
        "greatest({z}, {z})", "make_timestamp({i}, {i}, {i}, {i}, {i}, {m})", "coalesce({z}, {t})",
        "timestampadd(MONTH, {i}, {z})", "from_utc_timestamp({z}, 'Asia/Tokyo')",
        "to_utc_timestamp({z}, 'America/New_York')", "{z} + INTERVAL 1 MONTH",
        "to_timestamp({s}, 'yyyy-MM-dd HH:mm:ss')"),
    "TIMESTAMP_NTZ": (
        "{w} + INTERVAL '2' HOUR", "CAST({s} AS TIMESTAMP_NTZ)", "CAST({z} AS TIMESTAMP_NTZ)",
        "CAST({t} AS TIMESTAMP_NTZ)", "to_timestamp_ntz({s})", "least({w}, {w})",
        "try_cast({s} AS TIMESTAMP_NTZ)", "coalesce({w}, {t})"),
    "ARRAY": (
        "array_distinct({o})", "array_sort({o})", "sort_array({o})", "sort_array({o}, false)",
        "reverse({o})", "slice({o}, 1, 2)", "array_union({o}, {o})", "array_intersect({o}, {o})",
        "array_except({o}, {o})", "array_compact({o})", "{o} || {o}", "filter({o}, e -> e IS NOT NULL)",
        "coalesce({o}, {o})", "array_repeat({o}[0], 2)", "flatten(array({o}, {o}))",
        "transform({o}, e -> e)", "transform({o}, (e, p) -> p)", "concat({o}, {o})"),
    "MAP": ("map_concat({o}, {o})", "map_filter({o}, (q, e) -> e IS NOT NULL)", "coalesce({o}, {o})",
            "transform_values({o}, (q, e) -> e)", "map_from_entries(map_entries({o}))"),
    "STRUCT": ("coalesce({o}, {o})", "if({b}, {o}, {o})", "array({o})[0]"),
    "ANY": ("CASE WHEN {b} THEN {o} ELSE {o} END", "if({b}, {o}, {o})", "coalesce({o}, {o})",
            "CASE {i} WHEN {i} THEN {o} WHEN {i} THEN {o} END", "nvl({o}, {o})", "array({o}, {o})[1]",
            "nullif({o}, {o})", "map('x', {o})['x']", "named_struct('f', {o}).f",
            "CAST({o} AS {type})"),
}
HOLES = {"i": "INT", "l": "BIGINT", "d": "DOUBLE", "s": "STRING", "b": "BOOLEAN", "x": "BINARY",
         "t": "DATE", "z": "TIMESTAMP", "w": "TIMESTAMP_NTZ", "a": Array("INT"),
         "v": Array("STRING"), "k": Map("STRING", "INT")}


def kind_of(type_):
    if type_ in sql_types.INTEGRALS:
        return "INTEGRAL"
    if type_ in sql_types.FLOATING:
        return "FLOATING"
    for class_, kind in ((Decimal, "DECIMAL"), (Array, "ARRAY"), (Map, "MAP"), (Struct, "STRUCT")):
        if isinstance(type_, class_):
            return kind
    return type_


def reads_no_column(text):
    """Of expressions of a MERGE, whose columns are all qualified."""
    return not re.search(r"\b[ts]\.", text)


class Expressions:
    """Draws expressions over `columns`, (text, type) pairs.

    `odd` is the chance that an operand's type is only near the one that fits; `edge` that a literal
    is an extreme value, which overflows easily. Calls that read no column are kept in `constants`.
    """

    def __init__(self, draw, columns=(), odd=0.05, edge=0.1, constants=None):
        self.draw = draw
        self.constants = [] if constants is None else constants
        self.columns = columns
        self.odd = odd
        self.edge = edge

    def leaf(self, type_):
        fitting = [text for text, other in self.columns if other == type_]
        if fitting and self.draw.random() < 0.75:
            return self.draw.choice(fitting)
        return literal(self.draw, type_, nulls=0.1, edge=self.edge)

    def of(self, type_, depth=2):
        """An expression of about `type_`, calls nested at most `depth` deep."""
        if self.draw.random() < self.odd:
            type_ = sql_types.near(self.draw, type_)
        if depth == 0 or self.draw.random() < 0.15:
            return self.leaf(type_)
        kind = kind_of(type_)
        if kind == "BOOLEAN" and self.draw.random() < 0.4:
            return self.comparison(depth)
        templates = TEMPLATES["ANY"] if self.draw.random() < 0.15 else TEMPLATES[kind]
        return self.noted(self.fill(self.draw.choice(templates), type_, kind, depth))

    def noted(self, text):
        """`text`, kept if it is a constant."""
        if reads_no_column(text):
            self.constants.append(text)
        return text

    def comparison(self, depth):
        """A comparison, by preference of a column."""
        type_ = self.draw.choice(self.columns)[1] if self.columns else sql_types.draw_primitive(self.draw)
        if not sql_types.is_orderable(type_):
            return f"{self.of(type_, 0)} IS NOT NULL"
        left, right = self.of(type_, depth - 1), self.of(type_, depth - 1)
        return self.noted(f"({left} {self.draw.choice(COMPARISONS)} {right})")

    def fill(self, template, type_, kind, depth):
        same = type_ if template in TEMPLATES["ANY"] or kind in ("ARRAY", "MAP", "STRUCT") \
            else sql_types.draw_type(self.draw, 1, 0.1)
        text, rest = [], template
        while "{" in rest:
            before, _, rest = rest.partition("{")
            if rest.startswith("{"):
                literal_text, _, rest = rest.partition("}}")
                text.append(before + literal_text + "}")
                continue
            hole, _, rest = rest.partition("}")
            text.append(before + (str(type_) if hole == "type" else self.operand(hole, same, type_, depth)))
        return "(" + "".join(text) + rest + ")"

    def operand(self, hole, same, type_, depth):
        if hole == "o":
            wanted = same
        elif hole == "n":
            wanted = self.draw.choice(sql_types.NUMBERS)
        elif hole == "m":
            wanted = type_ if isinstance(type_, Decimal) else self.draw.choice(sql_types.DECIMALS)
        elif hole in "il" and type_ in sql_types.INTEGRALS and self.draw.random() < 0.3:
            wanted = type_
        else:
            wanted = HOLES[hole]
        text = self.of(wanted, depth - 1)
        if reads_no_column(text):
            self.constants.append(f"CAST({text} AS {wanted})")  # As the call will cast it.
        return text


AGGREGATES = (
    "count({o})", "count(*)", "count(DISTINCT {o})", "sum({n})", "avg({n})", "min({o})", "max({o})",
    "sum({m})", "avg({m})", "any_value({i})", "first({i}, true)", "last({i}, true)", "bool_and({b})",
    "bool_or({b})", "bit_and({i})", "bit_or({i})", "bit_xor({i})", "stddev({d})", "variance({d})",
    "stddev_pop({n})", "var_pop({n})", "corr({d}, {d})", "covar_pop({d}, {d})", "skewness({d})",
    "kurtosis({d})", "median({n})", "percentile({n}, 0.3)", "sort_array(collect_list({o}))",
    "sort_array(collect_set({i}))", "max_by({s}, {i})", "min_by({s}, {i})", "count_if({b})",
    "sum(DISTINCT {i})", "mode({i})", "listagg({s}, ',')", "try_sum({l})", "try_avg({n})",
    "regr_slope({d}, {d})", "max(struct({i} AS p, {s} AS q))", "every({b})",
    "count({i}) FILTER (WHERE {b})", "sum({i}) FILTER (WHERE {b})", "percentile_approx({i}, 0.5)",
    "approx_count_distinct({s})", "array_agg({i})", "any({b})")

COLUMNS = (("i", "INT"), ("l", "BIGINT"), ("d", "DOUBLE"), ("m", Decimal(10, 2)), ("s", "STRING"),
           ("b", "BOOLEAN"), ("t", "DATE"), ("z", "TIMESTAMP"), ("a", Array("INT")),
           ("r", Struct((("p", "INT"), ("q", "STRING")))))


def rows(draw, columns, count):
    """`VALUES` of `count` rows of typed columns, named."""
    lines = [", ".join(literal(draw, type_, edge=0.05) for _, type_ in columns) for _ in range(count)]
    return f"VALUES {', '.join(f'({line})' for line in lines)} AS v({', '.join(n for n, _ in columns)})"


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
