"""The examples of docs/bots.md run, and its bots decide legally in any state."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from table import RUNNER, load_player, play, problem_of

TEXT = (RUNNER.parents[1] / "docs" / "bots.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
BOTS = {block.split("\n", 1)[0].partition(": ")[2]: block for block in BLOCKS if block.startswith("# player.py: ")}
SCRIPTS = {block.split("\n", 1)[0][2:]: block for block in BLOCKS if re.match(r"# \w+\.py\n", block)}


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_there_are_three_bots_and_a_script(self):
        self.assertEqual((len(BOTS), len(SCRIPTS)), (3, 1))

    def test_each_bot_answers_legally_in_any_state(self):
        for name, source in BOTS.items():
            with self.subTest(name):
                path = self.folder / "player.py"
                path.write_text(source)
                try:
                    bot = load_player(path)
                except ModuleNotFoundError as error:
                    self.skipTest(f"{name} needs {error.name}, which is not installed here")

                def ask(bot, state, remaining):
                    answer = bot.get_action(state, remaining)
                    problem = problem_of(state, bot.id, remaining, answer)
                    self.assertIsNone(problem, f"{problem}: {answer} in {state} with {remaining}")
                    return answer

                for seed in range(600):
                    play(bot, seed, ask)

    def test_the_scripts_run_with_each_bot_beside_the_api(self):
        for name, source in BOTS.items():
            (self.folder / "player.py").write_text(source)
            for script, code in SCRIPTS.items():
                with self.subTest(name, script=script):
                    (self.folder / script).write_text(code)
                    run = subprocess.run(
                        [sys.executable, "-W", "ignore", script],
                        cwd=self.folder,
                        env={"PYTHONPATH": os.pathsep.join((str(RUNNER / "seat" / "api"), os.environ.get("PYTHONPATH", ""))), "PYTHONDONTWRITEBYTECODE": "1"},
                        capture_output=True,
                        text=True,
                        timeout=60,
                    )
                    if "No module named 'eval7'" in run.stderr:
                        self.skipTest(f"{name} needs eval7, which is not installed here")
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.assertRegex(run.stdout, r"PokerAction\.|slowest decision")

    def test_links_within_the_page_lead_to_headings(self):
        headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", TEXT, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
        anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
        self.assertLessEqual(set(re.findall(r"\]\(#([^)]+)\)", TEXT)), anchors)


if __name__ == "__main__":
    unittest.main()
