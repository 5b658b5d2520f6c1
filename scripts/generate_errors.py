#!/usr/bin/env python3
"""Turn the error registry into C++ tables and into the page that lists the classes.

Reads error_classes.json and, beside it, jvm_classes.json. Writes into --output-dir
error_classes.inc (one enumerator macro a class) and error_registry.inc (the entries), and with
--docs a Markdown page. Output is a pure function of the input; a file that would not change is
left alone, so nothing is rebuilt for it.

An entry has sqlstate, kind, origin (spark or delta), jvm (a name of jvm_classes.json), message and
subclasses; "context": false where Spark raises the class without a query context. A subclass has
a message, and jvm where its exception differs from its class's.
"""

import argparse
import json
import pathlib
import re
import sys

KINDS = {
    "user": "kUser",
    "conflict": "kConflict",
    "unsupported": "kUnsupported",
    "io": "kIo",
    "commit_unknown": "kCommitUnknown",
    "corruption": "kCorruption",
    "internal": "kInternal",
}
ORIGINS = ("spark", "delta", "merganser")
PARAMETER = re.compile(r"<([A-Za-z][A-Za-z0-9_]*)>")


def load_object(path):
    """Read a JSON object whose keys must be unique and sorted."""

    def unique(pairs):
        keys = [key for key, _ in pairs]
        repeated = {key for key in keys if keys.count(key) > 1}
        if repeated:
            raise SystemExit(f"{path}: repeated keys: {', '.join(sorted(repeated))}")
        return dict(pairs)

    with open(path, encoding="utf-8") as file:
        loaded = json.load(file, object_pairs_hook=unique)
    if list(loaded) != sorted(loaded):
        raise SystemExit(f"{path}: the entries are not sorted by name")
    return loaded


def check_class(name, entry, jvm_classes):
    """The faults of one registry entry, as text."""
    faults = []
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", name):
        faults.append("the name is not an upper-case identifier")
    if not re.fullmatch(r"[0-9A-Z]{5}", entry.get("sqlstate", "")):
        faults.append("sqlstate is not five characters")
    if entry.get("kind") not in KINDS:
        faults.append(f"unknown kind {entry.get('kind')!r}")
    if entry.get("origin") not in ORIGINS:
        faults.append(f"unknown origin {entry.get('origin')!r}")
    subclasses = entry.get("subclasses", {}).values()
    for jvm in [entry.get("jvm")] + [sub["jvm"] for sub in subclasses if "jvm" in sub]:
        if jvm not in jvm_classes:
            faults.append(f"jvm class {jvm!r} is not in jvm_classes.json")
    if not isinstance(entry.get("context", True), bool):
        faults.append("context is neither true nor false")
    texts = [entry.get("message", "")]
    texts += [sub.get("message", "") for sub in entry.get("subclasses", {}).values()]
    if not all(texts):
        faults.append("an empty message")
    return [f"{name}: {fault}" for fault in faults]


def jvm_chain(simple_name, jvm_classes):
    """Full names of a JVM class and its superclasses, most derived first."""
    chain = []
    while simple_name is not None:
        entry = jvm_classes[simple_name]
        if entry["name"] in chain:
            raise SystemExit(f"jvm_classes.json: {simple_name} is its own superclass")
        chain.append(entry["name"])
        simple_name = entry.get("superclass")
    return chain


def quoted_chain(simple_name, jvm_classes):
    return ", ".join(quoted(jvm) for jvm in jvm_chain(simple_name, jvm_classes))


def quoted(text):
    """A C++ string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def cpp_bool(value):
    return "true" if value else "false"


def enumerators(classes):
    return "".join(f"MERGANSER_ERROR_CLASS({name})\n" for name in classes)


def entries(classes, jvm_classes):
    """Rows for error.cc: each class directly followed by its subclasses. A subclass has a JVM chain
    only where it differs from its class's."""
    lines = []
    for name, entry in classes.items():
        chain = quoted_chain(entry["jvm"], jvm_classes)
        from_delta = cpp_bool(entry["origin"] == "delta")
        has_context = cpp_bool(entry.get("context", True))
        lines.append(
            f"MERGANSER_ERROR_ENTRY({name}, {quoted(entry['sqlstate'])}, "
            f"{KINDS[entry['kind']]}, {from_delta}, {has_context}, {quoted(entry['message'])}, "
            f"{chain})\n"
        )
        for sub_name, sub in entry.get("subclasses", {}).items():
            lines.append(
                f"MERGANSER_ERROR_SUBCLASS({name}, {quoted(sub_name)}, {quoted(sub['message'])}, "
                f"{quoted_chain(sub.get('jvm'), jvm_classes)})\n"
            )
    return "".join(lines)


def page(classes, jvm_classes):
    """The Markdown page."""
    lines = [
        "# Error classes",
        "",
        "Generated from `errors/error_classes.json` by `make generate`; edit that file instead.",
        "",
        "Names, SQLSTATEs and parameters are those of Apache Spark and Delta Lake, so programs",
        "that look at `getErrorClass()` or `getSqlState()` need no change. The kind says what a",
        "program may do: *user* (fix the statement or its data), *conflict* (run it again),",
        "*unsupported* (the table or statement needs a feature this build lacks), *io* (storage",
        "failed, nothing became visible), *commit_unknown* (the commit may or may not have",
        "happened: look at the history), *corruption* (the table contradicts the protocol),",
        "*internal* (a bug to report).",
        "",
    ]
    for name, entry in classes.items():
        jvm = jvm_classes[entry["jvm"]]["name"]
        lines += [
            f"## {name}",
            "",
            f"SQLSTATE {entry['sqlstate']}, {entry['kind']}, `{jvm}`",
            "",
            f"`{entry['message']}`",
            "",
        ]
        for sub_name, sub in entry.get("subclasses", {}).items():
            jvm = f" (`{jvm_classes[sub['jvm']]['name']}`)" if "jvm" in sub else ""
            lines.append(f"- **{sub_name}**{jvm}: `{sub['message']}`")
        if entry.get("subclasses"):
            lines.append("")
    return "\n".join(lines)


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--input", type=pathlib.Path, required=True, help="error_classes.json")
    parser.add_argument("--output-dir", type=pathlib.Path, help="folder of the C++ tables")
    parser.add_argument("--docs", type=pathlib.Path, help="Markdown page to write")
    parser.add_argument("--check", action="store_true", help="only say if the page is out of date")
    arguments = parser.parse_args()

    classes = load_object(arguments.input)
    jvm_classes = load_object(arguments.input.parent / "jvm_classes.json")
    faults = [
        fault for name, entry in classes.items() for fault in check_class(name, entry, jvm_classes)
    ]
    if faults:
        sys.exit("\n".join(faults))

    if arguments.output_dir:
        write_if_changed(arguments.output_dir / "error_classes.inc", enumerators(classes))
        write_if_changed(arguments.output_dir / "error_registry.inc", entries(classes, jvm_classes))
    if arguments.docs and arguments.check:
        if arguments.docs.read_text(encoding="utf-8") != page(classes, jvm_classes):
            sys.exit(f"{arguments.docs} is out of date: run make generate")
    elif arguments.docs:
        write_if_changed(arguments.docs, page(classes, jvm_classes))


if __name__ == "__main__":
    main()
