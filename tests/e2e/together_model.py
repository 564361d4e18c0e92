"""What a world that many people edit is to be, as plain values: settings, bodies, colliders, the person who touched each thing last, what each
person can take back, which edit ids are known. Written from docs/concepts (undo.md, editing-together.md); nothing is computed
that a solver would have to.

    Model.do(user, method, params)      the answer, as far as it is foreseen; Refused, and then nothing has changed

Things are dicts of fields. What takes an edit back is a list of steps, each {"what": value}: a thing whole (None: it is not
there), some of its fields, pins, settings, the world's name. An id is given once."""

import copy

FLIPS = 8  # of one edit, as far back as a server tells what came of them
COLLIDER_PART = {"name": "name", "position": "pose", "radius": "size", "friction": "friction"}
TERMS = ("world", "if_revision", "if_thing_revision", "edit_id")


class Refused(Exception):
    """An edit that is not made. What is None is not foreseen."""

    def __init__(self, code, field=None, revision=None, user=None):
        super().__init__(code, field, revision, user)
        self.code, self.field, self.revision, self.user = code, field, revision, user

    def tells(self, error):
        field = error["field"] or ""
        return (error["code"] == self.code
                and (self.field is None or field == self.field or field.startswith(self.field + "."))
                and (self.revision is None or error["revision"] == self.revision)
                and (self.user is None or error["user"] == self.user))


class Deed:
    """An edit that can be taken back, or was."""

    def __init__(self, revision, user, method, touches, back):
        self.revision = self.at = revision
        self.owner = self.mover = user
        self.method, self.touches, self.back = method, touches, back
        self.stands = True
        self.flips, self.older = [(revision, False)], 0

    def flip(self, revision, user, forced, back):
        if len(self.flips) == FLIPS:
            self.older = self.flips.pop(0)[0]
        self.flips.append((revision, forced))
        self.at, self.mover, self.back = revision, user, back
        self.stands = not self.stands

    def came_to_something(self, since):
        """A clean flip leads back to what was before the last one; a forced one to something new."""
        places, now, before, then = 0, 0, 0, 0
        for number, (revision, forced) in enumerate(self.flips):
            if number > 0 and not forced:
                before, now = now, before
            else:
                places += 1
                before, now = now, places
            if revision <= since:
                then = now
        return now != then or since < self.older


def meet(one, other):
    """Touches are (kind, id, part); a part of None is all of a thing."""
    return one[:2] == other[:2] and (one[2] == other[2] or one[2] is None or other[2] is None)


