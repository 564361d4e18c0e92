#!/usr/bin/env python3
"""Two people in one world, with asyncio: Ada builds, Bob sees each edit and each frame, and both pull at the cloth.

    edit_together.py [--server HOST:PORT]
"""
from __future__ import annotations

import argparse
import asyncio

import weft


async def bob_looks_on(bob: weft.aio.Client, edits: int) -> None:
    """Prints the edits of all people."""
    for _ in range(edits):
        notice = (await bob.notice("world.edited", timeout=10)).params
        print(f"Bob sees revision {notice.revision}: {notice.user} did {notice.method}")


async def pull(body: weft.aio.Body, particle: int, stream: weft.aio.Stream, by: float) -> float:
    """Holds a particle, drags it along z, and returns how far it came. A grab belongs to the person who began it."""
    async with stream:
        frame = await stream.next(timeout=10)
        begin = frame[body].positions[particle].copy()
        async with await body.grab(particle, compliance=1e-4) as grab:
            for step in range(1, 21):
                grab.drag(begin + [0, 0, by * step / 20])
                frame = await stream.next(timeout=10)
            # What was dragged last is reached a few ticks later.
            for _ in range(30):
                frame = await stream.next(timeout=10)
        return float(frame[body].positions[particle][2] - begin[2])


async def main() -> None:
    parser = argparse.ArgumentParser(description="Two people edit one world.")
    parser.add_argument("--server", help="HOST:PORT (WEFT_SERVER, or 127.0.0.1:9338)")
    options = parser.parse_args()

    async with weft.aio.connect(options.server, user="Ada") as ada, weft.aio.connect(options.server, user="Bob") as bob:
        async with await ada.create(damping=1.0) as world:
            theirs = bob.world(world.ref)  # the same world, over Bob's connection
            # Joining gives the document as it is, and every edit after it without a gap.
            document = await theirs.join()
            people = ", ".join(person.user for person in document.people)
            print(f"Bob joins at revision {document.revision}; joined so far: {people}")
            looking = asyncio.create_task(bob_looks_on(bob, edits=3))

            cloth = await world.add_body("cloth", **weft.shapes.sheet(15, 15), name="cloth", pins=[0, 14],
                                         stretch={"compliance": 1e-5})
            await world.add_collider("plane", position=[0, -1.5, 0])
            await theirs.body("cloth").set(stretch={"compliance": 1e-6})
            await looking

            await world.play()
            # Each pulls at a corner of their own, at the same time.
            moved = await asyncio.gather(
                pull(cloth, 14 * 15, await world.subscribe(), by=0.4),
                pull(theirs.body(cloth.id), 15 * 15 - 1, await theirs.subscribe(), by=-0.4))
            print(f"Ada's corner came {moved[0]:+.2f} m, Bob's {moved[1]:+.2f} m")

            try:
                await theirs.body("cloth").set(stretch={"compliance": -1.0})
            except weft.Invalid as error:
                print(f"Bob is told: {error.text} (field {error.field})")


if __name__ == "__main__":
    asyncio.run(main())
