"""What Prometheus has scraped."""

from __future__ import annotations

import json
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

ACCEPTED: Final = 'hamle_moves_total{result="accepted"}'

_TIMEOUT_S: Final = 10.0


class Prometheus:
    """The server on a port of loopback."""

    def __init__(self, port: int) -> None:
        self._api = f"http://127.0.0.1:{port}/api/v1/"
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def query(self, expression: str) -> dict[str, float]:
        """The present value for each instance, by the host's name; of a sum under an empty name."""
        return values(self._get("query?" + urllib.parse.urlencode({"query": expression})))

    def wait(self, expression: str, enough: Callable[[Mapping[str, float]], bool], within_s: float) -> dict[str, float]:
        """The values once they are enough, or those at the end of the time."""
        deadline = time.monotonic() + within_s
        while True:
            found = self.query(expression)
            if enough(found) or time.monotonic() > deadline:
                return found
            time.sleep(0.5)

    def down(self, roles: Iterable[str], within_s: float) -> list[str]:
        """Those of the roles whose pages it cannot read, waited for a while."""
        wanted = set(roles)
        up = self.wait("up", lambda found: {name for name, value in found.items() if value == 1} >= wanted, within_s)
        return sorted(name for name in wanted if up.get(name) != 1)

    def _get(self, path: str) -> Any:
        with self._opener.open(self._api + path, timeout=_TIMEOUT_S) as answer:
            return json.load(answer)


def values(answer: Mapping[str, Any]) -> dict[str, float]:
    """The values in the answer to an instant query, by the host of the instance. ValueError when it has failed."""
    if answer.get("status") != "success":
        raise ValueError(f"Prometheus refuses the query: {answer.get('error')}")
    result = answer["data"]["result"]
    return {each["metric"].get("instance", "").partition(":")[0]: float(each["value"][1]) for each in result}
