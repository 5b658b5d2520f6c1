"""Random statements on a table, and the same on a model: {id: (name, amount, part)}."""

import random

# Values that have to be escaped in the names of folders, and NULL.
PARTS = ("plain", "two words", "50% off", "a=b", "x:y", "Zürich/日本", None)
COLUMNS = "id BIGINT, name STRING, amount DECIMAL(10,2), part STRING"
KINDS = {
    "plain": "'delta.enableDeletionVectors' = 'false'",
    "vectors": "'delta.enableDeletionVectors' = 'true', 'delta.enableChangeDataFeed' = 'true'",
    "mapped": "'delta.columnMapping.mode' = 'name', 'delta.enableRowTracking' = 'true', "
              "'delta.enableDeletionVectors' = 'true'",
    "checkpointed": "'delta.checkpointPolicy' = 'v2', 'delta.checkpointInterval' = '4', "
                    "'delta.enableInCommitTimestamps' = 'true', "
                    "'delta.enableDeletionVectors' = 'true'",
    "iceberg": "'delta.enableIcebergCompatV3' = 'true'",
}


def quoted(text):
    return "NULL" if text is None else "'" + text.replace("'", "\\'") + "'"


def literals(rows):
    """The list after VALUES of {id: (name, amount, part)}."""
    return ", ".join(f"({key}L, '{name}', {amount}BD, {quoted(part)})"
                     for key, (name, amount, part) in rows.items())


class Alternation:
    """Draws statements; `model` is what the table must hold after the last one."""

    def __init__(self, table, seed):
        self.table = table
        self.draw = random.Random(seed)
        self.model = {}
        self.history = [{}]
        self.count = 0

    def rows(self):
        """The model as the readers give it."""
        return [{"id": key, "name": name, "amount": amount, "part": part}
                for key, (name, amount, part) in self.model.items()]

    def statement(self):
        """The next statement; the model goes along."""
        kinds = [self.insert, self.insert, self.update, self.update, self.delete, self.merge,
                 self.merge, self.merge, self.optimize, self.restore, self.change_property]
        text = self.draw.choice(kinds)()
        self.count += 1
        return text

    def versioned(self, versions):
        """The newest version is `versions` - 1: keep what it and those before it hold."""
        while len(self.history) < versions:
            self.history.append(dict(self.model))

    def values(self, ids):
        rows = {}
        for key in ids:
            rows[key] = (f"name {self.count}", f"{self.draw.randrange(100000) / 100:.2f}",
                         self.draw.choice(PARTS))
        return rows, literals(rows)

    def range(self):
        first = self.draw.randrange(60)
        return first, first + self.draw.randrange(1, 8)

    def insert(self):
        first, end = self.range()
        rows, text = self.values([key for key in range(first, end) if key not in self.model])
        if not rows:
            return self.optimize()
        self.model.update(rows)
        return f"INSERT INTO {self.table} VALUES {text}"

    def update(self):
        first, end = self.range()
        part = self.draw.choice(PARTS)
        for key in range(first, end):
            if key in self.model:
                self.model[key] = (f"updated {self.count}", self.model[key][1], part)
        return (f"UPDATE {self.table} SET name = 'updated {self.count}', part = {quoted(part)} "
                f"WHERE id >= {first} AND id < {end}")

    def delete(self):
        part = self.draw.choice(PARTS[:-1])
        first, end = self.range()
        for key in range(first, end):
            if key in self.model and self.model[key][2] != part:
                self.model.pop(key)
        return (f"DELETE FROM {self.table} WHERE id >= {first} AND id < {end} "
                f"AND NOT (part <=> {quoted(part)})")

    def merge(self):
        first, end = self.range()
        rows, text = self.values(range(first, end))
        for key, row in rows.items():
            if key in self.model and key % 5 == 0:
                self.model.pop(key)
            else:
                self.model[key] = row
        return (f"MERGE INTO {self.table} t USING (SELECT * FROM VALUES {text} "
                "AS v(id, name, amount, part)) s ON t.id = s.id "
                "WHEN MATCHED AND s.id % 5 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET * "
                "WHEN NOT MATCHED THEN INSERT *")

    def optimize(self):
        return f"OPTIMIZE {self.table}"

    def restore(self):
        if len(self.history) < 3:
            return self.optimize()
        version = self.draw.randrange(1, len(self.history) - 1)
        self.model = dict(self.history[version])
        return f"RESTORE TABLE {self.table} TO VERSION AS OF {version}"

    def change_property(self):
        return f"ALTER TABLE {self.table} SET TBLPROPERTIES ('mine' = '{self.count}')"
