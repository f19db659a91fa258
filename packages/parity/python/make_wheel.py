"""Writes the wheel: a zip with the modules, METADATA, WHEEL, entry points and RECORD (PEP 427), without a package beside it."""
import json
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

here = Path(__file__).parent
version = json.loads((here.parent / "package.json").read_text(encoding="utf-8"))["version"]
name = f"vocabulary_parity-{version}"
metadata = f"""Metadata-Version: 2.1
Name: vocabulary-parity
Version: {version}
Summary: Compares the languages of a catalogue, and a fixture for pytest
License: MIT
Requires-Python: >=3.10
"""
files = {each.name: each.read_bytes() for each in sorted(here.glob("*vocabulary_parity.py"))}
files[f"{name}.dist-info/METADATA"] = metadata.encode()
files[f"{name}.dist-info/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: make_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
files[f"{name}.dist-info/entry_points.txt"] = b"[pytest11]\nvocabulary_parity = pytest_vocabulary_parity\n"
record = "".join(
    f"{path},sha256={urlsafe_b64encode(sha256(content).digest()).rstrip(b'=').decode()},{len(content)}\n"
    for path, content in files.items()
)
files[f"{name}.dist-info/RECORD"] = f"{record}{name}.dist-info/RECORD,,\n".encode()
target = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / f"{name}-py3-none-any.whl"
with ZipFile(target, "w") as wheel:
    for path, content in files.items():
        # One date, so that the same files are the same wheel.
        wheel.writestr(ZipInfo(path, (2020, 1, 1, 0, 0, 0)), content, ZIP_DEFLATED)
print(target)
