"""What the game is, and its sentences."""

from __future__ import annotations

from engines.kit.game import GameInfo, OptionSpec

ENGLISH = {
    "staked": "Seat {seat} has staked a card",
    "stake_is": "Your stake is {card}",
    "began": "All have staked; seat {seat} begins",
    "laid": "Seat {seat} laid a card in slot {slot}",
    "laid_card": "You laid {card} in slot {slot}",
    "drew": "Seat {seat} drew a card",
    "drew_card": "You drew {card}",
    "peeked": "Seat {seat} looked at slot {slot} of seat {target}",
    "saw": "Slot {slot} of seat {target} holds {card}",
    "called": "Seat {seat} asks seat {target} for {suit}",
    "showed": "Seat {seat} showed {card} from slot {slot}",
    "passed": "Seat {seat} shows nothing",
    "swapped": "Seat {seat} threw {card} away for a new card",
    "turn": "Round {round}: seat {seat} is on turn",
    "left": "Seat {seat} is out; its cards lie open: {cards}",
    "scored": "Seat {seat} has {score} points",
    "reckoned": "The cellars are counted",
    "abandoned": "Nobody else is left",
}

TURKISH = {
    "staked": "{seat}. oyuncu bir kart koydu",
    "stake_is": "Koyduğun kart {card}",
    "began": "Herkes kartını koydu; {seat}. oyuncu başlıyor",
    "laid": "{seat}. oyuncu {slot}. göze bir kart yatırdı",
    "laid_card": "{slot}. göze {card} yatırdın",
    "drew": "{seat}. oyuncu bir kart çekti",
    "drew_card": "{card} çektin",
    "peeked": "{seat}. oyuncu, {target}. oyuncunun {slot}. gözüne baktı",
    "saw": "{target}. oyuncunun {slot}. gözünde {card} var",
    "called": "{seat}. oyuncu, {target}. oyuncudan {suit} istiyor",
    "showed": "{seat}. oyuncu {slot}. gözünden {card} gösterdi",
    "passed": "{seat}. oyuncu bir şey göstermiyor",
    "swapped": "{seat}. oyuncu {card} kartını atıp yenisini aldı",
    "turn": "{round}. tur: sıra {seat}. oyuncuda",
    "left": "{seat}. oyuncu ayrıldı; kartları açık: {cards}",
    "scored": "{seat}. oyuncunun {score} puanı var",
    "reckoned": "Mahzenler sayıldı",
    "abandoned": "Başka kimse kalmadı",
}

INFO = GameInfo(
    game="cellar",
    title="The Cellar",
    rules="cellar/1",
    min_seats=2,
    max_seats=4,
    options=(
        OptionSpec("rounds", "How many turns each seat has.", ("3", "1", "5")),
        OptionSpec("reaction_ms", "Milliseconds to answer when asked for a suit; 0: no limit.", ("0", "5000")),
    ),
    has_secrets=True,
    catalogues={"en": ENGLISH, "tr": TURKISH},
)
