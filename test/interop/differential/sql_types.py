"""SQL types as values: primitives are their DDL text, nested types are small classes."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Decimal:
    precision: int
    scale: int

    def __str__(self):
        return f"DECIMAL({self.precision},{self.scale})"


@dataclasses.dataclass(frozen=True)
class Array:
    element: object

    def __str__(self):
        return f"ARRAY<{self.element}>"


@dataclasses.dataclass(frozen=True)
class Map:
    key: object
    value: object

    def __str__(self):
        return f"MAP<{self.key}, {self.value}>"


@dataclasses.dataclass(frozen=True)
class Struct:
    fields: tuple  # (name, type) pairs

    def __str__(self):
        return f"STRUCT<{', '.join(f'{name}: {type_}' for name, type_ in self.fields)}>"


INTEGRALS = ("TINYINT", "SMALLINT", "INT", "BIGINT")
FLOATING = ("FLOAT", "DOUBLE")
DECIMALS = (Decimal(5, 2), Decimal(10, 0), Decimal(20, 4), Decimal(38, 10))
NUMBERS = INTEGRALS + FLOATING + DECIMALS
TIMES = ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ")
PRIMITIVES = NUMBERS + TIMES + ("BOOLEAN", "STRING", "BINARY")


def draw_primitive(draw):
    return draw.choice(draw.choice((INTEGRALS, FLOATING, DECIMALS, TIMES,
                                    ("STRING",), ("STRING", "BOOLEAN", "BINARY"))))


def draw_type(draw, depth=2, nested=0.3):
    """A type; with the chance `nested` an array, a map or a struct of at most `depth` levels."""
    if depth == 0 or draw.random() >= nested:
        return draw_primitive(draw)
    kind = draw.randrange(4)
    if kind == 0:
        return Array(draw_type(draw, depth - 1, nested))
    if kind == 1:
        return Map(draw.choice(("STRING", "INT")), draw_type(draw, depth - 1, nested))
    names = draw.sample(("a", "b", "c", "d"), draw.randint(1, 3))
    return Struct(tuple((name, draw_type(draw, depth - 1, nested)) for name in names))


def near(draw, type_):
    """A type that values of `type_` can often be cast to: a number, text, a reshaped struct."""
    if type_ in NUMBERS:
        return draw.choice(NUMBERS + ("STRING",))
    if type_ in TIMES:
        return draw.choice(TIMES + ("STRING",))
    if isinstance(type_, Struct):
        fields = list(type_.fields)
        change = draw.randrange(4)
        if change == 0:
            draw.shuffle(fields)
        elif change == 1 and len(fields) > 1:
            fields.pop(draw.randrange(len(fields)))
        elif change == 2:
            fields.insert(draw.randint(0, len(fields)), ("extra", draw_primitive(draw)))
        else:
            at = draw.randrange(len(fields))
            fields[at] = (fields[at][0], near(draw, fields[at][1]))
        return Struct(tuple(fields))
    if isinstance(type_, Array):
        return Array(near(draw, type_.element))
    if isinstance(type_, Map):
        return Map(type_.key, near(draw, type_.value))
    return draw.choice(("STRING", "INT", type_, type_))


def is_orderable(type_):
    """Do comparisons take values of the type?"""
    if isinstance(type_, Map):
        return False
    if isinstance(type_, Array):
        return is_orderable(type_.element)
    if isinstance(type_, Struct):
        return all(is_orderable(field) for _, field in type_.fields)
    return True
