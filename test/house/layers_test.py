"""Includes keep to src/merganser/LAYERS, third-party ones to docs/dependencies.md."""

import functools
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "merganser"
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
# Headers of the C library and POSIX; those of C++ have no suffix.
SYSTEM = re.compile(r"(dirent|dlfcn|fcntl|langinfo|locale|poll|pthread|pty|pwd|signal|spawn|stdio"
                    r"|stdlib|string|strings|termios|time|unistd|wchar)\.h|sys/\w+\.h|(netinet|arpa)/\w+\.h|linux/\w+\.h|[a-z_0-9]+")


# Tests, and headers that only tests include.
TEST_FILE = re.compile(r"_test\.cc$|/test_\w+\.(h|cc)$|_for_test\.h$")


def read_layers():
    """Folder -> folders it may include."""
    lines = (line.split("#")[0] for line in (SOURCE / "LAYERS").read_text().splitlines())
    return {folder.strip(): set(edges.split()) | {folder.strip()}
            for folder, _, edges in (line.partition(":") for line in lines) if folder.strip()}


def read_libraries():
    """Header prefix -> folder that may include it ("everywhere" and "tests" have no backquotes)."""
    libraries = {}
    for line in (ROOT / "docs" / "dependencies.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7:
            for header in re.findall(r"`([^`]+)`", cells[5]):
                libraries[header] = cells[6].strip("`")
    return libraries


LAYERS = read_layers()
LIBRARIES = read_libraries()


def layer_of(path):
    """The layer that a path relative to src/merganser belongs to: the longest that holds it."""
    holding = [name for name in LAYERS if path.startswith(name + "/")]
    return max(holding, key=len, default=None)


def layer(file):
    return layer_of(str(file.relative_to(SOURCE))) if file.is_relative_to(SOURCE) else None


def library_of(header):
    for name, folder in LIBRARIES.items():
        if header == name or (name.endswith("/") and header.startswith(name)):
            return folder
    return None


def faults(file):
    """What is wrong with the includes of `file`, one sentence each."""
    name = file.relative_to(ROOT)
    is_test = name.parts[0] == "test" or TEST_FILE.search(str(name)) is not None
    home = layer(file)
    if home is None and name.parts[0] == "src":
        yield f"{name}: in no folder of LAYERS"
        return
    for bracket, header in INCLUDE.findall(file.read_text()):
        if TEST_FILE.search(header) and not is_test:
            yield f"{name}: {header} is for tests only"
        if header.startswith("merganser/"):
            target = layer_of(header.removeprefix("merganser/"))
            if home and target not in LAYERS[home]:
                yield f"{name}: {home} may not include {target} ({header})"
        elif header.startswith("test/"):
            if not is_test:
                yield f"{name}: includes {header}, which is for tests"
        elif folder := library_of(header):
            if not (folder == "everywhere" or folder == home or folder == "tests" and is_test):
                yield f"{name}: {header} is for {folder} only"
        elif bracket == '"' or not SYSTEM.fullmatch(header):
            yield f"{name}: {header} is neither ours, the system's nor in docs/dependencies.md"


def sources():
    return [file for folder in ("src", "test") for suffix in ("*.h", "*.cc")
            for file in sorted((ROOT / folder).rglob(suffix))]


@functools.cache
def reaches_duckdb(header):
    """Whether including `header` brings in DuckDB's headers, directly or not."""
    file = ROOT / "src" / header
    return library_of(header) == "engine" or file.exists() and any(
        reaches_duckdb(name) for _, name in INCLUDE.findall(file.read_text()))


class LayersTest(unittest.TestCase):
    def assert_none(self, found):
        self.assertEqual("\n".join(found), "")

    def test_layers_point_one_way(self):
        seen = set()
        for name, edges in LAYERS.items():
            self.assertLessEqual(edges - {name}, seen, f"{name} stands on a layer below its line")
            seen.add(name)

    def test_includes_keep_to_the_layers(self):
        self.assert_none(fault for file in sources() for fault in faults(file))

    def test_duckdb_stays_out_of_the_headers_that_others_include(self):
        self.assert_none(
            f"{file.relative_to(ROOT)}: {header} brings DuckDB's headers"
            for file in sources() if layer(file) != "engine"
            for _, header in INCLUDE.findall(file.read_text()) if reaches_duckdb(header))

    def test_headers_that_name_duckdb_include_it(self):
        self.assert_none(
            str(file.relative_to(ROOT)) for file in (SOURCE / "engine").rglob("*.h")
            if "duckdb::" in file.read_text() and "\nnamespace duckdb {" not in file.read_text()
            and not reaches_duckdb(str(file.relative_to(ROOT / "src"))))

    def test_only_the_command_line_has_a_main(self):
        self.assert_none(str(path.relative_to(SOURCE)) for path in SOURCE.rglob("main.cc")
                         if path.parent != SOURCE / "cli")


if __name__ == "__main__":
    unittest.main()
