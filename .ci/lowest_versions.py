"""Print what pyproject.toml asks for at the lowest versions it allows, as constraints for pip."""

import re
import tomllib
from pathlib import Path

pyproject = Path(__file__).parent.parent.joinpath("pyproject.toml").read_text(encoding="utf-8")
project = tomllib.loads(pyproject)["project"]
extras = project["optional-dependencies"]
for requirement in project["dependencies"] + extras["cluster"] + extras["test"]:
    if requirement == "razzstats[cluster]":  # which stands before
        continue
    bound = re.fullmatch(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)", requirement)
    if bound is None:
        raise SystemExit(f"{requirement!r} has no lower bound, or more than that")
    print(f"{bound[1]}=={bound[2]}")
