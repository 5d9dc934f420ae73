"""Print one of the shell blocks of the README, so that CI runs what newcomers read."""

import re
import sys
from pathlib import Path

readme = Path(__file__).parent.parent.joinpath("README.md").read_text(encoding="utf-8")
blocks = re.findall(r"^```sh\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
print(blocks[int(sys.argv[1]) - 1])
