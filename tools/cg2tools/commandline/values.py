"""What the values of options are: each function takes a text, and says what it expected."""

import argparse


def yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise argparse.ArgumentTypeError(f"'{text}'; expected yes or no")
    return text == "yes"


def on_or_off(text: str) -> str:
    if text not in ("on", "off"):
        raise argparse.ArgumentTypeError(
            f"expected on or off, not '{text}'" if text else "expected on or off"
        )
    return text


def whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"'{text}'; expected a number of lines, 0 or more")
    return int(text)


def percentage(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(f"'{text}'; expected 0 to 100")
    return number


def event_names(text: str) -> list[str]:
    events = text.split(",")
    if not all(events):
        raise argparse.ArgumentTypeError(f"'{text}'; expected events as in Ir,Dr")
    return events


def numbers(text: str) -> list[int]:
    found = text.split(",")
    if not all(number.isascii() and number.isdigit() and len(number) < 10 for number in found):
        raise argparse.ArgumentTypeError(f"'{text}'; expected numbers as in 1,3")
    return [int(number) for number in found]


def data_type(text: str) -> tuple[str, str]:
    """What an option PATTERN=TYPE says: which objects, and the name of their type."""
    pattern, _, name = text.partition("=")
    if not pattern or not name:
        raise argparse.ArgumentTypeError(f"'{text}'; expected PATTERN=TYPE, as in parse_*=node")
    return pattern, name
