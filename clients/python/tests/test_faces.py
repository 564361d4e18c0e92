"""Every method of api.json has its face, in both clients, with its parameters, their units, and its record."""
import inspect
import json
import keyword
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support
from support import API, ROOT, weft

from weft import aio, api, client

sys.path.insert(0, str(ROOT / "protocol"))
from generator import python as generator  # noqa: E402

METHODS = {method["name"]: method for method in API["methods"]}
GENERATE = ROOT / "protocol" / "generate.py"


def generate(changed):
    """Runs the generator on a changed api.json, writing elsewhere; returns its status and what it said."""
    with tempfile.TemporaryDirectory(prefix="weft-faces-") as folder:
        path = Path(folder) / "api.json"
        path.write_text(json.dumps(changed))
        run = subprocess.run([sys.executable, str(GENERATE), "--api", str(path), "--out", folder],
                             capture_output=True, text=True)
    return run.returncode, run.stderr


class Faces(unittest.TestCase):
    def test_every_method_has_a_face_and_no_face_is_without_a_method(self):
        self.assertEqual(set(api.FACES), set(METHODS))
        self.assertEqual(set(api.PARAMS), set(METHODS))
        self.assertEqual(set(api.RESULTS), set(METHODS))
        for module in (client, aio):
            for name, (owner, face) in api.FACES.items():
                self.assertTrue(callable(getattr(getattr(module, owner), face, None)), f"{module.__name__}: {name}")

    def test_faces_take_the_parameters_of_their_methods(self):
        bound = {"Client": set(), "World": {"world"}, "Body": {"world", "body"}, "Collider": {"world", "collider"},
                 "Constraints": {"world", "constraints"}, "Grab": {"world", "grab"}, "Stream": {"stream"}}
        # What was put back the world fills in, and nobody may say.
        fixed = {"session.hello": {"arrays", "errors"}, "edit.undo": {"back"}, "edit.redo": {"back"}}
        for module in (client, aio):
            for name, (owner, face) in api.FACES.items():
                with self.subTest(name, module=module.__name__):
                    function = getattr(getattr(module, owner), face)
                    self.assertEqual(inspect.iscoroutinefunction(function), module is aio)
                    given = inspect.signature(function).parameters
                    for field in METHODS[name]["params"]:
                        if field["name"] in bound[owner] | fixed.get(name, set()):
                            continue
                        known = field["name"] + "_" * keyword.iskeyword(field["name"])
                        self.assertIn(known, given)
                        is_required = given[known].default is inspect.Parameter.empty
                        self.assertEqual(is_required, field.get("required", False), known)
                        if "unit" in field:
                            # A line may break within a unit.
                            self.assertIn(f"[{field['unit']}]", " ".join(inspect.getdoc(function).split()))
                    self.assertIn(name, function.__doc__)

    def test_records_have_the_fields_of_the_results(self):
        records = [(api.RESULTS[name], method["result"]) for name, method in METHODS.items()]
        records += [(api.NOTICES[notice["name"]], notice["params"]) for notice in API["notifications"]]
        for record, fields in records:
            self.assertEqual(list(record.__annotations__ if fields else []), [field["name"] for field in fields])

    def test_errors_and_limits_are_those_of_the_list(self):
        self.assertEqual({code: made.kind for code, made in api.ERRORS.items()},
                         {error["code"]: error["kind"] for error in API["errors"]})
        for code, made in api.ERRORS.items():
            self.assertIs(getattr(weft, made.__name__), made, code)
        self.assertEqual(dict(api.LIMITS), {limit["name"]: limit["value"] for limit in API["limits"]})
        self.assertEqual((weft.VERSION, weft.API_LEVEL), (API["version"], API["api_level"]))

    def test_a_method_has_a_face_by_itself(self):
        changed = json.loads(json.dumps(API))
        self.assertEqual(generate(changed), (0, ""))
        world = {"name": "world", "type": "ref", "required": True, "doc": "Id."}
        body = {"name": "body", "type": "ref", "required": True, "doc": "Id."}
        entry = {"class": "query", "role": "viewer", "record": False, "since": 2, "doc": "Paints.", "result": []}
        wanted = {"world.paint": ("World", "paint"), "body.paint": ("Body", "paint"), "body.tally": ("World", "tally_body"),
                  "server.paint": ("Client", "paint"), "paint.mix": ("World", "mix_paint")}
        for name in wanted:
            params = {"body.paint": [world, body], "server.paint": []}.get(name, [world])
            changed["methods"].append({**entry, "name": name, "params": params})
        faces = generator.faces_of(changed)
        self.assertEqual({name: (faces[name].owner, faces[name].name) for name in wanted}, wanted)
        self.assertEqual(generate(changed), (0, ""))

    def test_two_methods_of_one_face_are_refused(self):
        changed = json.loads(json.dumps(API))
        added = next(method for method in changed["methods"] if method["name"] == "motion.remove")
        changed["methods"].append({**added, "name": "world.remove_motion"})
        status, said = generate(changed)
        self.assertEqual(status, 2)
        self.assertIn("World.remove_motion is another method's", said)

    def test_a_face_without_its_method_or_parameter_is_refused(self):
        changed = json.loads(json.dumps(API))
        changed["methods"] = [method for method in changed["methods"] if method["name"] != "world.play"]
        status, said = generate(changed)
        self.assertEqual(status, 2)
        self.assertIn("FACES of world.play: there is no such method", said)
        changed = json.loads(json.dumps(API))
        listed = next(method for method in changed["methods"] if method["name"] == "constraint.list")
        listed["params"] = [field for field in listed["params"] if field["name"] != "type"]
        status, said = generate(changed)
        self.assertEqual(status, 2)
        self.assertIn("FACES of constraint.list: the method has no parameter type", said)


if __name__ == "__main__":
    unittest.main()
