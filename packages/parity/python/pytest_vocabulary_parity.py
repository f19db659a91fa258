"""A fixture of pytest: one request in every language of a running catalogue."""
import json
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from vocabulary_parity import canonical, differences, locate, Pair, translate


def send(origin, request):
    body = request.get("body")
    content = body if body is None or isinstance(body, str) else json.dumps(body)
    headers = ({} if content is None else {"content-type": "application/json"}) | request.get("headers", {})
    data = None if content is None else content.encode()
    asked = Request(origin + request["url"], data, headers, method=request.get("method", "GET"))
    try:
        answer = urlopen(asked, timeout=30)  # noqa: S310: the origin is the caller's own
    except HTTPError as error:
        answer = error
    with answer:
        text = answer.read().decode()
        names = {name.lower(): value for name, value in answer.headers.items()}
        is_json = "json" in names.get("content-type", "").split(";")[0] and "ndjson" not in names.get("content-type", "")
        return {"url": request["url"], "status": answer.status, "headers": names, "body": json.loads(text) if is_json and text else text}


def read_dictionaries(origin):
    links = send(origin, {"url": "/api/locales"})["body"]
    if not all(link["url"].startswith("/") and not link["url"].startswith("//") for link in links):
        raise ValueError("a dictionary is on another host")
    all_of_them = [send(origin, {"url": link["url"]})["body"] for link in links]
    return {each["tag"]: each for each in all_of_them}


@pytest.fixture
def every_language():
    """`every_language(origin, url, **request)` returns the one answer in names, and fails where two languages differ."""

    def ask(origin, url, **request):
        parts = urlsplit(origin)
        origin = f"{parts.scheme}://{parts.netloc}"
        dictionaries = read_dictionaries(origin)
        asked = request | {"url": url}
        found = (each for each in dictionaries.values() if locate(url, Pair(each, each))[1] is not None)
        own = next(found, next(iter(dictionaries.values())))
        spoken = [{"language": own["tag"], "answer": send(origin, asked)}]
        for tag, dictionary in dictionaries.items():
            if tag != own["tag"]:
                spoken.append({"language": tag, "answer": send(origin, translate(asked, own, dictionary))})
        for other in spoken[1:]:
            told = differences(spoken[0], other, dictionaries)
            if told:
                urls = [f"{each['language']} {each['answer']['url']}" for each in (spoken[0], other)]
                lines = [f"{each['at']}: {each['one']!r} != {each['other']!r}" for each in told]
                pytest.fail("\n".join([" and ".join(urls) + " differ", *lines]), pytrace=False)
        return canonical(spoken[0]["answer"], own, dictionaries)

    return ask
