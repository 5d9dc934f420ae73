"""What razzstats is made of: what it imports and asks for, and what its wheel holds."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]

NOT_IMPORTED = {"tzdata": "zoneinfo looks into it where the system has no time zones"}
TOOLS = {
    "pytest-xdist", "ruff", "mypy", "import-linter", "pandas-stubs",
    "selenium-axe-python",  # a script in it is read, see tests/test_accessibility.py
}  # fmt: skip
"""What is not imported, but called by name by .ci/run, pytest or mypy."""
ONLY_IF_THERE = {
    "atheris": "fuzzing by hand, see tests/fuzz.py",
    "pyspark": "large; .ci/run installs it where there is Java",
}
BY_NAME = {"s3fs": "fsspec finds it by the beginning of an address"}


def is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imported(node: ast.AST, *, types: bool) -> Iterator[str]:
    """Yield the top names of all imports below; with ``types``, those for type checkers too."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.module, "an import relative to a package"
            yield child.module.partition(".")[0]
        elif types or not (isinstance(child, ast.stmt) and is_for_types(child)):
            yield from imported(child, types=types)


def imports_of(folder: str, *, types: bool) -> set[str]:
    """Return what the Python files below a folder import, but for Python's own and ours."""
    found: set[str] = set()
    ours = {"razzstats"}
    for path in sorted((ROOT / folder).rglob("*.py")):
        ours.add(path.stem)
        found |= {*imported(ast.parse(path.read_text(encoding="utf-8")), types=types)}
    return found - ours - sys.stdlib_module_names


def declared(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[\[>=<~!;]", requirement)[0]) for requirement in requirements}


def normal(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def distributions(modules: set[str]) -> set[str]:
    """Return the names under which modules are installed; a module's own if it is not there."""
    known = packages_distributions()
    return {normal(known.get(module, [module])[0]) for module in modules}


EXTRAS = PYPROJECT["project"]["optional-dependencies"]
DEPENDENCIES = declared(PYPROJECT["project"]["dependencies"])
CLUSTER = declared(EXTRAS["cluster"])


def test_every_dependency_is_used_when_the_package_runs() -> None:
    used = distributions(imports_of("razzstats", types=False))
    assert DEPENDENCIES - used == {*NOT_IMPORTED}
    assert CLUSTER - used == {*BY_NAME}


def test_nothing_is_imported_that_is_not_asked_for() -> None:
    assert distributions(imports_of("razzstats", types=True)) <= DEPENDENCIES | CLUSTER


def test_without_the_extra_only_clusters_and_object_stores_are_missing() -> None:
    known = packages_distributions()
    modules = {module for module, names in known.items() if {*map(normal, names)} & CLUSTER}
    code = f"""
import sys
sys.modules |= dict.fromkeys({sorted(modules)!r})  # as if nobody had installed them
from razzstats.cli.app import main
main()
"""
    for command, code_expected, said in (
        (["stats", "--list"], 0, ""),
        (["lake", "files", "hands", "--lake", "none"], 2, "there is no lake at"),
        (["lake", "import", ".", "--lake", "none"], 2, "pip install 'razzstats[cluster]'"),
        (["stats", "overview", "--db", "s3://a/b"], 2, "pip install 'razzstats[cluster]'"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, *command], capture_output=True, text=True, cwd=ROOT
        )
        assert done.returncode == code_expected, done.stderr
        assert said in done.stderr
        assert "Traceback" not in done.stderr


def test_the_tests_ask_for_what_they_use() -> None:
    asked = declared(EXTRAS["test"]) - {"razzstats"} | CLUSTER
    used = distributions(imports_of("tests", types=True) - {*ONLY_IF_THERE})
    assert used <= asked | DEPENDENCIES
    assert asked - used == TOOLS | {"distributed"}


def test_every_requirement_has_a_lower_bound_and_no_upper_one() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "lowest_versions.py"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert {normal(line.partition("==")[0]) for line in done.stdout.splitlines()} >= DEPENDENCIES


# ---- the wheel


def folder_of(package: str) -> Path:
    own = SETUPTOOLS["package-dir"].get(package)
    return ROOT / (own or package.replace(".", "/"))


def declared_files() -> dict[str, Path]:
    """Return the files that the wheel is to hold, by their names in it."""
    found: dict[str, Path] = {}
    for package in SETUPTOOLS["packages"]:
        for glob in ("*.py", *SETUPTOOLS["package-data"].get(package, [])):
            for path in folder_of(package).glob(glob):
                found[f"{package.replace('.', '/')}/{path.name}"] = path
    return found


def test_every_file_of_the_package_is_declared_and_every_declaration_is_of_a_file() -> None:
    present = {
        path
        for folder in ("razzstats", "grammars")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.parent.name != "__pycache__" and path.name[0] != "."
    }
    assert {*declared_files().values()} == present
    for package, globs in SETUPTOOLS["package-data"].items():
        for glob in globs:
            assert any(folder_of(package).glob(glob)), f"{package} has no {glob}"


def wheel_of(copy: Path, folder: Path) -> Path:
    """Build the wheel of a copy of the checkout; skip the test where no builder can be had."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(copy)],
        capture_output=True, text=True,
    )  # fmt: skip
    if "No matching distribution found for setuptools" in done.stderr:
        pytest.skip("pip cannot fetch setuptools, which builds the wheel")
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    """Neither tests, samples and notebooks nor what Python and others leave in folders."""
    left = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, tmp_path / "copy", ignore=left)
    for name in ("razzstats/notes.txt", "razzstats/cli/__pycache__/sql.pyc", "grammars/x.txt"):
        (tmp_path / "copy" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "copy" / name).write_text("left behind", encoding="utf-8")
    with zipfile.ZipFile(wheel_of(tmp_path / "copy", tmp_path / "wheel")) as wheel:
        held = {*wheel.namelist()}
    about = f"razzstats-{PYPROJECT['project']['version']}.dist-info"
    described = {
        f"{about}/{name}"
        for name in (
            "METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt",
        )
    }  # fmt: skip
    assert held == {*declared_files()} | described
