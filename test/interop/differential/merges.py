"""Random tables, sources and MERGE statements, in the form of the conformance cases.

A scenario is one table and a few statements on it, one after the other; each statement that
succeeds is part of the setup of the next.
"""

import dataclasses

import sql_types
from expressions import Expressions
from literals import literal
from sql_types import Struct

KEYS = ("INT", "INT", "INT", "BIGINT", "STRING", "DOUBLE", "DATE", sql_types.Decimal(10, 0))
MODES = ("none", "none", "name", "id")
SEMANTICS = {"spark.databricks.delta.merge.multiMatch": "on"}


@dataclasses.dataclass
class Scenario:
    """A table (`create` and `fill` make it), and what statements on it are drawn from."""

    columns: list
    partition: str | None
    properties: dict
    create: str
    fill: list
    merges: list
    has_changes: bool


def key_of(number, type_):
    """A key of few distinct values, so that rows meet; 8 is NULL."""
    if number == 8:
        return f"CAST(NULL AS {type_})"
    if type_ == "STRING":
        return f"'{'abcdefgh'[number]}'"
    if type_ == "DATE":
        return f"DATE'2024-01-0{number + 1}'"
    if type_ == "DOUBLE":
        return f"DOUBLE('{('0.0', '-1.0', 'NaN', '1.0', '2.5', '3.0', '4.0', '5.0')[number]}')"
    return f"CAST({number} AS {type_})"


def draw_key(draw, type_):
    if type_ == "DOUBLE" and draw.random() < 0.1:
        return "DOUBLE('-0.0')"
    return key_of(8 if draw.random() < 0.06 else draw.randrange(8), type_)


def select_rows(draw, columns, count, edge=0.05, unique=False):
    """A query of `count` rows, at most 9; the first column holds keys, which may be `unique`."""
    names = ", ".join(f"c{at}" for at in range(len(columns)))
    picked = ", ".join(f"CAST(c{at} AS {type_}) AS {name}"
                       for at, (name, type_) in enumerate(columns))
    numbers = draw.sample(range(9), max(count, 1))
    lines = [", ".join([key_of(number, columns[0][1]) if unique else draw_key(draw, columns[0][1])]
                       + [literal(draw, type_, edge=edge) for _, type_ in columns[1:]])
             for number in numbers]
    values = ", ".join(f"({line})" for line in lines)
    where = "" if count else " WHERE false"
    return f"SELECT {picked} FROM VALUES {values} AS v({names}){where}"


