#!/usr/bin/env python3
"""Three brokers and three servers, each on a machine of its own (namespaces.py), worlds that play, people who edit, and a schedule
of what breaks.

    cluster.py [--rounds N | --once] [--seed S] [--only KIND,...] [--longest SECONDS] [--clusters N]

A round breaks one thing, or now and then two, for a while, and then mends it:

    kill      a server or broker is killed (SIGKILL), and started again
    pause     it is stopped (SIGSTOP), and wakes
    part      it is cut off from all other machines, sometimes from clients too
    oneway    the same, but only what it sends is lost, or only what is sent to it
    clock     a server's wall clock jumps, and jumps back (wall_clock.c, which WEFT_WALL_CLOCK_LIBRARY names; without it this is left
              out). A broker reads its clock without libc, and a kernel has one wall clock for all namespaces: theirs stays
    disk      a server's or a broker's disk is full to the last page, and has room again
    wake      the server that runs most worlds is stopped, now and then for a minute; who was connected to it all the time has edits in
              its sockets when it wakes
    append    while many edits are under way in every world, and megabytes besides, the broker that leads a world's stream is killed, or two
              brokers, or all three, a moment after a megabyte was sent; and started again

Meanwhile people edit all worlds through servers at random (people.py). When everything answers again all three servers tell the same owner of
each world, and know each other; and held.py says what has to hold.

Most of a round is waiting: for a lease to lapse, for brokers to elect a leader. So --clusters has several clusters side by side, that know nothing of
each other; each has its part of the rounds, and a seed of its own. With --once there is a round for each kind, and clusters share the kinds.

Namespaces take root: without it, or without nats-server (WEFT_NATS_SERVER), it is skipped (77). A round that fails prints the seed, and logs
and folders stay.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import namespaces
from held import Edits, Failed, Folders, World, check_worlds, require
from namespaces import Machine
from people import MENDED_S, Caller, Flooder, Loader, Reader, Sitter, Writer

import brokers
import weft
from weft_peer import Closed, Server, WeftError

KINDS = ("kill", "pause", "part", "oneway", "clock", "disk", "wake", "append")
OF_SERVERS, OF_BROKERS = ("clock", "wake"), ("append",)
WORLDS = ("one", "two", "three", "four")
WRITERS = 3
DISK_BYTES = 192 << 20


# -- what runs


def set_clock(server, seconds):
    """So far it is off from now on: the file is mapped, and so must stay the same one."""
    with open(server.clock, "r+b" if server.clock.exists() else "xb") as file:
        file.write(seconds.to_bytes(8, sys.byteorder, signed=True))


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.clock = os.environ.get("WEFT_WALL_CLOCK_LIBRARY")
        namespaces.begin()
        self.brokers = [Machine(f"b{i + 1}", 11 + i, folder, DISK_BYTES) for i in range(3)]
        self.servers = [Machine(f"s{i + 1}", 21 + i, folder, DISK_BYTES) for i in range(3)]
        self.machines = self.brokers + self.servers
        self.plain = {key: value for key, value in os.environ.items() if not key.startswith("WEFT")}
        for broker in self.brokers:
            self._configure_broker(broker)
            broker.start()
        hosts = ",".join(broker.address for broker in self.brokers)
        for server in self.servers:
            server.place = f"{server.address}:9338"
            server.command = [os.environ["WEFTD"], "--insecure", "--listen", server.place, "--http", "none", "--threads", "1",
                              "--data", str(server.disk), "--server-name", server.name, "--keep", "1h,64M",
                              "--store", f"nats://{hosts}", "--store-check", f"nats://sys:pw@{hosts}"]
            server.environment = {**self.plain, **self._clock_of(server)}

    def _configure_broker(self, broker):
        routes = ", ".join(f'"nats://{other.address}:6222"' for other in self.brokers if other is not broker)
        config = pathlib.Path(self.folder, f"{broker.name}.conf")
        # A limit that is far above the disk, so that it is the disk that says no.
        config.write_text(f'server_name: {broker.name}\nlisten: "{broker.address}:4222"\nhttp: "{broker.address}:8222"\n'
                          f'jetstream {{ store_dir: "{broker.disk}", sync_interval: always, max_file_store: 1GB }}\n'
                          "accounts { $SYS { users: [ { user: sys, password: pw } ] } }\n"
                          f'cluster {{ name: weft, listen: "{broker.address}:6222", routes: [ {routes} ] }}\n')
        broker.command, broker.environment = [brokers.program(), "-c", str(config)], self.plain

    def _clock_of(self, server):
        if not self.clock:
            return {}
        server.clock = pathlib.Path(self.folder, f"{server.name}.clock")
        set_clock(server, 0)
        return {"LD_PRELOAD": self.clock, "WEFT_WALL_CLOCK": str(server.clock)}

    def healthy(self, broker, timeout=2):
        """Whether it answers and has all streams that it should."""
        return self._page(broker, "healthz", timeout).get("status") == "ok"

    def gave_up(self, broker):
        """Whether it has ceased to keep streams."""
        return bool(self._page(broker, "jsz").get("disabled"))

    def leader(self, stream):
        """The broker that leads it, as far as any of them tells; or None."""
        for broker in self.brokers:
            for account in self._page(broker, "jsz?accounts=true&streams=true").get("account_details", []):
                for one in account.get("stream_detail", []):
                    if one["name"] == stream and one["cluster"].get("leader"):
                        return next(other for other in self.brokers if other.name == one["cluster"]["leader"])
        return None

    @staticmethod
    def _page(broker, name, timeout=2):
        try:
            with urllib.request.urlopen(f"http://{broker.address}:8222/{name}", timeout=timeout) as page:
                return json.load(page)
        except OSError:  # and an answer that it is not well
            return {}

    def start_dead(self):
        """Starts whatever ended. Of what was not killed here the log tells why; a signal is a fault."""
        for machine in self.machines:
            status = machine.process.poll() if machine.process else 0
            if status is None:
                continue
            if machine.process and status != -9:
                last = machine.log.read_text(errors="replace").strip().splitlines()[-1:]
                print(f"    {machine.name} ended with status {status}: {' '.join(last)[:300]}", flush=True)
                require(status >= 0, f"{machine.name} was ended by signal {-status}")
            machine.start()

    def close(self):
        for machine in self.machines:
            if machine.process and machine.process.poll() is None:
                machine.kill()


# -- what breaks


class Fault:
    """One thing that breaks: kind, machine, how long, and what is left to do for mending. people: who came for it."""

    def __init__(self, schedule, kind, able):
        """able: machines of which one breaks."""
        self.schedule, self.cluster, self.kind = schedule, schedule.cluster, kind
        dice, longest = schedule.dice, schedule.options.longest
        self.machine = dice.choice(able)
        # Half of them are over before a lease is.
        self.seconds = min(longest, dice.choice((dice.uniform(0.5, 1.5), dice.uniform(0.5, 2), dice.uniform(3.5, 12),
                                                 dice.uniform(10, 60))))
        self.clients_too = dice.random() < 0.5
        self.way = dice.choice(("from", "to"))
        self.jump = dice.choice((-1, 1)) * dice.choice((2, 60, 3600, 86400 * 40))
        self.people = []
        if kind == "wake":
            self.seconds = min(longest, dice.choice((4, dice.uniform(4, 15), 60)))
        elif kind == "append":
            self.seconds = min(longest, dice.choice((0.1, dice.uniform(0.1, 6))))
            self.brokers_lost = dice.choice((1, 2, 3))
            self.after_sent = dice.uniform(0, 0.08)
            self.seeds = [dice.random() for _ in range(len(WORLDS) + 1)]

    def __str__(self):
        more = {"oneway": f" {self.way} it", "clock": f" by {self.jump} s",
                "append": f" and {self.brokers_lost - 1} more" if self.kind == "append" and self.brokers_lost > 1 else ""}.get(self.kind, "")
        more += " with clients" if self.kind in ("part", "oneway") and self.clients_too else ""
        return f"{self.kind} {self.machine.name}{more} for {self.seconds:.1f} s"

    def begin(self):
        if self.kind == "kill":
            self.machine.kill()
        elif self.kind == "pause":
            self.machine.freeze()
        elif self.kind == "clock":
            set_clock(self.machine, self.jump)
        elif self.kind == "wake":
            self._sit_and_freeze()
        elif self.kind == "append":
            self._kill_amid_appends()
        self.cut()

    def _sit_and_freeze(self):
        """The one that has most to lose, among people who stay with it."""
        owners = self.schedule.owners()
        self.machine = max(self.cluster.servers, key=lambda one: sum(owner == one.name for owner in owners.values()))
        worlds = [world for world in self.schedule.worlds if owners.get(world.name) == self.machine.name]
        self.people = [Sitter(f"sitter-{self.schedule.number}", self.machine, worlds, None)]
        self.machine.freeze()

    def _kill_amid_appends(self):
        sent = threading.Event()
        target = []

        def note(world):
            target[:] = [world]
            sent.set()

        number = self.schedule.number
        self.people = [Flooder(f"flood-{number}-{world}", self.cluster.servers, world, random.Random(seed))
                       for world, seed in zip(WORLDS, self.seeds)]
        self.people.append(Loader(f"load-{number}", self.cluster.servers, WORLDS, random.Random(self.seeds[-1]), note))
        self.people.append(Reader(f"reader-{number}", self.cluster.servers, self.schedule.worlds, random.Random(self.seeds[-1])))
        for person in self.people:
            person.begin()
        time.sleep(0.5)
        sent.clear()
        sent.wait(MENDED_S)
        led = next(world.id for world in self.schedule.worlds if world.name == target[0])
        leader = self.cluster.leader(f"weft-w-{led}")
        sent.clear()
        sent.wait(MENDED_S)
        time.sleep(self.after_sent)
        if leader:  # there is none where something else broke
            self.machine = leader
        others = [one for one in self.cluster.brokers if one is not self.machine]
        self.killed = [self.machine, *others][:self.brokers_lost]
        for one in self.killed:
            one.kill()

    def cut(self):
        if self.kind not in ("part", "oneway"):
            return
        others = [one for one in self.cluster.machines if one is not self.machine]
        if self.kind == "part" or self.way == "from":
            self.machine.lose([one.address for one in others] + [namespaces.HOST] * self.clients_too)
        if self.kind == "part" or self.way == "to":
            for other in others:
                other.lose([self.machine.address])

    def go_on(self):
        if self.kind == "disk":
            self.machine.fill()

    def mend(self):
        if self.kind == "pause":
            self.machine.thaw()
        elif self.kind == "wake":
            self._wake()
        elif self.kind == "append":
            for one in self.killed:
                if one.process.poll() is not None:
                    one.start()
        elif self.kind == "clock":
            set_clock(self.machine, 0)
        elif self.kind == "disk":
            self.machine.free()
        elif self.kind in ("part", "oneway"):
            for machine in self.cluster.machines:
                machine.heal()

    def _wake(self):
        for sitter in self.people:
            sitter.send()
        self.machine.thaw()
        for sitter in self.people:
            sitter.begin()


# -- a schedule


class Schedule:
    def __init__(self, options, folder):
        self.options = options
        self.dice = random.Random(options.seed)
        self.cluster = Cluster(folder)
        self.servers = self.cluster.servers
        self.kinds = [kind for kind in options.only.split(",") if kind != "clock" or self.cluster.clock]
        self.writers = [Writer(f"w{i + 1}", self.servers, WORLDS, random.Random(self.dice.random())) for i in range(WRITERS)]
        self.askers = [Writer(f"asker-{server.name}", [server], WORLDS, random.Random(self.dice.random())) for server in self.servers]
        self.edits, self.folders = Edits(), Folders(self.servers)
        self.number = 0
        self.done = collections.Counter()
        self.deck = []
        self.last_fault = ""
        self.referee = Server("--threads", "1")
        self.worlds = []
        self.peers = {}

    def begin(self):
        self._until("brokers agree", lambda: None if all(map(self.cluster.healthy, self.cluster.brokers)) else "they do not")
        self._cuts_cut()
        self.cluster.start_dead()
        self._until("servers begin", self._whole_but_worlds)
        for i, name in enumerate(WORLDS):
            with weft.connect(self.servers[i % 3].place, timeout=MENDED_S) as client:
                self.worlds.append(World(name, client, self.referee.address))
        self._until("worlds are known", self._broken)

    def _cuts_cut(self):
        """A cut loses what it is to lose, or no round would mean anything."""
        broker = self.cluster.brokers[0]
        broker.lose([namespaces.HOST])
        require(not self.cluster.healthy(broker, timeout=0.5), "a machine is heard that was cut off")
        broker.heal()
        self._until("a machine that was cut off is heard again", lambda: None if self.cluster.healthy(broker) else "it is not")

    def _until(self, what, wrong):
        """Waits until nothing is wrong."""
        began = time.monotonic()
        while reason := wrong():
            require(time.monotonic() - began < MENDED_S, f"{what}: not after {MENDED_S} s: {reason}")
            time.sleep(0.1)

    def _ask(self, server, *methods):
        """Answers of one server, itself; None where it does not."""
        try:
            if server not in self.peers:
                self.peers[server] = Caller(server.place)
                self.peers[server].answer(self.peers[server].request("session.hello", errors="map", follow=True), 2)
            return [self.peers[server].answer(self.peers[server].request(method), 2) for method in methods]
        except (OSError, Closed, AssertionError, WeftError):
            if server in self.peers:
                self.peers.pop(server).close()
            return None

    def _unlisted(self):
        for server in self.servers:
            told = self._ask(server, "server.list")
            if not told:
                return f"{server.name} does not answer"
            known = {one["server"] for one in told[0]["servers"] if one["beat_age_ms"] < 3000}
            if known != {one.name for one in self.servers}:
                return f"{server.name} knows {sorted(known)}"
        return None

    def owners(self):
        """Of each world, as far as any server tells."""
        for server in self.servers:
            told = self._ask(server, "world.list")
            if told:
                return {one["name"]: one.get("server", server.name) for one in told[0]["worlds"]}
        return {}

    def _broken(self):
        """Why it is not whole: each world has one owner, of whom all tell, and everybody answers."""
        reason = self._unlisted()
        if reason:
            return reason
        owners = collections.defaultdict(list)
        for server in self.servers:
            for one in (self._ask(server, "world.list") or [{"worlds": []}])[0]["worlds"]:
                owners[one["name"]].append((one.get("server", server.name), "server" not in one))
        for name in WORLDS:
            told = owners[name]
            if len(told) != 3 or len({owner for owner, _ in told}) != 1 or sum(here for _, here in told) != 1:
                return f"{name} is at {told}"
        if set(owners) != set(WORLDS):
            return f"worlds are {sorted(owners)}"
        return None

    def _mend_brokers(self):
        """A broker that found no room keeps streams no more until it is started again."""
        unwell = []
        for broker in self.cluster.brokers:
            if self.cluster.gave_up(broker):
                print(f"    {broker.name} keeps no streams any more: started again", flush=True)
                broker.kill()
            if not self.cluster.healthy(broker):
                unwell.append(broker.name)
        self.cluster.start_dead()
        return f"brokers {unwell} are not well" if unwell else None

    def _whole_but_worlds(self):
        return self._mend_brokers() or self._unlisted()

    def _whole(self):
        return self._mend_brokers() or self._broken()

    def _edits_through_all(self):
        """Each server takes an edit of each world, from somebody who has just come."""
        def ask(asker):
            for world in WORLDS:
                asker.drop()
                require(asker.edit(world, give_up_s=MENDED_S),
                        f"{world} takes no edit through {asker.servers[0].name}: {asker.errors}")

        with concurrent.futures.ThreadPoolExecutor(len(self.askers)) as pool:
            list(pool.map(ask, self.askers))

    def _shuffled(self):
        """Each kind, once to a server and once to a broker; or to one of both."""
        cards = [(kind, group) for kind in self.kinds for group in (self.servers, self.cluster.brokers)
                 if kind not in (OF_BROKERS if group is self.servers else OF_SERVERS)]
        cards = self.dice.sample(cards, len(cards))
        return list(dict(cards).items()) if self.options.once else cards

    def _break(self):
        faults = []
        for _ in range(1 if self.options.once or self.dice.random() < 0.8 else 2):
            if not self.deck:
                self.deck = self._shuffled()
            kind, group = self.deck.pop()
            busy = [fault.machine for fault in faults]
            faults.append(Fault(self, kind, [one for one in group if one not in busy]))
        self.last_fault = " and ".join(map(str, faults))
        for fault in faults:
            fault.begin()
            fault.until = time.monotonic() + fault.seconds
        self.last_fault = " and ".join(map(str, faults))
        waiting = list(faults)
        while waiting:
            time.sleep(0.05)
            for fault in list(waiting):
                fault.go_on()
                if time.monotonic() > fault.until:
                    fault.mend()
                    waiting.remove(fault)
                    for other in waiting:
                        other.cut()  # all cuts are mended at once
        return faults

    def round(self, number):
        self.number = number
        for writer in self.writers:
            writer.begin()
        time.sleep(self.dice.uniform(0.1, 0.6))
        faults = self._break()
        mended = time.monotonic()
        self.cluster.start_dead()
        self._until("whole again", self._whole)
        self._edits_through_all()
        whole = time.monotonic() - mended
        came = [person for fault in faults for person in fault.people]
        for person in [*self.writers, *came]:
            person.end()
        check_worlds(self.worlds, self.servers[number % 3].place, whole=number % 20 == 0)
        self.edits.check(self.worlds, [*self.writers, *self.askers, *came])
        self.folders.check()
        for fault in faults:
            self.done[fault.kind] += 1
        print(f"{number:4} {self.last_fault}: all answers {whole:.1f} s after; the longest wait {max(one.longest for one in self.writers):.1f} s; "
              f"{len(self.edits.answered)} edits answered", flush=True)

    def end(self):
        check_worlds(self.worlds, self.servers[0].place, whole=True)
        errors = sum((one.errors for one in self.writers), collections.Counter())
        print(f"kinds {dict(self.done)}; {sum(one.given_up for one in self.writers)} edits given up; refused meanwhile {dict(errors)}; "
              f"{sum(world.jumped for world in self.worlds)} entries by clocks that were wrong; {self.edits.told} told by sleepers that woke; "
              f"{len(self.folders.chains)} entries in folders", flush=True)

    def tell(self):
        """The answers, for people who look into a failure."""
        told = {name: list(edit) for one in [self.edits, *self.writers, *self.askers] for name, edit in one.answered.items()}
        pathlib.Path(self.cluster.folder, "answered.json").write_text(json.dumps(told, indent=1))

    def close(self):
        for writer in self.writers:
            writer.stopping.set()
        self.cluster.close()
        self.referee.kill()


def saved(folder):
    """The disks go with the namespace: copies of them."""
    place = tempfile.mkdtemp(prefix="weft-schedule-failed-")
    shutil.copytree(folder, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("full", "reserve"))
    return place


def run(options, folder):
    schedule = Schedule(options, folder)
    number = 0
    print(f"--seed {options.seed}, kinds {', '.join(schedule.kinds)}", flush=True)
    try:
        schedule.begin()
        rounds = len(schedule.kinds) if options.once else options.rounds
        while number < rounds:
            number += 1
            schedule.round(number)
        schedule.end()
        return 0
    except Exception as error:
        schedule.tell()
        kind = "" if isinstance(error, Failed) else f"{type(error).__name__}: "
        print(f"FAILED in round {number} of --seed {options.seed} ({schedule.last_fault}): {kind}{error}\nlogs: {saved(folder)}", flush=True)
        if kind:
            raise
        return 1
    finally:
        schedule.close()


def part_of(count, number, clusters):
    return (count + number) // clusters


def side_by_side(options):
    """Each cluster is a program of its own; what it prints is told with its seed."""
    running = []
    for i in range(options.clusters):
        own = ["--clusters", "1", "--seed", str(options.seed + i), "--longest", str(options.longest)]
        if options.once:
            own += ["--once", "--only", ",".join(options.only.split(",")[i::options.clusters])]
        else:
            own += ["--rounds", str(part_of(options.rounds, i, options.clusters)), "--only", options.only]
        running.append(subprocess.Popen([sys.executable, __file__, *own], stdout=subprocess.PIPE, text=True))

    def tell(process, seed):
        for line in process.stdout:
            print(f"[{seed}] {line}", end="", flush=True)
        return process.wait()

    try:
        with concurrent.futures.ThreadPoolExecutor(len(running)) as pool:
            statuses = list(pool.map(tell, running, range(options.seed, options.seed + options.clusters)))
    finally:
        for process in running:
            process.terminate()
    return next((status for status in statuses if status not in (0, 77)), max(statuses))


def parsed():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("--longest", type=float, default=60, help="seconds that something is broken at most")
    parser.add_argument("--once", action="store_true", help="a round for each kind")
    parser.add_argument("--clusters", type=int, default=1, help="so many side by side")
    options = parser.parse_args()
    if set(options.only.split(",")) - set(KINDS):
        parser.error(f"kinds are {', '.join(KINDS)}")
    if not 1 <= options.clusters <= (len(options.only.split(",")) if options.once else options.rounds):
        parser.error("--clusters is from 1 to the number of rounds")
    return options


def main():
    options = parsed()
    if options.clusters > 1:
        return side_by_side(options)
    if not brokers.program() or subprocess.call([brokers.program(), "--version"], stdout=subprocess.DEVNULL):
        print("no nats-server: skipped")
        return 77
    reason = namespaces.enter()
    if reason:
        print(f"{reason}: skipped")
        return 77
    folder = tempfile.mkdtemp(prefix="weft-schedule-")
    try:
        return run(options, folder)
    finally:
        subprocess.run(["umount", "-q", *(str(one) for one in pathlib.Path(folder).iterdir() if one.is_mount())], check=False)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
