import json
from pathlib import Path

from vocabulary_parity import canonical, differences, translate

vectors = json.loads((Path(__file__).parent.parent / "vectors.json").read_text(encoding="utf-8"))
dictionaries = vectors["dictionaries"]
for each in vectors["requests"]:
    said = translate(each["request"], dictionaries[each["from"]], dictionaries[each["to"]])
    assert said == each["expected"], (each["name"], said, each["expected"])
for each in vectors["answers"]:
    said = canonical(each["answer"], dictionaries[each["language"]], dictionaries)
    assert said == each["expected"], (each["answer"]["url"], said, each["expected"])
for each in vectors["differences"]:
    one, other = each["one"], each["other"]
    told = differences(one, other, dictionaries)
    turned = [{"at": d["at"], "one": d["other"], "other": d["one"]} for d in differences(other, one, dictionaries)]
    key = lambda d: d["at"]
    assert sorted(told, key=key) == sorted(turned, key=key), (each["name"], told, turned)
    assert sorted(d["at"] for d in told) == sorted(each["expected"]), (each["name"], told, each["expected"])
print(len(vectors["requests"]), "requests and", len(vectors["answers"]), "answers and", len(vectors["differences"]), "differences")
