"""Validate the bill of materials in a wheel against the CycloneDX schema: sbom.py WHEEL."""

import sys
from zipfile import ZipFile

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

with ZipFile(sys.argv[1]) as wheel:
    names = [name for name in wheel.namelist() if ".dist-info/sboms/" in name]
    if len(names) != 1:
        sys.exit(f"one bill of materials is expected, not {names}")
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(wheel.read(names[0]).decode("utf-8"))
if error:
    sys.exit(f"{names[0]}: {error}")
print(f"{names[0]} is valid CycloneDX 1.6")
