"""Rows of the scenarios' sources, as SQL: functions of (dataset, rows of its table)."""

from data import NEWER, mixed


def every(step, salt, count):
    """SQL of `count` row numbers, one at a random place of each run of `step`."""
    return f"SELECT i * {step} + {mixed('i', salt)} % {step} AS n FROM range({count}) r(i)"


def between(dataset, rows, salt, count, more=""):
    """SQL of `count` new rows, with keys that the table leaves out."""
    key = dataset_key(dataset)
    return (f"SELECT * REPLACE ({key} + 1 AS {key}) FROM (SELECT "
            f"{dataset.select('n', f'(n + {NEWER})')}{more} FROM "
            f"({every(rows // max(count, 1), salt, count)}))")


def random_rows(share, new_share, gaps=True):
    """Changed values for a share of the table's rows, picked all over it, and new rows: between
    them, or behind the last one where keys have no gaps. In no order."""
    def select(dataset, rows):
        count = int(rows * share)
        new = int(count * new_share)
        old = count - new
        values = f"{dataset.select('n', f'(n + {NEWER})')}, n AS place"
        parts = [f"SELECT {values} FROM ({every(rows // max(old, 1), 101, old)})"]
        if new and gaps:
            parts.append(between(dataset, rows, 102, new, ", n AS place"))
        elif new:
            parts.append(f"SELECT {values} FROM (SELECT {rows} + i AS n FROM range({new}) r(i))")
        return (f"SELECT * EXCLUDE (place) FROM ({' UNION ALL '.join(parts)}) "
                f"ORDER BY {mixed('place', 103)}")
    return select


def dataset_key(dataset):
    return next(iter(dataset.columns("0", "0")))


def last_rows(outliers):
    """The last percent of the keys, and new ones behind them."""
    def select(dataset, rows):
        count = rows // 100
        numbers = f"SELECT {rows - count * 4 // 5} + i AS n FROM range({count}) r(i)"
        rest = ""
        if outliers:
            rest = (f" UNION ALL SELECT * REPLACE (l_orderkey - 2 AS l_orderkey) FROM (SELECT "
                    f"{dataset.select('0', '0')}) UNION ALL SELECT * REPLACE (l_orderkey + 2 AS "
                    f"l_orderkey) FROM (SELECT {dataset.select(f'{2 * rows}', '0')})")
        return f"SELECT {dataset.select('n', f'(n + {NEWER})')} FROM ({numbers}){rest}"
    return select


def new_rows(share):
    return lambda dataset, rows: between(dataset, rows, 104, int(rows * share))


def full_sync(dataset, rows):
    """98 % as they were, 1 % changed, 1 % gone, 1 % new."""
    changed = dict(dataset.columns("n", "n") | dataset.extra)
    changed["l_quantity"] = (f"CASE WHEN n % 100 = 7 THEN 100 + ({changed['l_quantity']}) ELSE "
                             f"{changed['l_quantity']} END::DECIMAL(15,2)")
    columns = ", ".join(f"{sql} AS {name}" for name, sql in changed.items())
    new = (f"SELECT * REPLACE (l_orderkey + 1 AS l_orderkey) FROM (SELECT {columns} FROM "
           f"({every(100, 105, rows // 100)}))")
    return (f"SELECT {columns} FROM (SELECT i AS n FROM range({rows}) r(i) WHERE i % 100 <> 42) "
            f"UNION ALL {new}")


def change_batch(dataset, rows):
    """A CDC batch: of the changed rows one in ten is deleted; versions are newer."""
    batch = random_rows(0.01, 0.2)(dataset, rows)
    return (f"SELECT * REPLACE (2::BIGINT AS ver), CASE WHEN l_orderkey % 2 = 0 THEN 'I' WHEN "
            f"l_suppkey % 10 = 0 THEN 'D' ELSE 'U' END AS op FROM ({batch})")


def replayed(dataset, rows):
    """Matched rows of the version that the table has."""
    return random_rows(0.01, 0)(dataset, rows)


def wide_rows(share):
    def select(dataset, rows):
        count = int(rows * share)
        return (f"SELECT n AS id, 100000 + n % 100 AS c7 FROM "
                f"({every(rows // count, 106, count)})")
    return select


def few_days(dataset, rows):
    """Rows of seven days, one percent of the table."""
    count = rows // 100
    return (f"SELECT {dataset.select('n', f'(n + {NEWER})')} FROM (SELECT (i // 7 * 365) + i % 7 + "
            f"100 AS n FROM range({count}) r(i))")


def history_rows(dataset, rows):
    return f"SELECT * REPLACE (DATE '2026-01-01' AS eff) FROM ({random_rows(0.01, 0.2)(dataset, rows)})"


def repeated(share):
    """New rows, each twice: only the first of a key is wanted."""
    def select(dataset, rows):
        new = between(dataset, rows, 104, int(rows * share))
        return (f"SELECT *, 1 AS seq FROM ({new}) UNION ALL "
                f"SELECT * REPLACE (l_partkey + 1 AS l_partkey), 2 AS seq FROM ({new})")
    return select


def evolved(dataset, rows):
    """An upsert whose rows have two columns more."""
    return (f"SELECT *, format('note {{}}', l_partkey) AS l_note, (l_suppkey % 100)::INTEGER AS l_score "
            f"FROM ({random_rows(0.01, 0.2)(dataset, rows)})")


def clustered(files, matched, new, same=False):
    """Changed (or the `same`) values for a share of the rows of a share of the files, and new rows,
    as a share of those files' rows: half of their keys between the table's, half behind them."""
    def select(dataset, rows):
        span = rows // 100  # The table has a hundred files.
        taken = int(100 * files)
        count, fresh = int(span * matched), int(span * new)
        number = "n" if same else f"(n + {NEWER})"

        def places(count, salt):
            step = span // max(count, 1)
            return (f"SELECT file * {100 // taken * span} + i * {step} + {mixed('i + file', salt)} % {step} "
                    f"AS n FROM range({taken}) f(file), range({count}) r(i)")
        parts = []
        if count:
            parts.append(f"SELECT {dataset.select('n', number)} FROM ({places(count, 107)})")
        if fresh:
            behind = f"wr_order_number + CASE WHEN n % 2 = 0 THEN 1 ELSE {2 * rows} END"
            parts.append(f"SELECT * EXCLUDE (n) REPLACE ({behind} AS wr_order_number) FROM (SELECT "
                         f"{dataset.select('n', f'(n + {NEWER})')}, n FROM ({places(fresh, 108)}))")
        return " UNION ALL ".join(parts)
    return select


def batched(count):
    """`count` upserts of 1 %, of other rows each."""
    def select(dataset, rows):
        return (f"SELECT *, (row_number() OVER () % {count})::INTEGER AS batch FROM "
                f"({random_rows(0.01 * count, 0.2)(dataset, rows)})")
    return select
