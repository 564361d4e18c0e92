#!/usr/bin/env python3
"""Random programs of a few people who edit one world together over connections that are cut, against a plain model of it.

    program (rounds of operations, from a seed) ─▶ people over sockets ─▶ answers, what a watcher is told, documents
                                                                                  │ one after another by revision
                                                       model ─▶ what each must be ┴▶ no gap, no repeat, no other outcome

Of those who race nobody knows who is first, but answers tell: each edit that was made has a revision, and from the one before it the
model must come to the same. What was refused must be refused alike at some moment between two edits of the same person.

WEFT_SEEDS says how many programs are tried, WEFT_SEED which comes first (and that it is one, where WEFT_SEEDS says nothing).
One that fails is made smaller before it is shown."""

import os
import pickle
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import unittest

import msgpack

from bad_line import Stubborn
from together_model import Model, Refused
from together_program import Maker, program
from weft_peer import PATIENCE_S, SLOW, Closed, Peer, Server, WeftError

FIRST = int(os.environ.get("WEFT_SEED", "1"))
SEEDS = int(os.environ.get("WEFT_SEEDS", "1" if "WEFT_SEED" in os.environ else "80" if SLOW == 1 else "16"))
SHRINK_S = 60 * SLOW
SETTINGS = {"gravity": [0.0, -9.75, 0.0], "damping": 0.0, "substeps": 4, "iterations": 1}


class Problem(Exception):
    """Server and model do not agree."""


# ---------------------------------------------------------------------------------------------------------
# People


class Place:
    """Where a person connects to."""

    def __init__(self, server):
        self.address = server.address


class Person(Stubborn):
    """One who goes on with a session whatever becomes of the connection, and keeps what was told."""

    def __init__(self, place, user, seed, world):
        super().__init__(place, user, seed)
        self.world, self.notices, self.sent = world, [], []

    def take(self):
        self.notices += [one.params for one in self.peer.notices if one.method == "world.edited"]
        super().take()

    def cut(self, how):
        if self.peer and how == "reset":
            self.peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def join(self):
        joined = self.call("world.join", world=self.world)
        self.revisions[self.world] = self.joined_at = self.told_to = joined["revision"]
        self.notices.clear()
        return joined

    def until_told(self, revision):
        self.until(lambda: self.revisions[self.world] >= revision, f"world.edited {revision}")
        told = [one["revision"] for one in self.notices if one["revision"] > self.told_to]
        all_told = [one["revision"] for one in self.notices]
        if all_told != list(range(self.joined_at + 1, revision + 1)):
            raise Problem(f"{self.user} was told of {all_told} from {self.joined_at} to {revision}")
        self.told_to = revision
        return [one for one in self.notices if one["revision"] in told]


# ---------------------------------------------------------------------------------------------------------
# One program


