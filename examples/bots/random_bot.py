#!/usr/bin/env python3
"""A bot that takes a random legal offer. Python 3.8 or later, no packages.

    fivefoot sim levels/toll_gate.ron --ai "party=cmd:python3 examples/bots/random_bot.py"
"""

import json
import random
import sys


def answer(asked, chance):
    """A random offer, with a random number if the offer needs one."""
    n = chance.randrange(len(asked["offers"]))
    reply = {"offer": n}
    if "numbers" in asked["offers"][n]:
        least, most = asked["offers"][n]["numbers"]
        reply["number"] = chance.randint(least, most)
    return reply


def main():
    chance = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["what"] == "begin":
            # Seed the bot too, so that equal seeds give equal battles.
            chance.seed(message["seed"])
        elif message["what"] == "ask":
            print(json.dumps(answer(message, chance)), flush=True)
        elif message["what"] == "refused":
            sys.exit(f"an offer was refused: {message['error']}")


if __name__ == "__main__":
    main()