class Model:
    def __init__(self, name, settings):
        self.revision = 0
        self.name, self.settings, self.settings_touched = name, settings, (0, "")
        self.things = {"body": {}, "collider": {}}
        self.next = {"body": 1, "collider": 1}
        self.last = (0, "")
        self.deeds = []
        self.known = {}  # (user, edit_id): (method, what was asked, revision, answer)

    # -- finding

    def find(self, kind, ref):
        things = self.things[kind]
        for number, thing in things.items():
            if number == ref or (isinstance(ref, str) and thing["name"] == ref):
                return number
        raise Refused("NOT_FOUND", kind)

    def holder(self, kind, name):
        return next((number for number, one in self.things[kind].items() if name and one["name"] == name), None)

    def name_is_free(self, kind, number, name):
        if self.holder(kind, name) not in (None, number):
            raise Refused("CONFLICT", "name")

    # -- steps: what takes something back

    def step_of(self, step):
        """What would bring back what this step is about to change."""
        back = {}
        for what in step:
            if what[0] == "whole":
                back[what] = copy.deepcopy(self.things[what[1]].get(what[2]))
            elif what[0] == "part":
                thing = self.things[what[1]][what[2]]
                back[what] = {field: thing[field] for field in step[what]}
            elif what[0] == "pins":
                back[what] = {one: one in self.things["body"][what[1]]["pins"] for one in step[what]}
            elif what[0] == "settings":
                back[what] = {field: self.settings[field] for field in step[what]}
            elif what[0] == "name":
                back[what] = self.name
        return back

    def step_names(self, step):
        """Names that a step gives must be free of others than those it speaks of itself."""
        for kind in ("body", "collider"):
            given, removed = {}, set()
            for what, value in step.items():
                if what[0] in ("whole", "part") and what[1] == kind:
                    if value is None:
                        removed.add(what[2])
                    elif value.get("name") is not None:
                        given[what[2]] = value["name"]
            for number, name in given.items():
                other = self.holder(kind, name)
                taken = other not in (None, number) and other not in removed and other not in given
                if taken or (name and list(given.values()).count(name) > 1):
                    raise Refused("CONFLICT")

    def step_do(self, step, user):
        """Returns what takes it back."""
        for what in step:
            if what[0] == "part" and what[2] not in self.things[what[1]]:
                raise Refused("NOT_FOUND")
            if what[0] == "pins" and what[1] not in self.things["body"]:
                raise Refused("NOT_FOUND")
            if what[0] == "whole" and step[what] is not None and what[2] in self.things[what[1]]:
                raise Refused("CONFLICT")
        self.step_names(step)
        back = self.step_of(step)
        touch = (self.revision + 1, user)
        for what, value in step.items():
            if what[0] == "whole" and value is None:
                self.things[what[1]].pop(what[2], None)
            elif what[0] == "whole":
                self.things[what[1]][what[2]] = {**copy.deepcopy(value), "touched": touch}
            elif what[0] == "part":
                self.things[what[1]][what[2]].update(value, touched=touch)
            elif what[0] == "pins":
                body = self.things["body"][what[1]]
                body["pins"] = sorted({one for one in body["pins"] if one not in value} | {one for one in value if value[one]})
                body["touched"] = touch
            elif what[0] == "settings":
                self.settings.update(value)
                self.settings_touched = touch
            elif what[0] == "name":
                self.name, self.settings_touched = value, touch
        return back

    # -- edits

    def edit(self, user, method, params, before):
        """One edit, or one of a batch: (answer, touches, back). Steps are what it does, and so what takes it back is."""
        kind, verb = method.split(".")
        fields = {name: value for name, value in params.items() if name not in TERMS}
        revision = self.revision + 1
        if verb == "add":
            fields.setdefault("name", "")
            self.name_is_free(kind, None, fields["name"])
            number = self.next[kind]
            self.things[kind][number] = {**copy.deepcopy(self.made(kind, fields)), "touched": (revision, user)}
            self.next[kind] += 1
            return {kind: number, "revision": revision}, [(kind, number, None)], [{("whole", kind, number): None}]
        if kind == "world":
            self.thing_holds(params, before["settings"])
            step = {("settings",): {field: value for field, value in fields.items() if field != "name"}}
            if not step[("settings",)]:
                step = {}
            if "name" in fields:
                step[("name",)] = fields["name"]
            touches = [("settings", 0, field) for field in fields]
            return {"revision": revision}, touches, [self.step_do(step, user)]
        kind = "body" if kind == "particle" else kind
        number = self.find(kind, fields.pop(kind))
        if verb in ("pin", "unpin"):
            chosen = fields["particles"]
            self.thing_holds(params, before[kind].get(number))
            if len(set(chosen)) < len(chosen) or max(chosen) >= self.things[kind][number]["particles"]:
                raise Refused("INVALID", "particles")
            back = self.step_do({("pins", number): {one: verb == "pin" for one in chosen}}, user)
            return {"revision": revision}, [("particle", (number, one), 0) for one in chosen], [back]
        if verb == "remove":
            self.thing_holds(params, before[kind].get(number))
            return {"revision": revision}, [(kind, number, None)], [self.step_do({("whole", kind, number): None}, user)]
        if "name" in fields:
            self.name_is_free(kind, number, fields["name"])
        self.thing_holds(params, before[kind].get(number))
        touches = [(kind, number, COLLIDER_PART[field] if kind == "collider" else field) for field in fields]
        return {"revision": revision}, touches, [self.step_do({("part", kind, number): fields}, user)]

    @staticmethod
    def made(kind, fields):
        if kind == "collider":
            return {"position": [0, 0, 0], "radius": 1, "friction": 0.5, **fields}
        return {"name": fields["name"], "kind": fields["kind"], "particles": len(fields["positions"]) // 3,
                "pins": sorted(fields.get("pins", [])), "thickness": fields.get("thickness", 0),
                "friction": fields.get("friction", 0.3), "stretch": {"compliance": 0, "damping": 0, **fields.get("stretch", {})}}

    @staticmethod
    def thing_holds(params, touched):
        asked = params.get("if_thing_revision")
        if asked is not None and touched and touched[0] > asked:
            raise Refused("CONFLICT", "if_thing_revision", *touched)

    def touched(self):
        return {"settings": self.settings_touched,
                **{kind: {number: thing["touched"] for number, thing in things.items()} for kind, things in self.things.items()}}

    def batch(self, user, params):
        before, results, touches, back = self.touched(), [], [], []
        for place, (method, fields) in enumerate(params["edits"]):
            try:
                result, touched, steps = self.edit(user, method, fields, before)
            except Refused as refused:
                raise Refused(refused.code, f"edits[{place}]", refused.revision, refused.user) from None
            results.append(result)
            touches += touched
            back = steps + back
        return {"revision": self.revision + 1, "results": results}, touches, back

    # -- undo

    def deed_find(self, user, params, undo):
        if "revision" not in params:
            for deed in reversed(self.deeds):
                if deed.stands == undo and deed.back and (deed.owner if undo else deed.mover) == user:
                    return deed
            raise Refused("NOT_FOUND")
        deed = next((one for one in self.deeds if one.revision == params["revision"]), None)
        if not deed:
            raise Refused("NOT_FOUND", "revision")
        if deed.stands != undo:
            raise Refused("CONFLICT", "revision")
        if not deed.back:
            raise Refused("NOT_FOUND", "revision")
        if not params.get("force") and (deed.owner if undo else deed.mover) != user:
            raise Refused("DENIED", "revision", user=deed.owner)
        return deed

    def deed_conflict(self, deed):
        for other in reversed(self.deeds):
            if other.at > deed.at and other.came_to_something(deed.at) and any(
                    meet(one, two) or self.within(one, two) for one in deed.touches for two in other.touches):
                return other
        return None

    @staticmethod
    def within(one, other):
        """A particle, and its whole body."""
        for a, b in ((one, other), (other, one)):
            if a[0] == "particle" and b[0] == "body" and b[2] is None and a[1][0] == b[1]:
                return True
        return False

    def prune(self, steps):
        """What can no longer be, where it is forced: steps without it, and what was left out."""
        there = {kind: set(things) for kind, things in self.things.items()}
        removed, out, kept = {"body": set(), "collider": set()}, set(), []
        for step in steps:
            for what, value in step.items():
                if what[0] == "whole":
                    (there[what[1]].discard if value is None else there[what[1]].add)(what[2])
                    if value is None:
                        removed[what[1]].add(what[2])
            new = {}
            for what, value in step.items():
                kind = what[1] if what[0] in ("whole", "part") else "body"
                number = what[2] if what[0] in ("whole", "part") else what[1] if what[0] == "pins" else None
                if what[0] in ("part", "pins") and number not in there[kind]:
                    out.add((kind, number, f"{kind} {number} is gone"))
                    continue
                if what[0] in ("part", "whole") and value and value.get("name"):
                    other = self.holder(kind, value["name"])
                    if other not in (None, number) and other not in removed[kind]:
                        out.add((kind, number, f"its name is taken by {other}"))
                        value = {**value, "name": ""}
                        if what[0] == "part":
                            del value["name"]
                new[what] = value
            kept.append(new)
        return kept, out

    def undo(self, user, params, undo):
        deed = self.deed_find(user, params, undo)
        conflict, force = self.deed_conflict(deed), params.get("force", False)
        if conflict and not force:
            flipped = conflict.at != conflict.revision
            raise Refused("CONFLICT", "revision", conflict.at, conflict.mover if flipped else conflict.owner)
        steps, left_out = self.prune(deed.back) if force else (deed.back, set())
        self.revision_holds(params)
        before, back = self.touched(), []
        for step in steps:
            self.step_names(step)
            self.step_holds(params, step, before)
            back.insert(0, self.step_do(step, user))
        self.revision += 1
        deed.flip(self.revision, user, bool(force and conflict), back)
        self.deeds.remove(deed)
        self.deeds.append(deed)
        return {"revision": self.revision, "undone" if undo else "redone": {
            "revision": deed.revision, "method": deed.method, "user": deed.owner}, "left_out": left_out}

    def step_holds(self, params, step, before):
        touched = [before["settings"] if what[0] in ("settings", "name")
                   else before["body"].get(what[1]) if what[0] == "pins"
                   else before[what[1]].get(what[2]) if what[0] == "part" or (what[0] == "whole" and value is not None) else None
                   for what, value in step.items()]
        newest = max((one for one in touched if one), default=None)
        self.thing_holds(params, newest)

    # -- all

    def revision_holds(self, params):
        if params.get("if_revision") not in (None, self.revision):
            raise Refused("CONFLICT", "if_revision", *self.last)

    def do(self, user, method, params):
        key, asked = (user, params.get("edit_id")), {name: value for name, value in params.items() if name not in TERMS}
        if key[1] and key in self.known:
            known = self.known[key]
            if known[:2] != (method, asked):
                raise Refused("CONFLICT", "edit_id", known[2])
            return {**known[3], "repeated": True}
        if method in ("edit.undo", "edit.redo"):
            result = self.undo(user, params, method == "edit.undo")
        else:
            self.revision_holds(params)
            if method == "edit.batch":
                result, touches, back = self.batch(user, params)
            else:
                result, touches, back = self.edit(user, method, params, self.touched())
            self.revision += 1
            for deed in self.deeds:
                if not deed.stands and deed.mover == user:
                    deed.back = None
            self.deeds.append(Deed(self.revision, user, method, touches, back))
        self.last = (self.revision, user)
        if key[1]:
            self.known[key] = (method, asked, self.revision, result)
        return result

    # -- what others are told of it

    def differs(self, joined):
        """What world.join tells otherwise, or nothing."""
        said = [("revision", self.revision, joined["revision"]), ("name", self.name, joined["name"])]
        said += [(field, value, joined[field]) for field, value in self.settings.items()]
        for kind, told in (("body", joined["bodies"]), ("collider", joined["colliders"])):
            said.append((kind, sorted(self.things[kind]), [one[kind] for one in told]))
            for one in told:
                thing = self.things[kind].get(one[kind], {})
                for field, value in thing.items():
                    if field == "touched":
                        now = (one["touched"]["revision"], one["touched"]["user"])
                    else:
                        now = list(one[field]) if field in ("pins", "position") else one[field]
                    said.append((f"{kind} {one[kind]} {field}", value, now))
        return [f"{what}: {now!r}, the model says {wanted!r}" for what, wanted, now in said if wanted != now]
