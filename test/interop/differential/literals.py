"""Literals of a type, as fully typed SQL text; edge values are frequent."""

import sql_types

INTEGRAL_LIMITS = {"TINYINT": (-128, 127, "Y"), "SMALLINT": (-32768, 32767, "S"),
                   "INT": (-2147483648, 2147483647, ""),
                   "BIGINT": (-9223372036854775808, 9223372036854775807, "L")}
DOUBLES = ("0.0", "-0.0", "1.0", "-1.5", "0.1", "2.5", "100.0", "1e10", "-3.25", "1e-5",
           "123456.789")
SPECIAL = ("NaN", "Infinity", "-Infinity", "1e300", "-1e300", "1e-300", "3.4028235e38")
TEXTS = ("", "a", "b", "abc", "Abc", " x ", "10", "-7", "3.5", "2024-02-29", "true", "zz", "ünï",
         "a,b,c", "日本", "1e2", "no", "x%y_z", "2024-01-31 12:30:00", "null")
DATES = ("2024-01-01", "2024-02-29", "1970-01-01", "1969-12-31", "2000-12-31", "2023-03-26",
         "1582-10-15", "9999-12-31", "0001-01-01")
CLOCKS = ("00:00:00", "12:34:56", "23:59:59.999999", "06:30:00.5", "01:02:03.000001")
BINARIES = ("", "00", "61", "616263", "FF00FE", "3132")


def null(type_):
    return f"CAST(NULL AS {type_})"


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def integral(draw, type_, edge):
    low, high, suffix = INTEGRAL_LIMITS[type_]
    if draw.random() < edge:
        value = draw.choice((low, high, high - 1, low + 1, high // 2))
        return f"CAST('{value}' AS {type_})"
    value = draw.randint(-3, 12)
    return f"({value}{suffix})" if value < 0 else f"{value}{suffix}"


def decimal(draw, type_, edge):
    if draw.random() < edge:
        digits = "9" * type_.precision
    else:
        digits = str(draw.randrange(10 ** min(type_.precision, draw.choice((1, 2, 4)))))
    digits = digits.rjust(type_.scale + 1, "0")
    text = digits if type_.scale == 0 else f"{digits[:-type_.scale]}.{digits[-type_.scale:]}"
    return f"CAST('{draw.choice(('', '', '-'))}{text}' AS {type_})"


def primitive(draw, type_, edge):
    if type_ in INTEGRAL_LIMITS:
        return integral(draw, type_, edge)
    if isinstance(type_, sql_types.Decimal):
        return decimal(draw, type_, edge)
    if type_ in sql_types.FLOATING:
        return f"{type_}('{draw.choice(SPECIAL if draw.random() < edge else DOUBLES)}')"
    if type_ == "BOOLEAN":
        return draw.choice(("true", "false"))
    if type_ == "STRING":
        return quoted(draw.choice(TEXTS))
    if type_ == "BINARY":
        return f"X'{draw.choice(BINARIES)}'"
    day = draw.choice(DATES if draw.random() < edge else DATES[:6])
    return f"DATE'{day}'" if type_ == "DATE" else f"{type_}'{day} {draw.choice(CLOCKS)}'"


def literal(draw, type_, nulls=0.15, edge=0.15):
    """A literal of `type_`: NULL with the chance `nulls`, extreme with the chance `edge`."""
    if draw.random() < nulls:
        return null(type_)
    if isinstance(type_, sql_types.Array):
        items = [literal(draw, type_.element, nulls, edge) for _ in range(draw.randint(0, 3))]
        return f"array({', '.join(items)})" if items else f"CAST(array() AS {type_})"
    if isinstance(type_, sql_types.Map):
        keys = draw.sample(("'x'", "'y'", "''") if type_.key == "STRING" else ("1", "2", "0"),
                           draw.randint(0, 2))
        entries = [f"{key}, {literal(draw, type_.value, nulls, edge)}" for key in keys]
        return f"map({', '.join(entries)})" if entries else f"CAST(map() AS {type_})"
    if isinstance(type_, sql_types.Struct):
        fields = [f"'{name}', {literal(draw, field, nulls, edge)}" for name, field in type_.fields]
        return f"named_struct({', '.join(fields)})"
    return primitive(draw, type_, edge)
