"""The passages of a text that never answer: thoughts of a model, results of tools, and turns of users."""

from __future__ import annotations

import re

from unidoku.errors import InvalidPuzzleError, Reason
from unidoku.files._paths import MODELS, THOUGHTS, puzzle_in

_NO_END = Reason("no_grid", "an unfinished thought, and no answer")
_MARKS = {  # of thoughts and turns, as the tags that they mean, and who writes them
    **dict.fromkeys(("[THINK]", "[think]"), "<think>"),  # Magistral, prompts
    **dict.fromkeys(("[/THINK]", "[/think]"), "</think>"),
    "◁think▷": "<think>",  # Kimi
    "◁/think▷": "</think>",
    "<|START_THINKING|>": "<think>",  # Command A
    "<|END_THINKING|>": "</think>",
    "<|begin_of_thought|>": "<think>",  # Sky-T1, OpenThinker
    "<|end_of_thought|>": "</think>",
    "<unused94>": "<think>",  # MedGemma
    "<unused95>": "</think>",
    "<|im_start|>think": "<think>",  # s1
    "<|im_start|>answer": "</think>",
    "<|channel|>analysis<|message|>": "<think>",  # gpt-oss
    "<|channel|>commentary<|message|>": "<think>",
    "<|channel|>final<|message|>": "</think><|start|>assistant\n",
    "assistantfinal": "</think>",  # gpt-oss, where special tokens are left out
    "...done thinking.": "</think>",  # Ollama on a terminal
    **{"<reserved_106>": "<|user|>", "<reserved_107>": "<|assistant|>"},  # Baichuan
    **{"[e~[": "", "]~b]user": "<|user|>", "]~b]ai": "<|assistant|>"},  # MiniMax
    "[|endofturn|]": "",  # EXAONE
}
_BARE = re.compile(r"\A(?:analysis(?=\w)|Thinking\.\.\.\n)")
"""The beginning of a thought of gpt-oss, where special tokens are left out, and of Ollama on a terminal."""
_TAG = re.compile(
    r"<\|?(?P<end>/)?(?:\w+:)?(?P<name>{}|\w*think(?:ing)?\w*|reason)(?:\s[^<>\n]*)?\|?>"
    r"|<!--.*?(?:-->|\Z)|\n```(?:thinking|thoughts?|reasoning)\n.*?(?:\n```|\Z)"
    r"|<(?P<tool>(?:tool|function|code|execution|command|search)\w*(?:response|result|output)s?|observation"
    r"|interpreter|information|stdout)(?:\s[^<>\n]*)?>.*?(?:</(?P=tool)\s*>|\Z)"
    r"|</\w*(?:call|code|python|execute|function|invoke|interpreter|search)\w*\s*>\s*"
    r"<(?P<output>(?:output|result|response)s?)(?:\s[^<>\n]*)?>.*?(?:</(?P=output)\s*>|\Z)"
    r"|\[TOOL_RESULTS\].*?(?:\[/TOOL_RESULTS\]|\Z)|<｜tool▁outputs▁begin｜>.*?(?:<｜tool▁outputs▁end｜>|\Z)"
    r"|\n```\n+```output\n.*?(?:\n```|\Z)".format("|".join(sorted(THOUGHTS, reverse=True))),
    re.IGNORECASE | re.DOTALL,
)
"""A tag of thoughts, such as DeepSeek-R1, Qwen3, GLM, Seed-OSS, LongCat, Claude and prompts have, or all of
a comment or of a result of a tool.  An output is one if it follows what a model has called."""
_HINTS = ("<", "```", "[TOOL")
_MEMBER = re.compile(r"""(?i)(["'])(?:{})\1\s*:""".format("|".join(sorted(THOUGHTS))))
"""The name of a member of thoughts in a text of JSON that is damaged."""