class Run:
    def __init__(self, host, given):
        self.host, self.program, self.lines = host, given, []
        self.name = f"together-{given['seed']}-{host.fresh()}"
        self.states = [pickle.dumps(Model(self.name, dict(SETTINGS)))]
        self.claims, self.first_answers = {}, {}
        self.orphans = []  # edits that were made and not answered before the server died

    def model(self, revision=-1):
        return pickle.loads(self.states[revision])

    def note(self, *words):
        self.lines.append(" ".join(str(word) for word in words))

    def run(self):
        server = self.host.server(self.program["kept"])
        with server.peer() as maker:
            self.world = maker.call("world.create", name=self.name, **SETTINGS)["world"]
        self.place = Place(server)
        names = ["Watcher", "ann", "bob", "cy", "dee"][:self.program["people"] + 1]
        everybody = [Person(self.place, name, self.program["seed"] * 10 + number, self.world)
                     for number, name in enumerate(names)]
        self.watcher, self.people = everybody[0], everybody[1:]
        try:
            for person in everybody:
                person.join()
            for number, one in enumerate(self.program["rounds"]):
                self.note(f"-- round {number} ({one['kind']}), at revision {len(self.states) - 1}")
                self.round(one)
            self.end()
        finally:
            for person in everybody:
                person.close()
            self.delete()

    def delete(self):
        with self.host.server(self.program["kept"]).peer() as peer:
            for world in peer.call("world.list")["worlds"]:
                if world["name"].startswith(self.name):
                    peer.call("world.delete", world=world["world"])

    # -- a round

    def round(self, one):
        if one["kind"] == "step":
            self.watcher.call("world.step", world=self.world, ticks=1 + int(one["at"] * 3))
            return
        asked = {person.user: [] for person in self.people}
        kill_at = int(one["at"] * len(one["operations"])) if one["kind"] == "kill" else None
        for number, operation_ in enumerate(one["operations"]):
            person = self.people[operation_["who"]]
            self.send(person, operation_, asked[person.user], kill_at is not None)
            if number == kill_at:
                self.kill()
            if operation_["cut"]:
                person.cut(operation_["cut"])
                self.note(f"   {person.user}'s connection: {operation_['cut']}")
            if operation_["pause"]:
                person.step(time.monotonic() + PATIENCE_S, 0.001)
        for person in self.people:
            person.until(lambda person=person: not person.unanswered, "all answers")
        self.check(asked, kill_at is not None)

    def send(self, person, one, asked, has_id):
        maker = Maker(self, one)
        kind, count = one["kind"], 1
        if kind == "look":
            method, params = "world.join", {}
        elif kind == "again" and person.sent:
            method, params = maker.dice.choice(person.sent)
        else:
            method = "collider.add" if kind == "again" else kind
            params = maker.request(method)
            if has_id or maker.dice.random() < 0.3:
                params["edit_id"] = f"edit-{len(person.sent)}"
                person.sent.append((method, params))
                count = maker.dice.choice((1, 1, 1, 2))
        for turn in range(count):
            if turn == 1 and maker.dice.random() < 0.2:
                params = {**params, "edit_id": params["edit_id"]}
                if method in ("edit.undo", "edit.redo"):  # another edit under the same id
                    params["force"] = not params.get("force", False)
                else:
                    params["if_revision"] = 0  # the same one on other terms
            msgid = person.request(method, world=self.world, **params)
            asked.append((msgid, method, params))

    def kill(self):
        """The server dies with requests under way, and comes back; what has no answer is sent again, under its id."""
        self.note("   kill -9")
        for person in self.people:  # of some nothing was read yet
            if person.peer and person.random.random() < 0.5:
                person.step(time.monotonic() + PATIENCE_S, 0.001)
        self.host.again()
        self.place.address = self.host.server(True).address
        for person in (self.watcher, *self.people):
            person.close()
            person.key, person.revisions = "", {}
            person.unanswered = {msgid: data for msgid, data in person.unanswered.items()
                                 if msgpack.unpackb(data, strict_map_key=False)[2].split(".")[0] != "session"}
        self.watcher.join()
        for person in self.people:
            person.join()

    # -- against the model

    def check(self, asked, loose):
        before = len(self.states) - 1
        outcomes = {user: [(method, params, *self.person(user).answers[msgid]) for msgid, method, params in list_]
                    for user, list_ in asked.items()}
        made = self.made(outcomes, before)
        joined = self.watcher.call("world.join", world=self.world)
        if joined["revision"] != before + len(made):
            raise Problem(f"revisions {sorted(made)} were answered since {before}, and the world is at {joined['revision']}")
        for revision in range(before + 1, joined["revision"] + 1):
            if revision not in made:
                raise Problem(f"revision {revision} was never answered; answered were {sorted(made)}")
            self.made_is_right(revision, *made[revision])
        for user, list_ in outcomes.items():
            self.others_are_right(user, list_, before, loose)
        for notice in self.watcher.until_told(joined["revision"]):
            self.notice_is_right(notice)
        for person in self.people:
            person.until_told(joined["revision"])
            if person.repeated:
                raise Problem(f"{person.user} was answered twice: {person.repeated}")
            if person.anew:
                raise Problem(f"{person.user} could not go on with a session")
        self.document_is_right(joined)

    def person(self, user):
        return next(person for person in self.people if person.user == user)

    def made(self, outcomes, before):
        """Edits by revision: (user, method, params, answer). Marks what they are, in outcomes."""
        made = {}
        for user, list_ in outcomes.items():
            for place, (method, params, error, result) in enumerate(list_):
                if error or method == "world.join":
                    continue
                revision = result["revision"]
                # After a death the first answer may never have come.
                if result.get("repeated") and (revision <= before or revision in made):
                    continue
                if revision in made or revision <= before:
                    raise Problem(f"{user}'s {method} was answered revision {revision}, which {made.get(revision, ['another'])[0]} has")
                self.orphans += [revision] * bool(result.get("repeated"))
                made[revision] = (user, method, params, {key: value for key, value in result.items() if key != "repeated"})
                list_[place] = (method, params, None, {**result, "made": True})
        return made

    def made_is_right(self, revision, user, method, params, result):
        model = self.model()
        self.note(f"   {revision}: {user} {method} {params} -> {result}" + " (sent again after a death)" * (revision in self.orphans))
        try:
            wanted = model.do(user, method, params)
        except Refused as refused:
            raise Problem(f"{user}'s {method} became revision {revision}; the model refuses it: {refused}") from None
        self.alike(wanted, result, f"{user}'s {method}, revision {revision}")
        self.states.append(pickle.dumps(model))
        self.claims[revision] = (user, method)
        if params.get("edit_id"):
            self.first_answers[user, params["edit_id"]] = result

    def alike(self, wanted, result, what):
        for name, value in wanted.items():
            now = result.get(name)
            if name == "left_out":
                now = {(one["thing"], one["id"], one["why"]) for one in now}
            if name == "results":
                for one, other in zip(value, now):
                    self.alike(one, other, what)
            elif now != value:
                raise Problem(f"{what}: {name} is {now!r}, the model says {value!r}")

    def others_are_right(self, user, list_, before, loose):
        """Refusals, repeats and looks: each is right at one moment, and those of a person in their order."""
        since, last = before, len(self.states) - 1
        for place, (method, params, error, result) in enumerate(list_):
            if result and result.get("made"):
                if not loose and result["revision"] <= since and since > before:
                    raise Problem(f"{user}'s {method} was made before what was asked before it")
                since = since if loose else result["revision"]
                continue
            until = last if loose else next((one[3]["revision"] - 1 for one in list_[place + 1:]
                                             if one[3] and one[3].get("made")), last)
            self.note(f"   {user} {method} {params} -> {error or {name: result[name] for name in ('revision', 'repeated') if name in result}}")
            if method == "world.join":
                if not since <= result["revision"] <= until:
                    raise Problem(f"{user} looked at revision {result['revision']}, between {since} and {until}")
                self.document_is_right(result)
                continue
            said = []
            for revision in range(since, until + 1):
                said.append(self.is_right_at(revision, user, method, params, error, result))
                if said[-1] is None:
                    since = since if loose else revision
                    break
            else:
                raise Problem(f"{user}'s {method} {params}: {error or result}; from revision {since} the model says {said}")

    def is_right_at(self, revision, user, method, params, error, result):
        """None, or what the model says."""
        try:
            wanted = self.model(revision).do(user, method, params)
        except Refused as refused:
            return None if error and refused.tells(error) else f"{revision}: {refused!r}"
        first = self.first_answers.get((user, params.get("edit_id")))
        if not error and wanted.get("repeated") and result == {**first, "repeated": True}:
            return None
        return f"{revision}: {wanted}"

    def notice_is_right(self, notice):
        user, method = self.claims[notice["revision"]]
        flipped = notice["undo_of"] or notice["redo_of"]
        if (notice["user"], notice["method"], notice["omitted"]) != (user, method, []) or \
                bool(notice["undo_of"]) != (method == "edit.undo") or bool(notice["redo_of"]) != (method == "edit.redo"):
            raise Problem(f"revision {notice['revision']} is {method} by {user}, and was told as {notice}")
        if flipped and self.model(notice["revision"]).deeds[-1].revision != flipped:
            raise Problem(f"revision {notice['revision']} was told to be of {flipped}")

    def document_is_right(self, joined):
        differs = self.model(joined["revision"]).differs(joined)
        if differs:
            raise Problem(f"the document at revision {joined['revision']}: " + "; ".join(differs))

    # -- at the end

    def end(self):
        revision = len(self.states) - 1
        last = self.watcher.call("world.hash", world=self.world)
        log = self.watcher.call("edit.log", world=self.world)["edits"]
        told = [(one["revision"], one["user"], one["method"]) for one in log]
        if told != [(number, *self.claims[number]) for number in range(1, revision + 1)]:
            raise Problem(f"the log tells {told}")
        branch = self.watcher.call("world.branch", world=self.world, name=f"{self.name}-twig")
        twig = self.watcher.call("world.hash", world=branch["world"])
        if twig["hash"] != last["hash"] or branch["refused"]:
            raise Problem(f"the same again from the records comes to {twig}, refused {branch['refused']}; it was {last}")
        with Peer(self.place.address) as peer:  # which sends arrays as they came
            document = peer.call("world.save", world=self.world)["document"]
            opened = peer.call("world.open", name=f"{self.name}-copy", document=document)
        copy = self.watcher.call("world.hash", world=opened["world"])
        if copy["hash"] != last["hash"]:
            raise Problem(f"the world that was saved and opened has {copy}; it was {last}")


