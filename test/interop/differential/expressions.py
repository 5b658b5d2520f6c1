"""Random typed expressions: each is of about the type asked for, over columns and literals.

The grammar (templates.py) aims at a type; what type an expression really has, both engines say. Now
and then an operand has a type near the one that fits, so that coercion, casts and refusals come up.
"""

import sql_types
from literals import literal
from sql_types import Array, Decimal, Map, Struct
from templates import TEMPLATES

COMPARISONS = ("=", "<", "<=", ">", ">=", "<>", "<=>")

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


class Expressions:
    """Draws expressions over `columns`, (text, type) pairs.

    `odd` is the chance that an operand's type is only near the one that fits; `edge` that a literal
    is an extreme value, which overflows easily.
    """

    def __init__(self, draw, columns=(), odd=0.05, edge=0.1):
        self.draw = draw
        self.columns = columns
        self.odd = odd
        self.edge = edge

    def leaf(self, type_):
        fitting = [text for text, other in self.columns if other == type_]
        if fitting and self.draw.random() < 0.75:
            return self.draw.choice(fitting)
        return literal(self.draw, type_, nulls=0.1, edge=self.edge)

    def of(self, type_, depth=2, exact=False):
        """An expression of about `type_`, or `exact`ly it, calls nested at most `depth` deep."""
        if not exact and self.draw.random() < self.odd:
            type_ = sql_types.near(self.draw, type_)
        if depth == 0 or self.draw.random() < 0.15:
            return self.leaf(type_)
        kind = kind_of(type_)
        if kind == "BOOLEAN" and self.draw.random() < 0.4:
            return self.comparison(depth)
        templates = TEMPLATES["ANY"] if self.draw.random() < 0.15 else TEMPLATES[kind]
        return self.fill(self.draw.choice(templates), type_, kind, depth)

    def comparison(self, depth):
        """A comparison, by preference of a column."""
        type_ = (self.draw.choice(self.columns)[1] if self.columns
                 else sql_types.draw_primitive(self.draw))
        if not sql_types.is_orderable(type_):
            return f"{self.of(type_, 0)} IS NOT NULL"
        left, right = self.of(type_, depth - 1), self.of(type_, depth - 1)
        return f"({left} {self.draw.choice(COMPARISONS)} {right})"

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
            text.append(before)
            text.append(str(type_) if hole == "type" else self.operand(hole, same, type_, depth))
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
        return self.of(wanted, depth - 1)