def draw_scenario(draw, statements):
    columns = [("k", draw.choice(KEYS))]
    columns += [(name, sql_types.draw_type(draw)) for name in "vwxy"[:draw.randint(1, 4)]]
    partition = None
    if draw.random() < 0.3:
        partition = "p"
        columns.append(("p", draw.choice(("INT", "STRING", "DATE"))))
    has_changes = draw.random() < 0.4
    properties = {"delta.enableDeletionVectors": str(draw.random() < 0.5).lower()}
    if has_changes:
        properties["delta.enableChangeDataFeed"] = "true"
    mode = draw.choice(MODES)
    if mode != "none":
        properties["delta.columnMapping.mode"] = mode
    if draw.random() < 0.25:
        properties["delta.enableTypeWidening"] = "true"
    if draw.random() < 0.15:
        properties["delta.enableRowTracking"] = "true"
    listed = ", ".join(f"{name} {type_}" for name, type_ in columns)
    text = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
    create = (f"CREATE TABLE t ({listed}) USING delta"
              + (f" PARTITIONED BY ({partition})" if partition else "")
              + f" TBLPROPERTIES ({text})")
    fill = [f"INSERT INTO t {select_rows(draw, columns, draw.randint(1, 5))}"
            for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.2:
        fill.append("DELETE FROM t WHERE k <=> " + draw_key(draw, columns[0][1]))
    scenario = Scenario(columns, partition, properties, create, fill, [], has_changes)
    scenario.merges = [Merge(draw, scenario) for _ in range(statements)]
    return scenario


class Merge:
    """One statement.

    `probes` are queries that tell why delta-spark alone may fail, by name (see decided.py):
    "conditions" has the conditions of all clauses on all pairs and lonely rows.
    """

    def __init__(self, draw, scenario):
        self.draw = draw
        self.scenario = scenario
        self.evolves = draw.random() < 0.35
        self.careful = draw.random() < 0.7  # Expressions that seldom fail at run time.
        self.source = self.draw_source_columns()
        self.conditions = []
        source, on = self.source_query(), self.on()
        clauses = " ".join(self.clauses())
        evolution = "WITH SCHEMA EVOLUTION " if self.evolves else ""
        self.statement = f"MERGE {evolution}INTO t USING ({source}) s ON {on} {clauses}"
        self.probes = {}
        if self.conditions:
            columns = ", ".join(f"{text} AS c{at}" for at, text in enumerate(self.conditions))
            self.probes["conditions"] = (f"SELECT {columns} FROM t FULL OUTER JOIN ({source}) s "
                                         f"ON {on}")

    def draw_source_columns(self):
        """The target's columns, some of another type, missing, in another order, and new ones."""
        draw, columns = self.draw, list(self.scenario.columns)
        odd = 0.25 if draw.random() < 0.4 else 0.0
        picked = [columns[0]]
        for name, type_ in columns[1:]:
            chance = draw.random()
            if chance < odd * 0.5:
                continue
            if chance < odd * 2:
                type_ = sql_types.near(draw, type_)
            picked.append((name.upper() if draw.random() < 0.05 else name, type_))
        if draw.random() < (0.6 if self.evolves else 0.15):
            picked.append(("extra", sql_types.draw_type(draw, 1)))
        tail = picked[1:]
        draw.shuffle(tail)
        return [picked[0]] + tail

    def expressions(self, scope):
        """An expression generator over `scope`, pairs of an alias and its columns."""
        columns = []
        for alias, of_alias in scope:
            for name, type_ in of_alias:
                columns.append((f"{alias}.{name}", type_))
                if isinstance(type_, Struct):
                    columns += [(f"{alias}.{name}.{field}", inner) for field, inner in type_.fields]
        return Expressions(self.draw, columns, odd=0.0 if self.careful else 0.03,
                           edge=0.02 if self.careful else 0.08)

    def both(self):
        return [("t", self.scenario.columns), ("s", self.source)]

    def source_query(self):
        draw = self.draw
        count = draw.choice((0, 1, 2, 3, 4, 6, 8))
        # Mostly unique keys: otherwise few statements come past the check of several matches.
        return select_rows(draw, self.source, count, edge=0.02 if self.careful else 0.1,
                           unique=draw.random() < 0.75)

    def on(self):
        chance = self.draw.random()
        if chance < 0.6:
            return "t.k = s.k"
        if chance < 0.75:
            return "t.k <=> s.k"
        if chance < 0.95:
            return f"t.k = s.k AND {self.expressions(self.both()).of('BOOLEAN', 1, exact=True)}"
        return self.expressions(self.both()).of("BOOLEAN", 1, exact=True)

    def condition(self, scope, last):
        """` AND ...` or nothing; only the last clause of a family may go without."""
        if last and self.draw.random() < 0.5:
            return ""
        condition = self.expressions(scope).of("BOOLEAN", 1 if self.careful else 2, exact=True)
        self.conditions.append(condition)
        return f" AND {condition}"

    def value(self, name, type_, scope):
        """A value for a column: by preference the source's column of that name."""
        draw = self.draw
        chance = draw.random()
        if chance < 0.5 and "s" in dict(scope):
            for other, _ in self.source:
                if other.lower() == name:
                    return f"s.{other}"
        if chance < 0.58:
            return "NULL"
        return self.expressions(scope).of(type_, 0 if chance < 0.75 else 1 if self.careful else 2)

    def assignments(self, scope):
        draw = self.draw
        columns = draw.sample(self.scenario.columns, draw.randint(1, len(self.scenario.columns)))
        parts = []
        for name, type_ in columns:
            if isinstance(type_, Struct) and draw.random() < 0.4:
                field, inner = draw.choice(type_.fields)
                parts.append(f"{name}.{field} = {self.expressions(scope).of(inner, 1)}")
            else:
                qualifier = draw.choice(("", "", "t."))
                parts.append(f"{qualifier}{name} = {self.value(name, type_, scope)}")
        has_extra = "extra" in dict(self.source)
        if self.evolves and len(scope) > 1 and has_extra and draw.random() < 0.4:
            parts.append("extra = s.extra")
        return ", ".join(parts)

    def matched(self):
        chance = self.draw.random()
        if chance < 0.25:
            return "DELETE"
        return "UPDATE SET *" if chance < 0.6 else f"UPDATE SET {self.assignments(self.both())}"

    def not_matched(self):
        draw, scope = self.draw, [("s", self.source)]
        if draw.random() < 0.6:
            return "INSERT *"
        columns = draw.sample(self.scenario.columns, draw.randint(1, len(self.scenario.columns)))
        names = [name for name, _ in columns]
        values = [self.value(name, type_, scope) for name, type_ in columns]
        if self.evolves and ("extra" in dict(self.source)) and draw.random() < 0.4:
            names.append("extra")
            values.append("s.extra")
        return f"INSERT ({', '.join(names)}) VALUES ({', '.join(values)})"

    def not_matched_by_source(self):
        if self.draw.random() < 0.4:
            return "DELETE"
        return f"UPDATE SET {self.assignments([('t', self.scenario.columns)])}"

    def clauses(self):
        draw = self.draw
        families = (("WHEN MATCHED", self.matched, self.both(), (0, 1, 1, 2, 3)),
                    ("WHEN NOT MATCHED", self.not_matched, [("s", self.source)], (0, 1, 1, 2)),
                    ("WHEN NOT MATCHED BY SOURCE", self.not_matched_by_source,
                     [("t", self.scenario.columns)], (0, 0, 0, 1, 2)))
        lines = []
        for head, action, scope, counts in families:
            count = draw.choice(counts)
            lines += [f"{head}{self.condition(scope, at == count - 1)} THEN {action()}"
                      for at in range(count)]
        return lines or ["WHEN MATCHED THEN DELETE"]


def draw_conf(draw):
    conf = dict(SEMANTICS)
    policy = draw.choice(("ANSI", "ANSI", "ANSI", "ANSI", "ANSI", "LEGACY", "STRICT"))
    if policy != "ANSI":
        conf["spark.sql.storeAssignmentPolicy"] = policy
    return conf
