"""People at work over lines that break all the time: each edit is made once, and each is told to all, without gap or repeat.

WEFT_SEEDS says how many schedules are tried, WEFT_SEED which comes first."""

import concurrent.futures
import os
import threading
import unittest

from bad_line import BadLine, Stubborn
from weft_peer import ServerTest

SEEDS = int(os.environ.get("WEFT_SEEDS", "20"))
FIRST = int(os.environ.get("WEFT_SEED", "1"))
CLIENTS, EDITS = 3, 25


class BadLines(ServerTest):
    def test_each_edit_is_made_once_and_told_once(self):
        # Several at a time, since most of each is waiting.
        with concurrent.futures.ThreadPoolExecutor(6) as together:
            resumed = sum(together.map(self.one, range(FIRST, FIRST + SEEDS)))
        self.assertGreater(resumed, SEEDS)  # the lines did break

    def one(self, seed):
        maker = self.peer(hello={})
        world = maker.call("world.create", name=f"line-{seed}")["world"]
        line = BadLine(self.server.address, seed)
        people = [Stubborn(line, f"person-{number}", seed * 100 + number) for number in range(CLIENTS)]
        problems = []

        def live(person, number):
            try:
                self.work(person, number, world)
            except Exception as error:  # told in the test's own thread
                problems.append(f"{person.user}: {error!r}")

        threads = [threading.Thread(target=live, args=(person, number)) for number, person in enumerate(people)]
        try:
            line.good.set()
            for person in people:
                person.revisions[world] = person.call("world.join", world=world)["revision"]
            line.good.clear()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(problems, [], f"seed {seed}")
            joined = maker.call("world.join", world=world)
            names = sorted(one["name"] for one in joined["colliders"])
            self.assertEqual(names, sorted(f"thing-{number}-{edit}" for number in range(CLIENTS) for edit in range(EDITS)))
            self.assertEqual(joined["revision"], CLIENTS * EDITS)
            for person in people:
                self.assertEqual(person.repeated, [])
                self.assertEqual(person.anew, 0)
            return sum(person.resumed for person in people)
        finally:
            line.close()
            for person in people:
                person.close()
            maker.call("world.delete", world=world)
            maker.close()

    def work(self, person, number, world):
        asked = []
        for edit in range(EDITS):
            asked.append(person.request("collider.add", world=world, kind="sphere", radius=0.1,
                                        name=f"thing-{number}-{edit}"))
            if person.random.random() < 0.3:
                person.step(float("inf"), 0.001)
        person.until(lambda: not person.unanswered, "all answers")
        for one in asked:
            error, result = person.answers[one]
            if error:
                raise AssertionError(f"an edit was refused: {error}")
        revisions = [person.answers[one][1]["revision"] for one in asked]
        if revisions != sorted(set(revisions)):
            raise AssertionError(f"answers are out of order: {revisions}")
        # What was told, from where it joined to the end, is everything, once.
        person.until(lambda: person.told.get(world, [0])[-1] == CLIENTS * EDITS, "the last edit")
        told = person.told[world]
        if told != list(range(1, CLIENTS * EDITS + 1)):
            raise AssertionError(f"what was told has gaps or repeats: {told}")



if __name__ == "__main__":
    unittest.main()
