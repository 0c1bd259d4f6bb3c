"""Thoughts of a model, which are never an answer: the words that mark them, and how they are removed.

They are in the tags of a text, in members of an object, and in items of a list that are marked.
"""

from __future__ import annotations

import re
from typing import Any

from unidoku.errors import InvalidPuzzleError, Message

THOUGHTS = frozenset(
    (
        *("thought", "thoughts", "thought_process", "thinking", "think", "reasoning", "reasoning_content"),
        *("reasoning_text", "reasoning_details", "redacted_thinking", "analysis", "chain_of_thought", "cot"),
        *("rationale", "scratchpad", "reflection", "inner_monologue", "commentary", "critique"),
        *("explanation", "explanations", "steps", "plan", "draft", "notes", "work", "working"),
    )
)
"""Names of members that have thoughts, and values of the members in `_MARKS` that mark thoughts."""
_MARKS = ("type", "channel", "thought", "thinking", "reasoning")
"""Members that mark an item as a thought: by one of these words, or by true."""

_NO_END = Message("an unfinished thought, and no answer")
_BARE = "analysis"  # at the beginning, before a word
_TAGS = {  # of thoughts: which model writes them, or a prompt asks for
    "[THINK]": "Magistral",
    "◁think▷": "Kimi",
    "<|START_THINKING|>": "Command A",
    "<|begin_of_thought|>": "Sky-T1, OpenThinker",
    "<unused94>": "MedGemma",
    "<|channel|>analysis<|message|>": "gpt-oss",
    _BARE: "gpt-oss, where special tokens are left out",
}
_ENDS = {
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<unused94>": "<unused95>",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",
    _BARE: "assistantfinal",
}
_WORD = (
    r"(?:\w*think(?:ing)?\w*|thoughts?|thought_process|reason(?:ing)?|scratchpad|reflection|inner_monologue"
    r"|analysis|cot|chain_of_thought|rationale)"
)
"""The name of a tag of thoughts: of DeepSeek-R1, Qwen3, GLM, Seed-OSS, LongCat, Claude, and of prompts."""
_TURN = r"<\|(?:im_start|start_header_id|start)\|>\s*"
"""The beginning of a turn in a template of a chat: what follows is a model's only if its role says so."""
_THOUGHT = re.compile(
    rf"(?i)(?P<end></(?:\w+:)?{_WORD}\s*>|{_TURN}assistant|{{}})"
    rf"|<\|?(?:\w+:)?{_WORD}(?:\s[^<>\n]*)?\|?>|{_TURN}\w|{{}}".format(
        "|".join(re.escape(_ENDS.get(tag, f"{tag[0]}/{tag[1:]}")) for tag in _TAGS),
        "|".join(rf"\A{tag}(?=\w)" if tag == _BARE else re.escape(tag) for tag in _TAGS),
    )
)
_MEMBER = re.compile(r"""(?i)(["'])(?:{})\1\s*:""".format("|".join(sorted(THOUGHTS))))
"""The name of a member of thoughts in a text of JSON that is damaged."""


def is_thought(name: str, value: Any = None) -> bool:
    """Return whether a member is a thought by its name, or an item by a mark: a type, a channel, or true."""
    if name.lower() in THOUGHTS:
        return True
    if not isinstance(value, dict):
        return False
    marks = map(value.get, _MARKS)
    return any(mark is True or (isinstance(mark, str) and mark.lower() in THOUGHTS) for mark in marks)


def without_thoughts(text: str) -> str:
    """Return the text after the last end of a thought, up to a thought that does not end."""
    if not any(map(text.__contains__, ("<", "[", "◁", _ENDS[_BARE]))) and not text.startswith(_BARE):
        return text
    begin, end = 0, len(text)
    for match in _THOUGHT.finditer(text):
        if match["end"]:
            begin, end = match.end(), len(text)
        else:
            end = min(end, match.start())
    if end < len(text) and not text[begin:end].strip():
        raise InvalidPuzzleError(_NO_END)
    return text[begin:end]


def before_members(text: str) -> str:
    """Return a text up to the first member of thoughts, if it has a part of an object that is damaged."""
    match = _MEMBER.search(text)
    return text[: match.start()] if match else text
