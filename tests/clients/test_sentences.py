from __future__ import annotations

from hamle.match.v1 import match_pb2
from hamle_client.sentences import sentence, tell

from engines.battleline import GAME as BATTLE_LINE
from engines.kit.host.describe import info_proto

INFO = match_pb2.GameInfo(
    catalogues=[
        match_pb2.Catalogue(language="en", sentences={"captured": "captured {field}", "only_english": "in English"}),
        match_pb2.Catalogue(language="tr", sentences={"captured": "{field} alındı", "label.wedge": "elmas"}),
    ]
)


def test_a_sentence_is_told_in_the_language_asked_for() -> None:
    assert sentence(INFO, "captured", {"field": "c3f"}, "tr") == "c3f alındı"
    assert sentence(INFO, "captured", {"field": "c3f"}, "tr-TR") == "c3f alındı"


def test_a_value_that_the_language_has_a_word_for_is_shown_by_it() -> None:
    assert sentence(INFO, "captured", {"field": "wedge"}, "tr") == "elmas alındı"
    assert sentence(INFO, "captured", {"field": "wedge"}, "en") == "captured wedge"


def test_what_a_language_lacks_is_told_in_english_and_else_by_its_key() -> None:
    assert sentence(INFO, "only_english", {}, "tr") == "in English"
    assert sentence(INFO, "not_there", {"a": "b"}, "tr") == "not there a b"
    assert sentence(INFO, "captured", {}, "en") == "captured {field}"


def test_battle_line_tells_its_cards_and_formations_in_turkish() -> None:
    info = info_proto(BATTLE_LINE.info, ["battleline/1"], "hamle.battleline.v1.View")
    found = next(c for c in info.catalogues if c.language == "tr").sentences
    kind, text = next((k, t) for k, t in found.items() if "{" in t and not k.startswith("label."))
    name = text.split("{")[1].split("}")[0]
    assert "elmas" in tell(info, match_pb2.Fact(kind=kind, parameters={name: "wedge"}), "tr")