_TURN = re.compile(
    r"[<\[\n> ](?:"
    r"(?<=<)\|?(?:im_start|im_user|im_assistant|start_header_id|header_start|start_of_role|start_of_turn|start"
    r"|turn|extra_id_1|seed:bos)\|?>\s*(\w+)(?:<\|(?:end_header_id|header_end|end_of_role|message|im_middle)\|>)?"
    r"|(?<= )(?-i:(USER|ASSISTANT)):"
    r"|(?<=<)[|｜](?:hy_)?(user|human|prompter|system|tool|observation|assistant|chatbot|model|bot)(?:_token)?[|｜]>"
    r"|(?:(?<=<)|(?<=\[)\|)(user|human|assistant|bot|ai)(?:>|\|\]):?"
    r"|(?<=\[)(/?inst)\]"
    r"|(?<=\n)#+ *(instruction|input|response):"
    r"|(?<=[\n>]) *[*#]* *(?:GPT4 Correct )?(user|human|assistant|ai|bot|gpt|chatbot|tool(?: \w+)?):\**"
    r"|(?<=\n)(?<!\A\n) *[*#]* *(question|q|(?:final )?(?:answer|solution)|a):\**"
    r"|(?<=\n)#+ *(user|human|assistant)(?=\n)"
    r"|(?<=\n)Action(?: Input)?:[^\n]*(?:\n(?!Action|Observation)[^\n]*)*\n(observation):"
    r"|(?<=\n)(thought|final answer):"
    r"|(?<=\n)(user|assistant)(?=\n))",
    re.IGNORECASE,
)
"""The beginning of a turn in a template of a chat, and who speaks."""
_TURN_HINTS = ("user", "human", "tool", "ion:", "[inst", "input:", "q:", "<|", "|]")
"""One of these is in every text with a turn of somebody else."""
_BY_MODELS = (
    *(*MODELS, "answer", "a", "solution", "/inst", "response", "thought", "final answer", "final solution"),
)


def without_thoughts(text: str) -> str:
    """Return a text without its thoughts, and without what tools have returned.

    An end without a begin ends a thought that began before the text; a thought without an end is the rest.
    """
    for mark, tag in _MARKS.items():
        text = text.replace(mark, tag)
    text = _BARE.sub("<think>", text)
    if not any(map(text.__contains__, _HINTS)):
        return text
    kept, opened, at = list[str](), list[str](), 0
    for match in _TAG.finditer(text):
        if not opened:
            kept.append(text[at : match.start()])
        at, name = match.end(), match.groupdict("")["name"].lower()
        if name in opened and match["end"]:
            del opened[opened.index(name) :]
        elif match["end"]:
            kept, opened = [], []
        elif name:
            opened.append(name)
    if opened:
        if not "".join(kept).strip():
            raise InvalidPuzzleError(_NO_END)
    else:
        kept.append(text[at:])
    return "\n".join(kept)


def before_members(text: str) -> str:
    """Return a text up to the first member of thoughts, if it has a part of an object that is damaged."""
    return _MEMBER.split(text, maxsplit=1)[0]


def messages_in(text: str, puzzle: str = "") -> list[dict[str, str]]:
    """Return the turns of a text that is a conversation in a template, as messages; else nothing.

    The model wrote the text before the first turn.  If only a model speaks, the text is not a conversation.
    The messages end where somebody asks another puzzle after the model's first one.
    """
    if not any(map(text.lower().__contains__, _TURN_HINTS)):
        return []
    messages, text, has_said = list[dict[str, str]](), f"\n{text}", False
    turns = [*_TURN.finditer(text)]
    roles = [next(filter(None, turn.groups())).lower() for turn in turns]
    if {*roles}.issubset(_BY_MODELS):
        return []
    begins, ends = (0, *map(re.Match.end, turns)), (*map(re.Match.start, turns), None)
    for role, begin, end in zip((MODELS[0], *roles), begins, ends, strict=True):
        content, by_model = text[begin:end], role in _BY_MODELS
        if has_said and not by_model and puzzle_in(content).cells not in ("", puzzle):
            break
        if content.strip():
            messages.append({"role": MODELS[0] if by_model else role, "content": content})
            has_said |= by_model
    return messages
