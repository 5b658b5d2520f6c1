"""Rows of every reader in one JSON form, the one that `--format jsonl` prints."""

import datetime
import decimal
import math


def plain(value):
    """A value that PyArrow gave, as JSON: decimals and times as text, binary as hex."""
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        text = value.strftime("%Y-%m-%d %H:%M:%S")
        return f"{text}.{value.microsecond:06d}".rstrip("0") if value.microsecond else text
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: plain(field) for name, field in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    return value


def ordered(rows):
    """Rows (dicts) in an order that does not depend on the reader."""
    return sorted(rows, key=repr)


def rows_of(table):
    """The rows of a PyArrow table, plain and ordered."""
    return ordered(plain(row) for row in table.to_pylist())
