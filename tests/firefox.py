"""The system's Firefox, driven by WebDriver BiDi: as much of the protocol as the tests need.

Playwright drives only a Firefox that it has patched itself; Debian's speaks the standard's protocol over a socket.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 180.0  # seconds
ENTER = "\ue007"
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
MISSING = "the page is tested with the system's Firefox, too: make firefox (Debian: the package firefox-esr)"


class Firefox:
    """One tab of a running Firefox."""

    def __init__(self, line: ClientConnection) -> None:
        self.line, self._numbers = line, count(1)
        self.wrong: list[str] = []  # errors of the page and its console
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.tab: str = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **params: Any) -> Any:
        """The answer to a command; what the browser tells by itself meanwhile is noted."""
        number = next(self._numbers)
        self.line.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(self.line.recv(timeout=PATIENCE))
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.wrong.append(str(told["params"].get("text")))
            if told.get("id") == number:
                assert told["type"] == "success", told
                return told["result"]

    def open(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def reload(self) -> None:
        self.ask("browsingContext.reload", context=self.tab, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, a promise's when it is kept: a text, a number, a truth or nothing."""
        told = self.ask("script.evaluate", expression=expression, target={"context": self.tab}, awaitPromise=True)
        assert told["type"] == "success", told["exceptionDetails"]["text"]
        return told["result"].get("value")

    def until(self, expression: str) -> Any:
        """The expression's value as soon as it is a true one."""
        look = f"const found = {expression}; if (found) done(found); else setTimeout(look, 30);"
        return self.evaluate(f"new Promise((done) => {{ const look = () => {{ {look} }}; look(); }})")

    def click(self, element: str) -> None:
        """Press the mouse's button in the middle of what the expression names, once it is there."""
        found = f"(({element})?.scrollIntoView({{block: 'center'}}), ({element})?.getBoundingClientRect())"
        at = f"((box) => box && box.width && `${{box.x + box.width / 2}} ${{box.y + box.height / 2}}`)({found})"
        x, y = (round(float(part)) for part in self.until(at).split())
        button = {"button": 0}
        does = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", **button},
            {"type": "pointerUp", **button},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": does}
        self.ask("input.performActions", context=self.tab, actions=[mouse])

    def press(self, *keys: str) -> None:
        does = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("input.performActions", context=self.tab, actions=[{"type": "key", "id": "keys", "actions": does}])


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Firefox without a window, with a profile of its own."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    assert found, MISSING
    profile.mkdir()
    (profile / "user.js").write_text('user_pref("ui.prefersReducedMotion", 1);\n')
    command = [found, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        address = next((told[1] for text in process.stderr if (told := LISTENING.search(text))), None)
        assert address, f"{found} ended before it listened"
        threading.Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop it
        with connect(f"{address}/session", proxy=None, open_timeout=PATIENCE, max_size=None) as line:
            yield Firefox(line)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        if process.stderr:
            process.stderr.close()