# ---------------------------------------------------------------------------------------------------------
# Servers


class Host:
    """A server for programs that need none of their own, and one on a folder for those that kill it."""

    def __init__(self):
        self.servers, self.runs = {}, 0
        self.folder = tempfile.mkdtemp(prefix="weft-together-")

    def fresh(self):
        self.runs += 1
        return self.runs

    def server(self, kept):
        server = self.servers.get(kept)
        if server and not server.alive():
            lines = server.lines[-30:]
            self.servers.pop(kept).kill()
            raise Problem("the server ended:\n" + "\n".join(lines))
        if not server:
            server = self.servers[kept] = Server("--threads", "2", *(("--data", self.folder) if kept else ()))
        return server

    def again(self):
        self.servers.pop(True).kill()

    def close(self):
        try:
            for server in self.servers.values():
                if server.stop() != 0:
                    raise AssertionError("the server ended badly:\n" + "\n".join(server.lines[-60:]))
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


def fails(host, given, tries=1):
    """(what is wrong, what was done) of the first try that fails, or None."""
    for _ in range(tries):
        run = None
        try:
            run = Run(host, given)
            run.run()
        except (Problem, AssertionError, WeftError, Closed, OSError) as problem:
            return f"{type(problem).__name__}: {problem}", run.lines if run else []
    return None


