"""A lake in an object store: a server of S3's kind on this machine, with moto inside."""

import json
import shutil
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import fsspec
import pytest
import s3fs.core
from cli import hand, razzstats, shell, write
from hands import SAMPLES
from lake_scenes import Tables, in_a_database, in_the_lake, messy_files
from lakes import Inline
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from razzstats.errors import DamagedDatabase, DatabaseError, RazzstatsError
from razzstats.lake.importing import import_to_lake
from razzstats.lake.listing import lake_files
from razzstats.storage import Database
from razzstats.storage.database import TABLES_OF_HANDS
from razzstats.storage.lake.files import LakeFiles, files_at, url_of
from razzstats.storage.lake.manifest import Entry, Manifest
from razzstats.storage.opening import connect_memory, quoted

SESSION = SAMPLES / "pokerstars" / "cash-1-2-six-handed.txt"


NO_KEYS = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}
AWAY = {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}  # where nobody is at home


class _Silent(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:
        pass


class Store(NamedTuple):
    """A running server."""

    server: BaseWSGIServer
    thread: threading.Thread

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    def ask_for_keys(self, wanted: bool) -> None:
        """Let the server look at keys from now on, or let everybody in again."""
        count = b"0" if wanted else b"Infinity"
        kind = {"Content-Type": "text/plain"}
        urlopen(Request(f"{self.url}/moto-api/reset-auth", count, kind, method="POST")).close()

    def forget_all(self) -> None:
        """Begin anew: moto keeps in this process what an earlier server held."""
        urlopen(Request(f"{self.url}/moto-api/reset", method="POST")).close()

    def stop(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def started() -> Store:
    # One request at a time: moto looks whether a file is there, and then writes it.
    application = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, application, threaded=False, request_handler=_Silent)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    return Store(server, thread)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with a bucket, which all commands find in their environment."""
    running = started()
    nothing = str(tmp_path_factory.mktemp("aws") / "none")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3"):
            patch.delenv(name, raising=False)
        patch.setenv("AWS_CONFIG_FILE", nothing)
        patch.setenv("AWS_SHARED_CREDENTIALS_FILE", nothing)
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        patch.setenv("AWS_ENDPOINT_URL", running.url)
        patch.setenv("AWS_ACCESS_KEY_ID", "somebody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
        s3fs.S3FileSystem.clear_instance_cache()
        running.forget_all()
        fsspec.filesystem("s3").mkdir("bucket")
        yield running
        s3fs.S3FileSystem.clear_instance_cache()
    running.stop()


@pytest.fixture
def place(store: Store, request: pytest.FixtureRequest) -> str:
    """Where the lake of a test is."""
    name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)
    return f"s3://bucket/{name}"


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("histories")
    messy_files(folder)
    shutil.copy(SESSION, folder / "k.txt")
    return folder


@pytest.fixture(scope="module")
def expected(histories: Path) -> Tables:
    return in_a_database(histories)


@pytest.fixture(scope="module")
def database(histories: Path) -> Path:
    path = histories.with_name("hands.duckdb")
    assert razzstats("import", histories, "--db", path).code == 1  # two files have no hand
    return path


@pytest.fixture(scope="module")
def imported(store: Store, histories: Path) -> str:
    """A lake in the store, which the command has imported."""
    lake = "s3://bucket/commanded"
    run = razzstats("lake", "import", histories, "--lake", lake, "--jobs", "2", "--format", "json")
    assert (run.code, "Traceback" in run.err) == (1, False)
    assert json.loads(run.out)["stored"] == 48 + 75
    return lake


# ---- the commands


def test_the_command_imports_what_a_database_has_and_another_import_adds_nothing(
    imported: str, histories: Path, expected: Tables
) -> None:
    reports = import_to_lake([str(histories)], files_at(imported), Inline(), ahead=2)
    assert sum(report.stored for report in reports) == 0
    assert in_the_lake(Path(imported)) == expected


@pytest.mark.parametrize(
    "question",
    [
        ("stats", "door-cards", "--format", "json"),
        ("leaks", "--format", "json"),
        ("report",),
        ("sql", "FROM hands SELECT count(*), sum(pot), max(site)", "--format", "csv"),
        ("rejected", "list", "--format", "json"),
    ],
    ids=lambda question: question[0],
)
def test_questions_are_answered_as_by_a_database(
    question: tuple[str, ...], imported: str, database: Path
) -> None:
    asked = razzstats(*question, "--db", database)
    assert asked.code == 0
    assert asked.out
    run = razzstats(*question, "--db", imported)
    assert (run.code, run.err.replace(imported, "")) == (0, asked.err.replace(str(database), ""))
    assert run.out.replace(imported, "") == asked.out.replace(str(database), "")


def test_the_environment_can_name_a_lake_in_a_store(imported: str) -> None:
    run = razzstats("sql", "FROM hands SELECT count(*)", variables={"RAZZSTATS_DB": imported})
    assert (run.code, "123" in run.out) == (0, True)


def test_nothing_but_the_lake_is_reached(imported: str, store: Store) -> None:
    fsspec.filesystem("s3").pipe_file("bucket/secret.csv", b"a\n1\n")
    with Database.open(Path(imported), read_only=True) as lake:
        for name in ("bucket/secret.csv", "bucket/commanded/lake.json", "bucket/commanded2/x"):
            with pytest.raises(Exception, match="file system operations are disabled"):
                lake.rows(f"FROM read_csv('s3://{name}')")


# ---- several at once


def test_two_imports_at_once_store_each_hand_once(place: str, tmp_path: Path) -> None:
    hands = [hand(number) for number in range(1, 9)]
    write(tmp_path, a="".join(hands[:4]), b="".join(hands[2:6]), c="".join(hands[5:]))
    paths = [str(tmp_path / f"{name}.txt") for name in "abc"]

    def run(order: int) -> int:
        reports = import_to_lake(paths[::order], files_at(place), Inline(), ahead=2)
        return sum(report.stored for report in reports)

    with ThreadPoolExecutor(2) as pool:
        stored = [*pool.map(run, (1, -1))]
    assert sum(stored) == len(hands)
    tables, expected = in_the_lake(Path(place)), in_a_database(tmp_path)
    for table in {*TABLES_OF_HANDS} - {"hands"}:  # which file each is from is as it happened
        assert tables[table] == expected[table]
    assert len(tables["hands"]) == len(hands)


def test_of_writers_at_once_each_has_entries_of_his_own(place: str) -> None:
    Manifest.make(files_at(place))

    def write(writer: int) -> None:
        manifest = Manifest(files_at(place))
        for number in range(5):
            manifest.commit(lambda state, number=number: Entry(removed=[f"{writer}/{number}"]))  # type: ignore[misc]

    with ThreadPoolExecutor(3) as pool:
        assert [*pool.map(write, range(3))] == [None] * 3
    files = files_at(place)
    assert Manifest(files).state().number == 15
    entries = [files.read(name) for name in files.names("_log")]
    removed = [key for entry in entries if entry for key in json.loads(entry)["removed"]]
    assert sorted(removed) == [f"{writer}/{number}" for writer in range(3) for number in range(5)]


# ---- files


@pytest.fixture
def files(place: str) -> LakeFiles:
    return files_at(place)


@pytest.fixture
def system(files: LakeFiles) -> Any:
    """What the files are written through."""
    return vars(files)["_system"]


def test_a_file_is_made_where_none_is(files: LakeFiles) -> None:
    assert files.create("_log/1", b"one")
    assert not files.create("_log/1", b"another")
    assert files.read("_log/1") == b"one"
    files.write("_log/1", b"a new one")
    assert files.read("_log/1") == b"a new one"


def test_a_file_that_was_put_there_before_the_answer_was_lost_is_ones_own(
    files: LakeFiles, system: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = system.pipe_file

    def put_twice(*arguments: Any, **options: Any) -> Any:
        put(*arguments, **options)
        return put(*arguments, **options)

    monkeypatch.setattr(system, "pipe_file", put_twice)
    assert files.create("_log/1", b"one")
    assert not files.create("_log/1", b"another")


@pytest.mark.parametrize("code", ["PreconditionFailed", "ConditionalRequestConflict"])
def test_a_file_that_another_is_putting_there_is_his(
    files: LakeFiles, system: Any, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: Any, **options: Any) -> None:
        answer: Any = {"Error": {"Code": code, "Message": "no"}}
        raise s3fs.core.translate_boto_error(s3fs.core.ClientError(answer, "PutObject"))

    monkeypatch.setattr(system, "pipe_file", refuse)
    assert not files.create("_log/1", b"one")


def test_a_store_that_overwrites_what_it_must_not_is_refused(
    files: LakeFiles, system: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = system.pipe_file

    def overwrite(path: str, value: bytes, mode: str) -> Any:
        return put(path, value, mode="overwrite")

    monkeypatch.setattr(system, "pipe_file", overwrite)
    with pytest.raises(DatabaseError, match="one would undo the other"):
        files.create("_log/1", b"one")


def test_files_are_listed_dated_and_removed(files: LakeFiles, tmp_path: Path) -> None:
    neighbour = files_at(f"{files.place}2")
    neighbour.write("tables/hands/other", b"x")
    (tmp_path / "file").write_bytes(b"rows")
    files.put(tmp_path / "file", "tables/hands/a=1/b.parquet")
    files.write("lake.json", b"{}")
    assert files.names("") == ["lake.json", "tables/hands/a=1/b.parquet"]
    assert files.names("tables") == ["tables/hands/a=1/b.parquet"]
    assert files.names("none") == []
    assert 0 <= files.age("lake.json") + 2 < 60  # moto has whole seconds
    files.remove("lake.json")
    files.remove("lake.json")
    assert (files.read("lake.json"), files.age("lake.json")) == (None, 0.0)
    assert fsspec.filesystem("s3").cat_file(files.path("tables/hands/a=1/b.parquet")) == b"rows"


def test_a_question_fetches_what_it_needs(
    files: LakeFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "wide.parquet"
    with Database.in_memory((str(tmp_path),)) as database:
        columns = ", ".join(f"hash(range + {number}) AS c{number}" for number in range(8))
        database.rows(f"COPY (SELECT {columns} FROM range(60_000)) TO '{made}' (FORMAT parquet)")
    files.put(made, "tables/wide.parquet")
    fetched = 0
    fetch = s3fs.core.S3File._fetch_range

    def count(self: Any, start: int, end: int) -> Any:
        nonlocal fetched
        fetched += end - start
        return fetch(self, start, end)

    monkeypatch.setattr(s3fs.core.S3File, "_fetch_range", count)
    with Database.in_memory((files.path("tables"),), files.filesystem) as database:
        database.rows(f"SELECT max(c3) FROM read_parquet('{files.path('tables/wide.parquet')}')")
    assert 0 < fetched < made.stat().st_size / 3


@pytest.mark.parametrize(
    "name", ["it's", "a b", "ü 日", "50%", "a#b", "site=x", "a{b}", "month=1/x"]
)
@pytest.mark.parametrize("above", ["s3://bucket/named", "s3a://bucket/other", "memory://lakes"])
def test_a_lake_may_have_any_name(above: str, name: str, store: Store) -> None:
    lake = f"{above}/{name}"
    files = files_at(lake)
    assert files.create("tables/file.txt", b"text")
    path = files.path("tables/file.txt")
    with connect_memory((files.path("tables"),), files.filesystem) as connection:
        reading = f"SELECT filename, content FROM read_text({quoted(path)})"
        assert connection.execute(reading).fetchall() == [(path, "text")]
    assert files.names("") == ["tables/file.txt"]


# ---- what goes wrong


@pytest.mark.parametrize(
    ("lake", "says"),
    [
        ("s3:///", "s3:/// is no place for a lake; name one like s3://bucket/name"),
        ("s3://bucket/a*", "s3://bucket/a* is no place for a lake"),
        ("s3://bucket/a[1]", "s3://bucket/a[1] is no place for a lake"),
        ("file:///tmp/lake", "name a folder by its path alone"),
        ("nowhere://bucket/lake", "nowhere://bucket/lake cannot be opened"),
    ],
)
def test_what_is_no_place_for_a_lake_is_told(lake: str, says: str) -> None:
    run = razzstats("lake", "files", "hands", "--lake", lake)
    assert (run.code, run.out) == (2, "")
    assert says in run.sentence
    with pytest.raises(RazzstatsError, match="no place for a lake"):
        files_at("lakes/a?b")


def test_an_address_needs_packages_that_a_folder_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.delitem(sys.modules, "razzstats.storage.lake.stores", raising=False)
    with pytest.raises(RazzstatsError, match=r"pip install 'razzstats\[cluster\]'"):
        files_at("s3://bucket/lake")
    assert files_at(tmp_path / "lake").read("lake.json") is None


def test_an_address_is_read_with_one_slash_and_with_two() -> None:
    assert url_of("s3://bucket/lake") == url_of(Path("s3://bucket/lake")) == "s3://bucket/lake"
    assert [url_of(place) for place in ("lake", "/data/lake", "C:/lake", "a:b")] == [None] * 4


def test_a_lake_that_is_not_there_is_told(store: Store) -> None:
    run = razzstats("stats", "overview", "--db", "s3://bucket/none")
    assert run.code == 2
    assert "razzstats: there is no lake at s3://bucket/none" in run.sentence


@pytest.mark.parametrize(
    ("command", "changes", "lake", "says"),
    [
        ("stats overview --db", {}, "s3://nobody/lake", "The specified bucket does not exist"),
        ("lake import . --lake", {}, "s3://nobody/lake", "The specified bucket does not exist"),
        ("report --db", NO_KEYS, "s3://bucket/lake", "Unable to locate credentials"),
        ("lake files hands --lake", AWAY, "s3://bucket/lake", "Could not connect"),
    ],
)
def test_a_store_that_cannot_be_used_is_told_in_a_sentence(
    store: Store, tmp_path: Path, command: str, changes: dict[str, str], lake: str, says: str
) -> None:
    variables = {"AWS_MAX_ATTEMPTS": "1"} | changes
    run = shell(f"razzstats {command} '{lake}'", tmp_path, **variables)
    assert run.code == 3
    assert says in run.sentence
    assert len(run.err.splitlines()) == 1


def test_wrong_keys_are_told_in_a_sentence(imported: str, store: Store, tmp_path: Path) -> None:
    store.ask_for_keys(True)
    try:
        run = shell(f"razzstats stats overview --db {imported}", tmp_path)
    finally:
        store.ask_for_keys(False)
    assert (run.code, len(run.err.splitlines())) == (3, 1)
    assert f"the lake {imported} cannot be used" in run.err


@pytest.mark.slow
def test_a_store_that_is_away_is_not_waited_for_long(store: Store, tmp_path: Path) -> None:
    # As it is where nobody says how often it is tried; the time limit is that of `shell`.
    run = shell("time -p razzstats stats overview --db s3://bucket/lake", tmp_path, **AWAY)
    assert run.code == 3
    assert float(run.err.split("real ")[1].split()[0]) < 60


def test_a_data_file_that_is_gone_or_cut_is_told(place: str) -> None:
    import_to_lake([str(SESSION)], files_at(place), Inline(), ahead=2)
    system = fsspec.filesystem("s3")
    (name,) = lake_files(place, "actions")
    whole = system.cat_file(name)
    for content in (None, whole[: len(whole) // 2]):
        with Database.open(Path(place), read_only=True) as lake:
            system.rm_file(name) if content is None else system.pipe_file(name, content)
            with pytest.raises(DamagedDatabase, match="`razzstats doctor` names what") as told:
                lake.rows("SELECT sum(amount) FROM actions")
        assert "Traceback" not in str(told.value)
        system.pipe_file(name, whole)
    with Database.open(Path(place), read_only=True) as lake:
        assert lake.rows("SELECT count(*) > 400 FROM actions") == [(True,)]


def test_a_store_that_goes_away_during_a_question_is_told(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaving = started()
    monkeypatch.setenv("AWS_ENDPOINT_URL", leaving.url)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    s3fs.S3FileSystem.clear_instance_cache()
    try:
        fsspec.filesystem("s3").mkdirs("bucket", exist_ok=True)
        import_to_lake([str(SESSION)], files_at("s3://bucket/leaving"), Inline(), ahead=2)
        with Database.open(Path("s3://bucket/leaving"), read_only=True) as lake:
            assert lake.rows("SELECT count(*) FROM hands") == [(75,)]
            leaving.stop()
            with pytest.raises(DatabaseError, match="Could not connect") as told:
                lake.rows("SELECT sum(net) FROM hand_players")
        assert "Traceback" not in str(told.value)
        assert "\n" not in str(told.value)
        with pytest.raises(DatabaseError, match="Could not connect"):
            import_to_lake([str(SESSION)], files_at("s3://bucket/leaving"), Inline(), ahead=2)
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
