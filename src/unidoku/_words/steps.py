"""The steps of the scale: a table of techniques, and a table of usual names of steps.

The order is the order of the codes of native code (``_native/rating/codes.pxd``); 0 is neither a technique nor
a name.
"""

from __future__ import annotations

from typing import NamedTuple


class Technique(NamedTuple):
    """A technique: its family, and the lowest rating of its steps."""

    name: str
    family: str
    lowest: float

    @property
    def spoken(self) -> str:
        """The technique in a sentence."""
        return self.name.replace("(+", "plus").replace(")", "")


class Name(NamedTuple):
    """A usual name of a step, as in a sentence: its ratings, the techniques of such steps, and other words.

    A word in several rows means all of them.
    """

    spoken: str
    lowest: float
    highest: float
    techniques: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def title(self) -> str:
        """The name by itself, such as ``Hidden Single``."""
        words = self.spoken.replace("(", "( ").split(" ")
        return " ".join(word[:1].upper() + word[1:] for word in words).replace("( ", "(")


def _rows(table: str) -> list[list[str]]:
    """Return the fields of the lines of a table."""
    return [[*map(str.strip, line.split("|"))] for line in table.strip().split("\n")]


def _list(field: str) -> tuple[str, ...]:
    if field:
        return tuple(field.split(", "))
    return ()


TECHNIQUES = tuple(
    Technique(name, family, float(lowest))
    for name, family, lowest in _rows("""
hidden single                                      | hidden single       |  1.0
direct pointing                                    | direct intersection |  1.7
direct claiming                                    | direct intersection |  1.9
direct hidden pair                                 | direct hidden       |  2.0
naked single                                       | naked single        |  2.3
direct hidden triplet                              | direct hidden       |  2.5
pointing                                           | intersection        |  2.6
claiming                                           | intersection        |  2.8
naked pair                                         | naked               |  3.0
X-wing                                             | fish                |  3.2
hidden pair                                        | hidden              |  3.4
naked triplet                                      | naked               |  3.6
swordfish                                          | fish                |  3.8
hidden triplet                                     | hidden              |  4.0
XY-wing                                            | XY-wing             |  4.2
XYZ-wing                                           | XYZ-wing            |  4.4
unique rectangle                                   | loop                |  4.5
unique loop                                        | loop                |  4.6
naked quad                                         | naked               |  5.0
jellyfish                                          | fish                |  5.2
hidden quad                                        | hidden              |  5.4
BUG                                                | BUG                 |  5.6
aligned pair exclusion                             | exclusion           |  6.2
X-cycle                                            | cycle               |  6.5
Y-cycle                                            | cycle               |  6.5
forcing X-chain                                    | chain               |  6.6
XY-cycle                                           | cycle               |  7.0
forcing chain                                      | chain               |  7.0
aligned triplet exclusion                          | exclusion           |  7.5
Nishio                                             | chains              |  7.5
multiple forcing chains                            | chains              |  8.0
dynamic forcing chains                             | chains              |  8.5
dynamic forcing chains (+)                         | chains              |  9.0
dynamic forcing chains (+ forcing chains)          | chains              |  9.5
dynamic forcing chains (+ multiple forcing chains) | chains              | 10.0
dynamic forcing chains (+ dynamic forcing chains)  | chains              | 10.5
dynamic forcing chains (+ dynamic forcing chains (+ forcing chains)) | chains | 11.0
""")
)
"""The techniques from the easiest on.

The steps of a family have one sentence; ``chains`` has several, one for each kind of chain.
"""

_LAST = tuple(technique.name for technique in TECHNIQUES[-6:])

