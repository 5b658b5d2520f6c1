#!/usr/bin/env python3
"""Write the case mappings of Unicode that upper(), lower() and initcap() use.

    generate_unicode_case.py > src/merganser/engine/functions/unicode_case.inc

Runs of code points that move by the same distance are one entry; mappings to several code points
are listed one by one. The tables are those of this Python's unicodedata.
"""
import sys
import unicodedata


def runs(mapping):
    """(first, last, stride, delta) of the single-code-point mappings."""
    out = []
    for code in sorted(mapping):
        delta = mapping[code] - code
        if out:
            first, last, stride, same = out[-1]
            step = code - last
            if same == delta and step in (1, 2) and stride in (0, step):
                out[-1] = (first, code, step, same)
                continue
        out.append((code, code, 0, delta))
    return [(first, last, stride or 1, delta) for first, last, stride, delta in out]


def table(name, convert):
    single, several = {}, {}
    for code in range(sys.maxunicode + 1):
        if 0xD800 <= code <= 0xDFFF:
            continue
        mapped = convert(chr(code))
        if mapped == chr(code):
            continue
        if len(mapped) == 1:
            single[code] = ord(mapped)
        else:
            several[code] = mapped
    print(f"constexpr CaseRun k{name}Runs[] = {{")
    for first, last, stride, delta in runs(single):
        print(f"    {{0x{first:04X}, 0x{last:04X}, {stride}, {delta}}},")
    print("};")
    print(f"constexpr SpecialCase k{name}Special[] = {{")
    for code in sorted(several):
        text = "".join(f"\\x{byte:02x}" for byte in several[code].encode())
        print(f'    {{0x{code:04X}, "{text}"}},')
    print("};")


print(f"// Made by scripts/generate_unicode_case.py from Unicode {unicodedata.unidata_version}.")
table("Upper", str.upper)
table("Lower", str.lower)
table("Title", str.title)
