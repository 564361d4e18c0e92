"""Programs of people who edit one world together: plain values that follow from a seed, so that parts of one can be left out.

    {seed, kept, people, rounds: [{kind, at, operations: [{who, kind, dice, cut, pause}]}]}

A round is one operation (quiet), some at once (burst), some while the server is killed (kill), or time that goes on (step)."""

import random

from weft_peer import sheet

NAMES = ("", "red", "blue", "green", "gold")


def program(seed):
    dice = random.Random(seed)
    kept = seed % 8 == 0
    people = dice.choice((3, 4))
    rounds = []
    for number in range(dice.randrange(8, 20)):
        kind = dice.choices(("quiet", "burst", "step", "kill"), (5, 5, 1, 2 if kept else 0))[0]
        count = 1 if kind == "quiet" else dice.randrange(3, 12) if kind in ("burst", "kill") else 0
        operations = [operation(dice, people, number) for _ in range(count)]
        rounds.append({"kind": kind, "at": dice.random(), "operations": operations})
    return {"seed": seed, "kept": kept, "people": people, "rounds": rounds}


def operation(dice, people, number):
    kinds = {"world.set": 3, "collider.add": 4, "collider.set": 7, "collider.remove": 2, "body.add": 2, "body.set": 5,
             "body.remove": 1, "particle.pin": 3, "particle.unpin": 2, "edit.batch": 5, "edit.undo": 9, "edit.redo": 5,
             "again": 2, "look": 2}
    if number < 2:
        kinds.update({"collider.add": 12, "body.add": 6})
    return {"who": dice.randrange(people), "kind": dice.choices(list(kinds), list(kinds.values()))[0],
            "dice": dice.randrange(1 << 30), "cut": dice.choices(("", "close", "reset"), (12, 1, 1))[0],
            "pause": dice.random() < 0.3}


class Maker:
    """An operation as a request, of what the model says is there."""

    def __init__(self, run, one):
        self.run, self.model, self.dice = run, run.model(), random.Random(one["dice"])

    def number(self):
        return self.dice.randrange(65) / 64  # exact in 32 bits

    def thing(self, kind):
        things = sorted(self.model.things[kind])
        if not things or self.dice.random() < 0.08:
            return self.dice.randrange(1, self.model.next[kind] + 2)
        number = self.dice.choice(things)
        name = self.model.things[kind][number]["name"]
        return name if name and self.dice.random() < 0.2 else number

    def some(self, **choices):
        """A few of the fields, at least one."""
        chosen = self.dice.sample(sorted(choices), self.dice.choice((1, 1, 1, 2, 3)))
        return {name: choices[name]() for name in chosen}

    def edit(self, method, batched=False):
        number, dice = self.number, self.dice
        if method == "world.set":
            names = {} if batched else {"name": lambda: f"{self.run.name}-{dice.randrange(3)}"}
            return self.some(gravity=lambda: [number(), -number(), 0.0], damping=number,
                             substeps=lambda: dice.randrange(1, 6), iterations=lambda: dice.randrange(1, 4), **names)
        if method == "collider.add":
            return {"kind": "sphere", "name": dice.choice(NAMES), "radius": number() + 0.25,
                    "position": [dice.randrange(20, 40) * 1.0, -5.0, number()]}
        if method == "body.add":
            positions, triangles = sheet(3, 2, spacing=0.25, height=dice.randrange(8) * 0.5)
            return {"kind": "cloth", "name": dice.choice(NAMES), "positions": positions, "triangles": triangles,
                    "pins": sorted(dice.sample(range(6), dice.randrange(3))), "thickness": number() / 64}
        kind = method.split(".")[0].replace("particle", "body")
        fields = {kind: self.thing(kind)}
        if method == "collider.set":
            fields |= self.some(name=lambda: dice.choice(NAMES), friction=number, radius=lambda: number() + 0.25,
                                position=lambda: [dice.randrange(20, 40) * 1.0, -5.0, number()])
        elif method == "body.set":
            fields |= self.some(name=lambda: dice.choice(NAMES), friction=number, thickness=lambda: number() / 64,
                                stretch=lambda: {"compliance": number(), "damping": number()})
        elif kind != method.split(".")[0]:
            fields["particles"] = [dice.randrange(6) for _ in range(dice.choice((1, 1, 2, 3)))]
        return fields

    def thing_term(self, params):
        """Stale or not."""
        if self.dice.random() < 0.25:
            params["if_thing_revision"] = max(self.model.revision - self.dice.choice((0, 0, 1, 2, 5)), 0)
        return params

    def request(self, kind):
        dice, revision = self.dice, self.model.revision
        if kind == "edit.batch":
            methods = ["world.set", "collider.add", "collider.set", "collider.set", "collider.remove", "body.add", "body.set",
                       "body.remove", "particle.pin", "particle.unpin"]
            edits = []
            for _ in range(dice.randrange(1, 5)):
                method = dice.choice(methods)
                edits.append([method, self.thing_term(self.edit(method, True))])
            params = {"edits": edits}
        elif kind in ("edit.undo", "edit.redo"):
            params = {"force": True} if dice.random() < 0.3 else {}
            if dice.random() < 0.4:
                params["revision"] = dice.randrange(1, revision + 2)
            self.thing_term(params)
        else:
            params = self.thing_term(self.edit(kind))
        if dice.random() < 0.15:
            params["if_revision"] = max(revision - dice.choice((0, 0, 1)), 0)
        return params
