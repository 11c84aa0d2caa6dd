"""Find the directions in which languages differ: `python -m scripts.embedding.language_directions LOCALES...`.

Each LOCALES folder holds translations of the same messages, as gettext catalogues in `<language>/LC_MESSAGES/*.mo`
(made with the catalogues of Django 5.2, BSD licence: `django/conf/locale` and `django/contrib/*/locale`). The means
over the same messages in each language differ by language alone; their principal directions are what is kept.
"""

import argparse
import gettext
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import numpy.typing as npt
from benchmarks.embedding.engines import NAMES, Engine, encoded, open_tokenizer

from minirag_mcp.embed.languages import DIRECTIONS
from minirag_mcp.embed.weights_file import BUNDLED

KEPT = 16
MESSAGES = 120
FEWEST_MESSAGES = 60
FEWEST_WORDS = 5
LONGEST = 200
PLACEHOLDER = re.compile(r"%\(?\w*\)?[sd]|</?\w+[^>]*>|&\w+;")


def main() -> None:
    """Read, embed, decompose, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("locales", nargs="+", type=Path)
    parser.add_argument("--cache", type=Path, required=True, help="where the weights may be written")
    parser.add_argument("--output", type=Path, default=BUNDLED / DIRECTIONS)
    arguments = parser.parse_args()
    texts = parallel(arguments.locales)
    engine, tokenizer = Engine(NAMES[0], arguments.cache, sessions=2), open_tokenizer()
    means = np.stack([engine.run_all(encoded(tokenizer, part, "passage: ")).mean(0) for part in texts.values()])
    np.save(arguments.output, directions(means, KEPT))
    print(f"{len(texts)} languages, {sum(map(len, texts.values()))} messages, {KEPT} directions")


def directions(means: npt.NDArray[np.float32], kept: int) -> npt.NDArray[np.float32]:
    """The first principal directions of the means: `float32[kept, d]`, orthonormal rows."""
    _, _, rows = np.linalg.svd((means - means.mean(0)).astype(np.float64), full_matrices=False)
    return rows[:kept].astype(np.float32)


def parallel(locales: list[Path]) -> dict[str, list[str]]:
    """By language, the translations of the messages that most languages have; English is the messages themselves."""
    catalogues: dict[str, dict[str, str]] = defaultdict(dict)
    for path in sorted(path for folder in locales for path in folder.glob("*/LC_MESSAGES/django.mo")):
        catalogues[path.parts[-3]].update(messages(path))
    spread: dict[str, int] = defaultdict(int)
    for catalogue in catalogues.values():
        for message in catalogue:
            spread[message] += 1
    wanted = [message for message in spread if len(message.split()) >= FEWEST_WORDS and len(message) < LONGEST]
    wanted = sorted((message for message in wanted if "\n" not in message), key=lambda text: (-spread[text], text))
    wanted = wanted[:MESSAGES]
    found = {name: [known[text] for text in wanted if text in known] for name, known in sorted(catalogues.items())}
    found["en"] = wanted
    kept = {name: texts for name, texts in found.items() if len(texts) >= FEWEST_MESSAGES}
    return {name: [PLACEHOLDER.sub("X", text) for text in texts] for name, texts in kept.items()}


def messages(path: Path) -> dict[str, str]:
    """The plain messages of a catalogue with their translations."""
    with path.open("rb") as file:
        entries = vars(gettext.GNUTranslations(file))["_catalog"]
    return {text: said for text, said in entries.items() if isinstance(text, str) and text and said}


if __name__ == "__main__":
    main()