NAMES = (
    *(
        Name(spoken, float(lowest), float(highest), _list(techniques), _list(words))
        for spoken, lowest, highest, techniques, words in _rows("""
full house                   | 1.0 | 1.0 | hidden single             | last digit, last cell
hidden single                | 1.2 | 1.5 | hidden single             |
direct pointing              | 1.7 | 1.7 | direct pointing           |
direct claiming              | 1.9 | 1.9 | direct claiming           |
direct hidden pair           | 2.0 | 2.0 | direct hidden pair        |
naked single                 | 2.3 | 2.3 | naked single              |
direct hidden triple         | 2.5 | 2.5 | direct hidden triplet     | direct hidden triplet
locked candidates (pointing) | 2.6 | 2.6 | pointing | locked candidates, pointing, pointing pair, pointing triple, locked candidates type 1
locked candidates (claiming) | 2.8 | 2.8 | claiming | locked candidates, claiming, box line reduction, locked candidates type 2
naked pair                   | 3.0 | 3.0 | naked pair                |
X-Wing                       | 3.2 | 3.2 | X-wing                    |
hidden pair                  | 3.4 | 3.4 | hidden pair               |
naked triple                 | 3.6 | 3.6 | naked triplet             | naked triplet
swordfish                    | 3.8 | 3.8 | swordfish                 |
hidden triple                | 4.0 | 4.0 | hidden triplet            | hidden triplet
XY-Wing                      | 4.2 | 4.2 | XY-wing                   | Y-wing
XYZ-Wing                     | 4.4 | 4.4 | XYZ-wing                  |
unique rectangle type 1      | 4.5 | 5.0 | unique rectangle | unique rectangle, uniqueness test, UR, UR 1, UR type 1, uniqueness test 1, unique rectangle 1
unique rectangle type 2      | 4.5 | 5.0 | unique rectangle | unique rectangle, uniqueness test, UR, UR 2, UR type 2, uniqueness test 2, unique rectangle 2
unique rectangle type 3      | 4.5 | 5.0 | unique rectangle | unique rectangle, uniqueness test, UR, UR 3, UR type 3, uniqueness test 3, unique rectangle 3
unique rectangle type 4      | 4.5 | 5.0 | unique rectangle | unique rectangle, uniqueness test, UR, UR 4, UR type 4, uniqueness test 4, unique rectangle 4
unique loop                  | 4.6 | 5.6 | unique loop               |
naked quadruple              | 5.0 | 5.0 | naked quad                | naked quad
jellyfish                    | 5.2 | 5.2 | jellyfish                 |
hidden quadruple             | 5.4 | 5.4 | hidden quad               | hidden quad
BUG+1                        | 5.6 | 5.6 | BUG                       | BUG, bivalue universal grave, BUG type 1
BUG type 2                   | 5.7 | 6.2 | BUG                       | BUG, bivalue universal grave
BUG type 3                   | 5.7 | 6.2 | BUG                       | BUG, bivalue universal grave
BUG type 4                   | 5.7 | 6.2 | BUG                       | BUG, bivalue universal grave
aligned pair exclusion       | 6.2 | 6.2 | aligned pair exclusion    |
Skyscraper                   | 6.6 | 6.6 | forcing X-chain           |
2-String Kite                | 6.6 | 6.6 | forcing X-chain           | kite, two string kite
Turbot Fish                  | 6.6 | 6.6 | forcing X-chain           | turbot
Simple Colors                | 6.5 | 20  | X-cycle, forcing X-chain  | X-cycle, simple coloring, simple colouring, simple colours, coloring, colouring, colors
X-Chain                      | 6.6 | 20  | forcing X-chain           |
X-Chain Loop                 | 6.5 | 20  | X-cycle                   | X-cycle
Remote Pair                  | 6.5 | 20  | Y-cycle, XY-cycle, forcing chain |
XY-Chain                     | 7.0 | 20  | forcing chain             |
XY-Chain Loop                | 6.5 | 20  | Y-cycle, XY-cycle         | Y-cycle
W-Wing                       | 7.1 | 7.1 | forcing chain             |
AIC                          | 7.0 | 20  | forcing chain             | alternating inference chain
Continuous Nice Loop         | 7.0 | 20  | Y-cycle, XY-cycle         | nice loop, XY-cycle
AIC (Discontinuous Loop)     | 7.0 | 20  | forcing chain | alternating inference chain, discontinuous nice loop, discontinuous loop
aligned triplet exclusion    | 7.5 | 7.5 | aligned triplet exclusion |
Nishio forcing chain         | 7.5 | 20  | Nishio                    | Nishio
cell forcing chains          | 8.0 | 20  | multiple forcing chains   | multiple forcing chains
house forcing chains         | 8.0 | 20  | multiple forcing chains   | multiple forcing chains, region forcing chains
""")
    ),
    *(
        Name(f"{kind} {of} forcing chains", lowest, 20.0, techniques, (f"{kind} forcing chains",))
        for kind, lowest, techniques in (("dynamic", 8.5, _LAST[:2]), ("nested", 9.5, _LAST[2:]))
        for of in ("double", "cell", "house", "contradiction")
    ),
)
"""The names, in the order of the techniques as far as that goes; lengths of chains have no bound."""

ABSENT = tuple(
    (_list(words), name, instead)
    for words, name, instead in _rows("""
remote pair | Remote Pair | Naked Pair, then Skyscraper, Turbot Fish, Simple Colors or X-Chain
empty rectangle, ER | Empty Rectangle | Turbot Fish, X-Chain or AIC
finned X-wing, finned swordfish, finned jellyfish, finned fish | finned fish | Turbot Fish, X-Chain or AIC
sashimi X-wing, sashimi swordfish, sashimi jellyfish, sashimi fish | sashimi fish | Turbot Fish, X-Chain or AIC
Franken fish, Franken swordfish, mutant fish, mutant swordfish, squirmbag, whale, leviathan | larger, Franken and mutant fish | X-Chain or Nishio Forcing Chain
Sue de Coq, two sector disjoint subsets, SDC | Sue de Coq | Aligned Pair Exclusion, AIC or Cell Forcing Chains
ALS, almost locked set, ALS XZ, ALS XY wing, ALS chain | almost locked sets | AIC, Aligned Pair Exclusion or Cell Forcing Chains
death blossom | Death Blossom | Cell Forcing Chains
WXYZ-wing | WXYZ-Wing | Aligned Pair Exclusion or Cell Forcing Chains
hidden rectangle, avoidable rectangle, hidden unique rectangle | Hidden and Avoidable Rectangle | Unique Rectangle Type 1 to 4 or AIC
unique rectangle type 5, unique rectangle type 6, uniqueness test 5, uniqueness test 6, UR 5, UR 6 | Unique Rectangle Type 5 and 6 | Unique Rectangle Type 1 to 4 or AIC
multi colors, multi colours, multi coloring, multi colouring | Multi Colors | X-Chain
grouped X-chain, grouped AIC, grouped chain, grouped nice loop | grouped chains | House Forcing Chains
Kraken fish | Kraken Fish | House Forcing Chains
exocet, junior exocet, senior exocet | Exocet | Nested Forcing Chains
template, pattern overlay, templates | templates | Nishio Forcing Chain
""")
)
"""Steps that the scale lacks: words, the name, and the step it finds instead."""
