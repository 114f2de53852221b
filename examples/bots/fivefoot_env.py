#!/usr/bin/env python3
"""Fivefoot as a PettingZoo AEC environment: sides are agents, legal offers are actions.

    pip install pettingzoo numpy
    FIVEFOOT=target/release/fivefoot python3 examples/bots/fivefoot_env.py

As a program it runs `pettingzoo.test.api_test` under all five rulesets and prints the
steps per second.
"""

import json
import os
import subprocess
import time

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

RULES = ("Skirmish", "Segments", "Phased", "Speed", "Activity")
# Limit of the action space. Further offers are dropped; one unit can have hundreds of moves.
MOST_OFFERS = 512
# Units in an observation, and numbers per unit.
MOST_UNITS = 64
FEATURES = 8


class Server:
    """A running `fivefoot serve`, for any number of battles."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def do(self, command, **fields):
        self.process.stdin.write(json.dumps({"do": command, **fields}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("fivefoot serve has ended")
        reply = json.loads(line)
        if not reply["ok"]:
            raise ValueError(reply["error"])
        return reply

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class FivefootEnv(AECEnv):
    """Rewards: 1 for the winner, -1 for the losers, 0 for all in a draw."""

    metadata = {"name": "fivefoot_v1", "render_modes": [], "is_parallelizable": False}

    def __init__(self, level="toll_gate", rules="Skirmish", program=None):
        super().__init__()
        self.level, self.rules = level, rules
        self.render_mode = None
        self.server = Server(program or os.environ.get("FIVEFOOT", "fivefoot"))
        self.battle, self.seed = None, 0
        begun = self.server.do("new", level=level, rules=rules)
        # Includes sides that are hidden at first.
        sides = begun["sides"]
        self.server.do("close", battle=begun["battle"])
        self.possible_agents = list(sides)
        self.agents = list(sides)
        self.columns = max(len(row) for row in begun["map"]["rows"])
        self.rows = len(begun["map"]["rows"])
        board = spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (MOST_UNITS, FEATURES), np.float32),
                "action_mask": spaces.Box(0, 1, (MOST_OFFERS,), np.int8),
            }
        )
        self.observation_spaces = {side: board for side in sides}
        self.action_spaces = {side: spaces.Discrete(MOST_OFFERS) for side in sides}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        self.seed = self.seed + 1 if seed is None else seed
        if self.battle is not None:
            self.server.do("close", battle=self.battle)
        self.agents = list(self.possible_agents)
        self.rewards = {side: 0 for side in self.agents}
        self._cumulative_rewards = {side: 0 for side in self.agents}
        self.terminations = {side: False for side in self.agents}
        self.truncations = {side: False for side in self.agents}
        self.infos = {side: {} for side in self.agents}
        self.seen = {}
        self.take(
            self.server.do(
                "new", level=self.level, rules=self.rules, seed=self.seed, offers=True
            )
        )
        self.seen = {}

    def take(self, reply):
        """Updates the environment from a reply of the server."""
        self.battle = reply.get("battle", self.battle)
        if "asked" in reply:
            self.agent_selection = reply["asked"]["side"]
            self.offers = reply["offers"]
            return
        self.offers = []
        for side in self.agents:
            self.terminations[side] = True
            if reply["winner"] is not None:
                self.rewards[side] = 1 if side == reply["winner"] else -1
        self._skip_agent_selection = None

    def observe(self, agent):
        seen = self.server.do("observe", battle=self.battle, side=agent)
        table = np.zeros((MOST_UNITS, FEATURES), np.float32)
        for n, unit in enumerate(seen["units"][:MOST_UNITS]):
            x, y = unit.get("at", (0, 0))
            table[n] = np.clip(
                (
                    1,
                    1 if unit["side"] == agent else -1,
                    unit["state"] == "up",
                    unit["state"] in ("down", "dead"),
                    x / self.columns,
                    y / self.rows,
                    unit.get("hp", 0) / max(1, unit["max_hp"]),
                    unit.get("prone", False),
                ),
                -1,
                1,
            )
        mask = np.zeros(MOST_OFFERS, np.int8)
        if agent == self.agent_selection and not self.terminations[agent]:
            mask[: min(len(self.offers), MOST_OFFERS)] = 1
        return {"observation": table, "action_mask": mask}

    def step(self, action):
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0
        self.rewards = {side: 0 for side in self.agents}
        order = {"battle": self.battle, "offer": int(action), "offers": True}
        numbers = self.offers[int(action)].get("numbers")
        if numbers:
            # A better bot would choose the number.
            order["number"] = numbers[1]
        self.take(self.server.do("order", **order))
        self._accumulate_rewards()

    def close(self):
        self.server.close()


def main():
    from pettingzoo.test import api_test

    for rules in RULES:
        env = FivefootEnv(rules=rules)
        api_test(env, num_cycles=200)
        env.reset(seed=1)
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < 2:
            seen, _, is_over, _, _ = env.last()
            if is_over:
                env.reset()
                continue
            env.step(env.action_space(env.agent_selection).sample(seen["action_mask"]))
            steps += 1
        print(f"{rules}: {steps / (time.perf_counter() - began):.0f} steps a second")
        env.close()


if __name__ == "__main__":
    main()
