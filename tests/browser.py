"""Chromium at one page, for the tests that look at one as a person does.

Debian's packages chromium and chromium-driver are needed; with RAZZSTATS_BROWSER set their absence
fails the tests instead of skipping them.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage",
)  # fmt: skip
WIDTHS = (390, 1280)
"""Pixels of a telephone and of a desk."""
SCHEMES = ("light", "dark")
_PATIENCE = 60  # seconds; the machine may be busy with other tests


def unavailable(reason: str) -> NoReturn:
    if os.environ.get("RAZZSTATS_BROWSER"):
        pytest.fail(f"RAZZSTATS_BROWSER is set, but {reason}")
    pytest.skip(reason)


class Browser:
    """Chromium at one page: what it shows, and what it said and asked for meanwhile."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def command(self, name: str, **parameters: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, parameters)

    def open(self, page: Path, width: int = 1280, scheme: str = "light", anchor: str = "") -> None:
        """Load the page afresh and wait for its charts, if it has any."""
        self.resize(width)
        self.prefer(scheme)
        self.driver.get("about:blank")
        self.messages()
        self.requests()
        self.driver.get(page.as_uri() + (f"#{anchor}" if anchor else ""))
        self.wait(
            "return !document.getElementById('charts')"
            " || document.documentElement.dataset.charts === 'drawn'"
        )

    def resize(self, width: int) -> None:
        phone = width < 500
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=800,
                     deviceScaleFactor=1, mobile=phone)  # fmt: skip
        self.command("Emulation.setTouchEmulationEnabled", enabled=phone)

    def prefer(self, scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.command("Emulation.setEmulatedMedia", features=features)

    def wait(self, condition: str) -> None:
        from selenium.webdriver.support.wait import WebDriverWait

        waiting = WebDriverWait(self.driver, _PATIENCE, poll_frequency=0.05)
        waiting.until(lambda driver: driver.execute_script(condition))

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def click(self, selector: str) -> None:
        """Click what a person would, wherever on the page it stands."""
        element = self.find(selector)
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        element.click()

    def press(self, key: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        ActionChains(self.driver).send_keys(getattr(Keys, key.upper())).perform()

    def press_until_focused(self, key: str, element: Any, most: int = 3) -> None:
        """Press a key until it has brought the focus to an element."""
        for _ in range(most):
            self.press(key)
            if self.run("return document.activeElement === arguments[0]", element):
                return
        pytest.fail(f"{most} times {key} did not bring the focus there")

    def messages(self) -> list[str]:
        """What the console got since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """What was asked for since the last time, but for what the page carries in itself."""
        events = [json.loads(entry["message"]) for entry in self.driver.get_log("performance")]
        asked = (
            event["message"]["params"]["request"]["url"]
            for event in events
            if event["message"]["method"] == "Network.requestWillBeSent"
        )
        return [url for url in asked if not url.startswith("data:")]

    def scrolls_sideways(self) -> bool:
        """Whether the page is wider than what is shown of it."""
        root = "document.documentElement"
        shown, wide = self.run(f"return [{root}.clientWidth, {root}.scrollWidth]")
        return bool(wide > shown)


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """Open a browser, with a new profile in a folder; skip the test where there is none."""
    program, driver_file = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver_file is None:
        unavailable("chromium and chromedriver are not installed")
    try:
        from selenium import webdriver
    except ImportError:
        unavailable("selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=driver_file)
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(5 * _PATIENCE)
    try:
        yield Browser(driver)
    finally:
        driver.quit()
