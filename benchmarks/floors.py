"""The least that any engine has to do, as plain DuckDB statements over the same files.

Holes: {t} and {s} are the table and the source, {files} the table with file names and row numbers,
{on} the join, {columns} the table's, {out} where to write.
"""

# The options of Merganser's own writer: a ratio compares like with like.
PARQUET = ("FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 122880, DICTIONARY_SIZE_LIMIT 4096, "
           "WRITE_BLOOM_FILTER false")
FIND = ("CREATE TEMP TABLE found AS SELECT t.filename, list(t.file_row_number) FROM (SELECT * FROM "
        "{files}) t JOIN {s} s ON {on} GROUP BY 1")
WRITE_SOURCE = "COPY (SELECT {columns} FROM {s} s) TO '{out}' (" + PARQUET + ", PER_THREAD_OUTPUT)"
REWRITE = ("COPY (SELECT t.* FROM {t} t ANTI JOIN {s} s ON {on} UNION ALL SELECT {columns} FROM {s} "
           "s) TO '{out}' (" + PARQUET + ", FILE_SIZE_BYTES '128MB', PER_THREAD_OUTPUT)")
KEEP = ("COPY (SELECT t.* FROM {t} t ANTI JOIN {s} s ON {on}) TO '{out}' (" + PARQUET +
        ", FILE_SIZE_BYTES '128MB', PER_THREAD_OUTPUT)")
COPY_ALL = ("COPY (SELECT * FROM {t} t) TO '{out}' (" + PARQUET +
            ", FILE_SIZE_BYTES '128MB', PER_THREAD_OUTPUT)")
RANDOM_FLOOR = {"dv": (FIND, WRITE_SOURCE), "cow": (REWRITE,)}
LOCAL_FLOOR = {"dv": (FIND, WRITE_SOURCE), "cow": (FIND, WRITE_SOURCE)}
NEW_ONLY = ("COPY (SELECT {columns} FROM {s} s ANTI JOIN {t} t ON {on}) TO '{out}' (" + PARQUET +
            ", PER_THREAD_OUTPUT)")


def write_rows(select):
    return "COPY (" + select + ") TO '{out}' (" + PARQUET + ", PER_THREAD_OUTPUT)"


SYNC_FLOOR = (
    "CREATE TEMP TABLE found AS SELECT filename, list(file_row_number) FROM (SELECT t.filename, "
    "t.file_row_number FROM (SELECT * FROM {files}) t LEFT JOIN {s} s ON {on} WHERE s.l_orderkey IS "
    "NULL OR s.l_quantity <> t.l_quantity) GROUP BY 1",
    write_rows("SELECT s.* FROM {s} s LEFT JOIN {t} t ON {on} WHERE t.l_orderkey IS NULL OR "
               "t.l_quantity <> s.l_quantity"),
)
CDC_FLOOR = (
    "CREATE TEMP TABLE found AS SELECT t.filename, list(t.file_row_number) FROM (SELECT * FROM {files}) "
    "t JOIN {s} s ON {on} WHERE s.op = 'D' OR s.ver > t.ver GROUP BY 1",
    write_rows("SELECT {columns} FROM {s} s WHERE op <> 'D'"),
)
HISTORY_FLOOR = (
    "CREATE TEMP TABLE found AS SELECT t.filename, list(t.file_row_number) FROM (SELECT * FROM {files}) "
    "t JOIN {s} s ON {on} WHERE t.is_current GROUP BY 1",
    write_rows("SELECT t.* REPLACE (false AS is_current, s.eff AS end_date) FROM {t} t JOIN {s} s "
               "ON {on} WHERE t.is_current UNION ALL SELECT {columns} FROM {s}"),
)
REPLAY_FLOOR = (
    # Source rows that match nothing would be inserted: they have to be looked for as well.
    "CREATE TEMP TABLE found AS SELECT t.filename, t.file_row_number FROM (SELECT * FROM {files}) t "
    "RIGHT JOIN {s} s ON {on} WHERE t.l_orderkey IS NULL OR s.ver > t.ver",
)
EVOLVED_FLOOR = {
    "dv": (FIND, "COPY (SELECT * FROM {s}) TO '{out}' (" + PARQUET + ", PER_THREAD_OUTPUT)"),
    "cow": ("COPY (SELECT t.* FROM {t} t ANTI JOIN {s} s ON {on} UNION ALL BY NAME SELECT * FROM {s}) TO "
            "'{out}' (" + PARQUET + ", FILE_SIZE_BYTES '128MB', PER_THREAD_OUTPUT)",),
}


def first_rows():
    """The first of several rows with a key, where the table lacks it."""
    return (write_rows("SELECT {columns} FROM (SELECT *, row_number() OVER (PARTITION BY l_orderkey, "
                       "l_linenumber ORDER BY seq) AS place FROM {s}) s ANTI JOIN {t} t ON {on} "
                       "WHERE place = 1"),)
