#!/usr/bin/env python3
"""A bot that takes the best possible attack, or else sends a unit towards the nearest enemy.
Python 3.8 or later, no packages.

    fivefoot sim levels/toll_gate.ron --ai "party=cmd:python3 examples/bots/greedy_bot.py"
"""

import json
import sys

# Actions that do nothing, the best first.
NOTHING = ("done", "pass", "end turn", "stay", "wait", "hold")


def distance(a, b):
    """Distance of two units in cells, 1 for neighbours."""
    return max(abs(a["at"][0] - b["at"][0]), abs(a["at"][1] - b["at"][1]))


def attack(offers):
    """The index of the attack with the highest worth; None if there is no attack."""
    rated = [(offer["worth"], -n) for n, offer in enumerate(offers) if offer.get("chance")]
    return -max(rated)[1] if rated else None


def advance(asked, tried):
    """An order for a unit that has none in this turn; None if every unit has one."""
    units = {unit["unit"]: unit for unit in asked["units"]}
    enemies = [u for u in units.values() if u["side"] != asked["side"] and u["state"] == "up"]
    for name in asked["actors"]:
        own = units[name]
        if enemies and name not in tried and own["state"] == "up":
            tried.add(name)
            target = min(enemies, key=lambda enemy: (distance(own, enemy), enemy["hp"]))
            return {"order": f"{name}: will attack {target['unit']}, else another"}
    return None


def nothing(offers):
    """A reply that does as little as possible, with the lowest number."""
    acts = [offer["act"] for offer in offers]
    known = [acts.index(act) for act in NOTHING if act in acts]
    n = known[0] if known else len(offers) - 1
    numbers = offers[n].get("numbers")
    return {"offer": n, "number": numbers[0]} if numbers else {"offer": n}


def main():
    asked, tried, turn = None, set(), None
    for line in sys.stdin:
        message = json.loads(line)
        if message["what"] == "ask":
            asked = message
            now = (asked["round"], asked["prompt"])
            if now != turn:
                tried, turn = set(), now
        elif message["what"] != "refused":
            continue
        best = attack(asked["offers"])
        if message["what"] == "ask" and best is not None:
            reply = {"offer": best}
        elif asked["reaction"]:
            reply = nothing(asked["offers"])
        else:
            reply = advance(asked, tried) or nothing(asked["offers"])
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
