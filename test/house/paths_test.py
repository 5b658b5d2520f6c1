"""Every path that the documents name exists, and the map stays a map."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / name for name in ("README.md", "AGENTS.md", "CONTRIBUTING.md")]
DOCUMENTS += sorted((ROOT / "docs").rglob("*.md"))
# What a build, a fetch or a run makes.
MADE = re.compile(r"(build|\.deps|spark-warehouse)(/|$)")
# A path in backquotes starts with a folder or file of the root; with one of the source folders
# when it has a slash; placeholders (<name>, NNN, *) are no paths.
NAMED = re.compile(r"`([A-Za-z0-9_.\-/]+)`")
LINKED = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def named_paths(document):
    """(text, where it may lie) of each path in a document."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    roots = {path.name for path in ROOT.iterdir()}
    layers = {path.name for path in (ROOT / "src" / "merganser").iterdir()}
    for name in NAMED.findall(text):
        first = name.split("/")[0]
        if MADE.match(name):
            continue
        if first in roots:
            yield name, [ROOT / name]
        elif first in layers and ("/" in name):
            yield name, [ROOT / "src" / "merganser" / name, ROOT / "proto" / name]
        elif first == "merganser" and "/" in name:
            yield name, [ROOT / "src" / name]
    for name in LINKED.findall(text):
        yield name, [document.parent / name]


class PathsTest(unittest.TestCase):
    def test_every_path_in_the_documents_exists(self):
        missing = [f"{document.relative_to(ROOT)}: {name}"
                   for document in DOCUMENTS if document.exists()
                   for name, places in named_paths(document)
                   if not any(place.exists() for place in places)]
        self.assertEqual("\n".join(missing), "")

    def test_every_source_folder_is_on_the_map(self):
        text = (ROOT / "docs" / "CODEMAP.md").read_text()
        folders = {path.parent for path in (ROOT / "src").rglob("*.h")}
        missing = [str(folder.relative_to(ROOT / "src" / "merganser")) for folder in sorted(folders)
                   if f"`{folder.relative_to(ROOT / 'src' / 'merganser')}`" not in text]
        self.assertEqual("\n".join(missing), "")

    def test_the_map_for_agents_stays_short(self):
        self.assertLess(len((ROOT / "AGENTS.md").read_text().splitlines()), 200)


if __name__ == "__main__":
    unittest.main()
