"""Prometheus itself reads what a running board tells, set up as the docs say."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.running import Running, Served, eventually, free_port

DOCS = Path(__file__).parents[2] / "docs" / "raspberry-pi.md"


def program(name: str) -> str:
    """Where Debian's package `prometheus` puts it."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} on this machine")
    return found


def documented(board: Served) -> str:
    """The settings for Prometheus that stand in the docs, with this board's address and key."""
    text = DOCS.read_text("utf-8")
    first = text.index("    scrape_configs:\n")
    lines = text[first : text.index("\n\n", first)].splitlines()
    settings = "\n".join(line.removeprefix("    ").partition("  #")[0] for line in lines)
    for said, meant in (("hexboard.local:8765", f"127.0.0.1:{board.port}"), ("…", board.token)):
        assert settings.count(said) == 1
        settings = settings.replace(said, meant)
    return settings


def queries() -> list[str]:
    """What the docs have people ask it."""
    return re.findall(r"`((?:rate|histogram_quantile)\([^`]*)`", DOCS.read_text("utf-8"))


@contextmanager
def prometheus(folder: Path, settings: str) -> Iterator[int]:
    """Its port, while it runs; it asks the board twice a second."""
    port = free_port()
    file = folder / "prometheus.yml"
    file.write_text(f"global: {{scrape_interval: 500ms}}\n{settings}\n", "utf-8")
    subprocess.run([program("promtool"), "check", "config", file], check=True, capture_output=True)
    listens = f"--web.listen-address=127.0.0.1:{port}"
    words = [program("prometheus"), f"--config.file={file}", listens]
    words.append(f"--storage.tsdb.path={folder}/tsdb")
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        process.kill()
        process.wait()


def asked(port: int, query: str) -> list[dict[str, Any]]:
    """Its answer to a question; none while it starts."""
    url = f"http://127.0.0.1:{port}/api/v1/query?{urlencode({'query': query})}"
    try:
        with urlopen(url, timeout=10) as answer:
            told = json.load(answer)
    except OSError:
        return []
    assert told["status"] == "success"
    found: list[dict[str, Any]] = told["data"]["result"]
    return found


@pytest.mark.long
def test_prometheus_reads_a_board_as_the_docs_have_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    board = Running(tmp_path / "state", "--simulate", "--port", "0", "--game", "hexalma", home=home)
    try:
        with prometheus(tmp_path, documented(board)) as port:
            about = eventually(lambda: asked(port, "hexboard_info"), every=0.2)
            labels = about[0]["metric"]
            assert (labels["job"], labels["game"]) == ("hexboard", "hexalma")
            assert asked(port, "up")[0]["value"][1] == "1"
            there = {it["metric"]["source"] for it in asked(port, "hexboard_source_up == 1")}
            assert "pico" in there
            assert len(queries()) == 2
            for query in queries():
                assert eventually(partial(asked, port, query), every=0.2), query
    finally:
        board.end()


@pytest.mark.long
def test_its_own_check_finds_nothing_wrong(tmp_path: Path) -> None:
    home = tmp_path / "home"
    board = Running(tmp_path / "state", "--simulate", "--port", "0", home=home)
    try:
        asks = Request(f"{board.origin}/metrics", headers={"Cookie": board.cookie})
        with urlopen(asks, timeout=30) as answer:
            text = answer.read()
    finally:
        board.end()
    check = [program("promtool"), "check", "metrics"]
    said = subprocess.run(check, input=text, check=False, capture_output=True)
    assert (said.returncode, said.stdout, said.stderr) == (0, b"", b"")
