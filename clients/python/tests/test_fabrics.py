"""Materials by name: the table, files, and what is left of them for add_body."""
import json
import tempfile
import unittest
from pathlib import Path

from support import weft

TABLE = Path(__file__).resolve().parents[3] / "protocol" / "materials.json"


class Fabrics(unittest.TestCase):
    def test_the_table_is_that_of_the_protocol(self):
        table = json.loads(TABLE.read_text(encoding="utf-8"))
        named = weft.materials()
        self.assertEqual(named, {name: {key: value for key, value in one.items() if key != "source"}
                                 for name, one in table.items()})
        named["jacket"]["stretch"]["warp"] = 0
        self.assertNotEqual(weft.materials(), named)

    def test_a_file_comes_first(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mine.json"
            path.write_text('{"twill": {"density": 1, "source": "ours"}, "jacket": {"density": 2}}', encoding="utf-8")
            named = weft.materials(path)
            self.assertEqual((named["twill"], named["jacket"]), ({"density": 1}, {"density": 2}))
            self.assertIn("trousers", named)
            path.write_text('{"twill": 1}', encoding="utf-8")
            with self.assertRaises(ValueError):
                weft.materials(path)


if __name__ == "__main__":
    unittest.main()