def smaller(given):
    """Programs with a part left out, the largest first."""
    rounds = given["rounds"]
    size = len(rounds) // 2
    while size >= 1:
        for first in range(0, len(rounds), size):
            yield {**given, "rounds": rounds[:first] + rounds[first + size:]}
        size //= 2
    for number, one in enumerate(rounds):
        for place, operation_ in enumerate(one["operations"]):
            less = [{**one, "operations": one["operations"][:place] + one["operations"][place + 1:]}]
            if operation_["cut"]:
                less.append({**one, "operations": [{**other, "cut": "" if other is operation_ else other["cut"]}
                                                   for other in one["operations"]]})
            for changed in less:
                yield {**given, "rounds": rounds[:number] + [changed] + rounds[number + 1:]}


def shrink(host, given, failure):
    ends = time.monotonic() + SHRINK_S
    found = True
    while found and time.monotonic() < ends:
        found = False
        for candidate in smaller(given):
            if time.monotonic() > ends:
                break
            now = fails(host, candidate, 2)
            if now:
                given, failure, found = candidate, now, True
                break
    return given, failure


class Together(unittest.TestCase):
    def test_all_comes_to_what_the_model_says(self):
        host = Host()
        self.addCleanup(host.close)
        for seed in range(FIRST, FIRST + SEEDS):
            given = program(seed)
            failure = fails(host, given)
            if failure:
                given, (what, lines) = shrink(host, given, failure)
                self.fail(f"seed {seed} (WEFT_SEED={seed} tries it again): {failure[0]}\nmade smaller: {what}\n" + "\n".join(lines))
        if host.servers.get(True) and os.environ.get("WEFT"):
            self.assertEqual(host.servers.pop(True).stop(), 0)
            run = subprocess.run([os.environ["WEFT"], "verify", host.folder], capture_output=True, text=True,
                                 timeout=120 * SLOW, check=False)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
