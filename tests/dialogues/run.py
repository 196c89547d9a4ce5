"""python3 tests/dialogues/run.py --codebox PATH --image IMAGE [-k NAME]: dialogues as models really have them. Each file
here is one: its calls in order, each with the reason and the words (regular expressions) of its answer. Whatever goes
wrong is answered with a sentence after which the next call is right, so that the last call always succeeds."""
import argparse
import json
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cases"))
import box  # noqa: E402  (found by the path above)


class Dialogues(box.Case):
    def answer(self, turn, user):
        """The reason and the text that the model gets."""
        arguments = {"name": turn["tool"], "arguments": turn["arguments"]}
        said = self.server.post(self.server.message("tools/call", arguments), box.token(user),
                                **self.server.routing("tools/call", turn["tool"])).json()
        if "error" in said:
            return "error", said["error"]["message"]
        result = said["result"]
        return result["_meta"]["codebox/reason"], "\n".join(part["text"] for part in result["content"] if part["type"] == "text")

    def replay(self, name, turns):
        for number, turn in enumerate(turns, 1):
            reason, text = self.answer(turn, name)
            where = f"turn {number} of {name}: {reason}: {text}"
            self.assertEqual(reason, turn["reason"], where)
            for words in turn["says"]:
                self.assertRegex(text, words, where)
            for words in turn.get("never", []):
                self.assertNotRegex(text, words, where)
            self.assertEqual(text.rstrip().endswith(f"[reason] {reason}"), reason not in ("ok", "error"), where)
        self.assertEqual(turns[-1]["reason"], "ok", "a dialogue ends in success")


def add(file):
    told = json.loads(file.read_text(encoding="utf-8"))

    def test(self):
        self.replay(file.stem, told["turns"])

    test.__doc__ = told["about"]
    setattr(Dialogues, "test_" + file.stem, test)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--codebox", required=True)
    parser.add_argument("--image", default="")
    parser.add_argument("-k", dest="keywords", action="append", default=[])
    options = parser.parse_args()
    box.codebox, box.image = os.path.abspath(options.codebox), options.image
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{word}*" for word in options.keywords] or None
    status = box.again.run_counted(lambda: loader.loadTestsFromTestCase(Dialogues), sys.stdout)
    if box.Case.shared is not None:
        box.Case.shared.stop()
    return status


for dialogue in sorted(HERE.glob("*.json")):
    add(dialogue)
if __name__ == "__main__":
    sys.exit(main())
