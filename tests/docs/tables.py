"""Tables of the pages that follow from the code: `python -m tests.docs.tables` writes them anew.

A table stands between `<!-- table: NAME -->` and `<!-- /table -->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, MaxLen, MinLen
from prometheus_client.core import Metric
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from core.settings import Settings, variable
from core.telemetry.metrics import REGISTRY
from engines.kit.host.settings import EngineSettings
from services.gateway.settings import GatewaySettings
from tests.docs.blocks import pages

_TABLE: Final = re.compile(r"(<!-- table: (\S+) -->\n)(.*?)(<!-- /table -->)", re.DOTALL)
COMMAND: Final = "python -m tests.docs.tables"


def settings(kind: type[Settings]) -> Iterable[Sequence[str]]:
    """Every setting that the class adds to those that it inherits."""
    yield ("variable", "values", "default", "what")
    inherited: set[str] = {name for base in kind.__bases__ for name in getattr(base, "model_fields", ())}
    for name, field in kind.model_fields.items():
        if name not in inherited:
            yield (f"`{variable(name)}`", _values(field), _default(field), field.description or "")


def _values(field: FieldInfo) -> str:
    kind: Any = field.annotation
    kinds = [each for each in get_args(kind) if each is not type(None)] if get_origin(kind) is not Literal else [kind]
    kind = kinds[0] if kinds else kind
    if get_origin(kind) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(kind))
    name = {str: "text", SecretStr: "secret", Path: "file", bool: "`true`, `false`", int: "whole number"}.get(kind)
    return ", ".join([name or "number", *_bounds(field.metadata)])


def _bounds(metadata: Sequence[object]) -> Iterable[str]:
    least = next((f"{rule.ge:,}" for rule in metadata if isinstance(rule, Ge)), "")
    most = any(isinstance(rule, Le) for rule in metadata)
    for rule in metadata:
        match rule:
            case Ge(ge=bound) if not most:
                yield f"at least {bound:,}"
            case Gt(gt=bound):
                yield f"above {bound:,}"
            case Le(le=bound):
                yield f"{least} to {bound:,.0f}" if least else f"at most {bound:,.0f}"
            case MaxLen(max_length=bound):
                yield f"at most {bound:,} characters"
            case MinLen():
                yield "not empty"
            case Ge():
                pass
            case _:
                raise TypeError(f"no words for the rule {rule!r}")


def _default(field: FieldInfo) -> str:
    value = field.default.get_secret_value() if isinstance(field.default, SecretStr) else field.default
    if value is None or value == "":
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def metrics() -> Iterable[Sequence[str]]:
    """Every metric of the project's own."""
    yield ("metric", "labels", "what")
    for metric, labels in sorted(_described(), key=lambda found: str(found[0].name)):
        if metric.name.startswith("hamle_"):
            suffix = "_total" if metric.type == "counter" else ""
            named = ", ".join(f"`{label}`" for label in labels)
            yield (f"`{metric.name}{suffix}` ({metric.type})", named, metric.documentation)


def _described() -> Iterable[tuple[Metric, Sequence[str]]]:
    for collector in list(REGISTRY._collector_to_names):
        for metric in getattr(collector, "describe", collector.collect)():
            labels: Sequence[str] = getattr(metric, "_labelnames", ()) or getattr(collector, "_labelnames", ())
            yield metric, labels


TABLES: Final[Mapping[str, Callable[[], Iterable[Sequence[str]]]]] = {
    "settings": lambda: settings(Settings),
    "gateway-settings": lambda: settings(GatewaySettings),
    "engine-settings": lambda: settings(EngineSettings),
    "metrics": metrics,
}


def rendered(name: str) -> str:
    """A table as Markdown."""
    head, *rows = TABLES[name]()
    return "".join(map(_line, [head, ["---"] * len(head), *rows]))


def _line(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |\n"


def with_tables(text: str) -> str:
    """A page with its tables as the code has them now."""
    return _TABLE.sub(lambda found: f"{found[1]}{rendered(found[2])}{found[4]}", text)


def main() -> int:
    """The command; returns its exit code."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if (now := with_tables(text)) != text:
            page.write_text(now, encoding="utf-8")
            print(f"wrote {page.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
