import json
from pathlib import Path

from vocabulary_parity import canonical, translate

vectors = json.loads((Path(__file__).parent.parent / "vectors.json").read_text(encoding="utf-8"))
dictionaries = vectors["dictionaries"]
for each in vectors["requests"]:
    said = translate(each["request"], dictionaries[each["from"]], dictionaries[each["to"]])
    assert said == each["expected"], (each["name"], said, each["expected"])
for each in vectors["answers"]:
    said = canonical(each["answer"], dictionaries[each["language"]], dictionaries)
    assert said == each["expected"], (each["answer"]["url"], said, each["expected"])
print(len(vectors["requests"]), "requests and", len(vectors["answers"]), "answers")
