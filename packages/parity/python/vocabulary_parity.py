"""Says requests and responses of one language in another: the kit in Python, proven by vectors.json."""
import json
import re
from unicodedata import normalize
from urllib.parse import quote, unquote_to_bytes

SAFE = "!'()*-._~"
VOLATILE = re.compile(
    "(?:date|x-request-id|request-id|content-length|connection|keep-alive|transfer-encoding|age|via|server|server-timing"
    "|x-response-time|x-powered-by|accept-ranges|(?:x-)?ratelimit.*|alt-svc|traceparent)"
)
SENT = {"retry-after", "set-cookie", "last-modified", "expires", "x-change"}
LISTS = re.compile("(?:vary|allow|accept-patch|accept-post|access-control-(?:allow|expose)-(?:methods|headers))")
QUOTED = re.compile(r"[“„«‹「]\s*([^“”„«»‹›「」]*?)\s*[”“»›」]|\"([^\"]*)\"|`([^`]*)`|'([^'\s]*)'")
NUMBER = re.compile(r"(?<![^\W_])(?<![^\W\d_][-+])\d+(?:[.,\u00a0\u202f ]\d+)*")


def decoded(text):
    try:
        if re.search(r"%(?![0-9A-Fa-f]{2})", text):
            return text
        return unquote_to_bytes(text.replace("+", "%20")).decode()
    except UnicodeDecodeError:
        return text


def recoded(text, translate):
    word = decoded(text)
    other = translate(word)
    return text if other == word else quote(other, safe=SAFE)


def exchange(one, other):
    """A word becomes the other language's, and a word that only the other has becomes this one's."""
    pairs = [(word, other[name]) for name, word in one.items() if name in other]
    there, back = dict(pairs), {theirs: ours for ours, theirs in pairs}

    def translate(word):
        composed = normalize("NFC", word)
        if composed in there:
            return there[composed]
        if composed not in back:
            return word
        while composed in back:
            composed = back[composed]
        return composed

    return translate


def words(entries):
    return {name: entry["word"] for name, entry in entries.items()}


def field_words(dictionary, collection):
    return words(dictionary["collections"][collection]["fields"])


def query_words(dictionary, collection):
    fields = dictionary["collections"][collection]["fields"]
    ranges = {f"{n}_{end}": w for n, f in fields.items() for end, w in f.get("range", {}).items()}
    return words(fields) | ranges | words(dictionary["parameters"])


def list_views(dictionary):
    """What there is beside lists, such as groups: the first segments of its paths below the root."""
    paths = [item for c in dictionary["collections"].values() for item in c["paths"].items()]
    start = len(root(dictionary)) + 1
    return {n: decoded(p[start:].split("/")[0]) for n, p in paths if n not in ("list", "item")}


class Pair:
    """All kinds of words of two dictionaries."""

    def __init__(self, one, other):
        self.one, self.other = one, other
        self.values = exchange(one["values"], other["values"])

    def nested(self, dictionary, parent):
        return {n: c["word"] for n, c in dictionary["collections"].items() if c.get("parent") == parent}

    def between(self, of):
        return exchange(of(self.one), of(self.other))

    def paths(self, parent):
        return self.between(lambda d: self.nested(d, parent))

    def fields(self, collection):
        return self.between(lambda d: field_words(d, collection))

    def query(self, collection):
        return self.between(lambda d: query_words(d, collection))

    def members(self, collection):
        def of(d):
            return self.nested(d, collection) | d["members"] | field_words(d, collection)

        return self.between(of)

    def included(self, collection):
        return self.between(lambda d: self.nested(d, collection) | field_words(d, collection))

    def name(self, of, word):
        composed = normalize("NFC", word)
        for dictionary in (self.one, self.other):
            for name, each in of(dictionary).items():
                if each == composed:
                    return name
        return None

    def collection(self, parent, word):
        return self.name(lambda d: self.nested(d, parent), word)

    def included_collection(self, collection, word):
        """The collection whose items a member contains where they are included."""
        field = self.name(lambda d: field_words(d, collection), word)
        refers_to = self.one["collections"][collection]["fields"].get(field, {}).get("refersTo")
        return refers_to or self.collection(collection, word)

    def choices(self, collection, word):
        """Translates the values of a field whose values have words; None where it has none."""
        field = self.name(lambda d: field_words(d, collection), word)
        of = lambda d: d["collections"][collection]["fields"].get(field, {}).get("choices", {})
        return self.between(of) if of(self.one) else None

    def any(self, word):
        """The likeliest translation of a word of whichever kind."""
        kinds = [self.paths(None), self.values, self.between(lambda d: d["report"]), self.between(list_views)]
        for each in self.one["collections"]:
            kinds += [self.query(each), self.fields(each), self.members(each), self.paths(each)]
            fields = field_words(self.one, each).values()
            kinds += [c for c in (self.choices(each, field) for field in fields) if c]
        return next((kind(word) for kind in kinds if kind(word) != word), word)


def root(dictionary):
    top = next(c for c in dictionary["collections"].values() if "parent" not in c)
    return top["paths"]["list"].rpartition("/")[0]


def locate(url, pair):
    """The URL in the other language, and the collection that it leads to."""
    path, mark, search = url.partition("?")
    if not path.startswith(root(pair.one) + "/"):
        return url, None
    segments = path[len(root(pair.one)) + 1 :].split("/")
    collection = None
    is_view = pair.name(list_views, decoded(segments[0])) is not None
    if is_view:
        segments[0] = recoded(segments[0], pair.between(list_views))
    for at in range(1 if is_view else 0, len(segments), 2):
        below = pair.collection(collection, decoded(segments[at]))
        if below is None:
            break
        segments[at] = recoded(segments[at], pair.paths(collection))
        collection = below
    translated = search if collection is None else translate_query(search, pair, collection)
    return root(pair.one) + "/" + "/".join(segments) + mark + translated, collection


def translate_query(search, pair, collection):
    def part(text):
        name, mark, value = text.partition("=")
        parameter = pair.name(lambda d: words(d["parameters"]), decoded(name))
        kind = pair.one["parameters"].get(parameter, {}).get("kind")
        of = {"field": pair.fields(collection), "collection": pair.included(collection), "value": pair.values}.get(kind)
        of = of or pair.choices(collection, decoded(name))
        if of:
            value = "".join(p if at % 2 else recoded(p, of) for at, p in enumerate(re.split("(,|%2C)", value, flags=re.I)))
        return recoded(name, pair.query(collection)) + mark + value

    return "&".join(part(each) for each in search.split("&"))


def translate_items(content, pair, collection):
    if isinstance(content, list):
        return [translate_items(each, pair, collection) for each in content]
    if not isinstance(content, dict):
        return content
    word = pair.members(collection)

    def value(member, each):
        included = pair.included_collection(collection, member)
        if included is not None:
            return translate_items(each, pair, included)
        choices = pair.choices(collection, member) if isinstance(each, str) else None
        return choices(each) if choices else each

    return {word(member): value(member, each) for member, each in content.items()}


def read_csv(text, delimiter):
    rows, row, at = [], [], 0
    cell = re.compile(rf'(?:"((?:[^"]|"")*)"|([^"{delimiter}\r\n]*))({delimiter}|\r?\n|$)')
    while at < len(text) or row:
        found = cell.match(text, at)
        at = found.end()
        row.append(found[2] if found[1] is None else found[1].replace('""', '"'))
        if found[3] != delimiter:
            rows.append(row)
            row = []
    return rows


def translate_csv(text, pair, collection):
    def own(one, other):
        words = lambda name: [w for w in one["flags"][name] if w not in other["flags"].get(name, [])]
        return {name + str(at): word for name in one["flags"] for at, word in enumerate(words(name))}

    flag = exchange(own(pair.one, pair.other), own(pair.other, pair.one))
    header, *rows = read_csv(text.removeprefix("\ufeff"), pair.one["csv"]["delimiter"])
    fields = {field["word"]: field for field in pair.one["collections"][collection]["fields"].values()}
    points = [d["csv"].get("decimals", ".") for d in (pair.one, pair.other)]

    def cell(word, value):
        kind = fields.get(word, {}).get("kind")
        if kind == "decimal":
            return value.replace(*points, 1)
        choices = flag if kind == "flag" else pair.choices(collection, word)
        return choices(value) if choices else value

    rows = [[cell(header[at], v) for at, v in enumerate(row)] for row in rows]
    delimiter = pair.other["csv"]["delimiter"]
    written = lambda cell: '"' + cell.replace('"', '""') + '"' if re.search(rf'["\r\n{delimiter}]', cell) else cell
    lines = [delimiter.join(map(written, row)) + "\r\n" for row in [[*map(pair.members(collection), header)], *rows]]
    return ("\ufeff" if pair.other["csv"]["byteOrderMark"] else "") + "".join(lines)


def translate_file(text, media_type, pair, collection):
    if media_type.startswith("text/csv"):
        return translate_csv(text, pair, collection)
    if not media_type.startswith("application/x-ndjson"):
        return text
    dump = lambda each: json.dumps(each, ensure_ascii=False, separators=(",", ":"))
    lines = text.split("\n")
    return "\n".join(dump(translate_items(json.loads(each), pair, collection)) if each.strip() else each for each in lines)


def translate(request, one, other):
    pair = Pair(one, other)
    url, collection = locate(request["url"], pair)
    if collection is None or "body" not in request:
        return request | {"url": url}
    body = request["body"]
    if not isinstance(body, str):
        return request | {"url": url, "body": translate_items(body, pair, collection)}
    media_type = next((v for n, v in request.get("headers", {}).items() if n.lower() == "content-type"), "")
    return request | {"url": url, "body": translate_file(body, media_type, pair, collection)}


def names_of(dictionary):
    """The dictionary of a language whose words are the names that all languages share."""
    collections = dictionary["collections"]

    def path(name):
        parent = collections[name].get("parent")
        return (root(dictionary) if parent is None else f"{path(parent)}/{{{parent}}}") + "/" + name

    def field(name, each):
        ranges = {"range": {end: f"{name}_{end}" for end in each["range"]}} if "range" in each else {}
        return each | {"word": name} | ranges

    def collection(name, each):
        fields = {n: field(n, f) for n, f in each["fields"].items()}
        return each | {"word": name, "paths": {"list": path(name)}, "fields": fields}

    same = {kind: {name: name for name in dictionary[kind]} for kind in ("members", "report", "values", "problems")}
    return dictionary | same | {
        "tag": "zxx",
        "collections": {name: collection(name, each) for name, each in collections.items()},
        "parameters": {name: each | {"word": name} for name, each in dictionary["parameters"].items()},
        "flags": {"true": ["true"], "false": ["false"]},
        "csv": {"delimiter": ",", "byteOrderMark": False},
    }


def word_in_text(text, pair):
    if text.startswith(root(pair.one) + "/"):
        return locate(text, pair)[0]
    if "=" not in text and "," not in text:
        return pair.any(text)
    as_query = [translate_query(text, pair, each) for each in pair.one["collections"]]
    as_list = ",".join(map(pair.any, text.split(",")))
    return next((each for each in as_query if each != text), as_list)


def sentence(text, pair):
    pieces = [next(piece for piece in found.groups() if piece is not None) for found in QUOTED.finditer(text)]
    # What is written as <key> is a word of each language.
    quoted = [word_in_text(re.sub("<[^<>]*>", "<>", piece), pair) for piece in pieces if piece != "%XX"]
    return {"quoted": quoted, "numbers": sorted(re.sub(r"\D", "", n) for n in NUMBER.findall(QUOTED.sub(" ", text)))}


def say_problem(problem, pair, collection):
    def member(name, value):
        if name == "errors":
            return [say_problem(each, pair, collection) for each in value]
        if name in ("detail", "remedy"):
            return sentence(value, pair)
        if name == "parameter" and collection:
            return pair.query(collection)(value)
        if name in ("suggestion", "value", "parameter"):
            return word_in_text(value, pair)
        if name == "pointer" and collection:
            return "/".join(map(pair.members(collection), value.split("/")))
        if name == "title":
            return next((c for c, title in pair.one["problems"].items() if title == value), value)
        return value

    return {name: member(name, value) for name, value in problem.items() if name != "requestId"}


def say_links(header, pair, others):
    links = re.findall(r'<([^>]*)>;\s*rel="(\w+)"(?:;\s*hreflang="([\w-]+)")?', header)
    alternates = [(url, tag) for url, _, tag in links if tag]
    inward = {locate(url, Pair(others[tag], pair.other))[0] for url, tag in alternates}
    return {
        "pages": sorted(f"{rel} {locate(url, pair)[0]}" for url, rel, tag in links if not tag),
        "alternates": sorted(inward),
        "languages": sorted([pair.one["tag"], *(tag for _, tag in alternates)]) if alternates else [],
    }


def say_header(name, value, pair, collection, others):
    if name == "content-language":
        return pair.other["tag"] if value == pair.one["tag"] else value
    if name in ("location", "content-location"):
        return locate(value, pair)[0]
    if name == "link":
        return say_links(value, pair, others)
    if name == "etag":
        return "weak" if value.startswith("W/") else "strong"
    if name in SENT:
        return "sent"
    if LISTS.fullmatch(name):
        listed = sorted(filter(None, re.split(r"\s*,\s*", value.lower() if name == "vary" else value)))
        return [each for each in listed if name != "vary" or each not in ("accept-language", "accept-encoding")]
    if name == "content-type":
        return re.sub(r"[\s\"]", "", value.lower())
    if name == "www-authenticate":
        return re.split(r"[\s,]", value)[0]
    if name == "content-disposition":
        file, _, extension = re.search(r'filename="([^"]*)"', value)[1].partition(".")
        return f"{pair.any(file)}.{extension}"
    # A hint is the query to send, or a sentence, which has spaces.
    if name == "x-hint" and " " in value:
        return sentence(unquote_to_bytes(value).decode(), pair)
    return translate_query(value, pair, collection) if name == "x-hint" else value


def canonical(answer, language, others):
    """A response in names; `others` are the dictionaries by tag, for the links to other languages."""
    pair = Pair(language, names_of(language))
    collection = locate(answer["url"], pair)[1]
    body, media_type = answer["body"], answer["headers"].get("content-type", "")
    if media_type.startswith("application/problem+json"):
        body = say_problem(body, pair, collection)
    elif isinstance(body, str):
        body = translate_file(body, media_type, pair, collection)
    elif collection:
        body = translate_items(body, pair, collection)
    headers = {n: v for n, v in answer["headers"].items() if not VOLATILE.fullmatch(n)}
    said = {n: say_header(n, v, pair, collection, others) for n, v in headers.items()}
    return {"status": answer["status"], "headers": said, "body": body}


def compare(at, one, other):
    """Where two values differ, as a list of {"at", "one", "other"}; members come in the same order, too."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = list(one) + [name for name in other if name not in one]
        within = [each for name in names for each in compare(f"{at}/{name}".lstrip("/"), one.get(name), other.get(name))]
        if within or list(one) == list(other) or not at.startswith("body"):
            return within
        return [{"at": at, "one": list(one), "other": list(other)}]
    if isinstance(one, list) and isinstance(other, list):
        if at.endswith("/quoted"):
            rest = list(other)
            lost = [each for each in one if each not in rest or rest.remove(each)]
            return [{"at": at, "one": lost, "other": rest}] if lost or rest else []
        if at.endswith("/numbers"):
            return [] if one == other else [{"at": at, "one": one, "other": other}]
        if len(one) != len(other):
            return [{"at": f"{at}/length", "one": len(one), "other": len(other)}]
        return [each for index, (a, b) in enumerate(zip(one, other)) for each in compare(f"{at}/{index}", a, b)]
    same = type(one) is type(other) and one == other
    numbers = [isinstance(each, (int, float)) and not isinstance(each, bool) for each in (one, other)]
    return [] if same or (all(numbers) and one == other) else [{"at": at, "one": one, "other": other}]


def every_word(dictionary):
    """Every word that a request or an item may have."""
    kinds = [words(dictionary["collections"]), list_views(dictionary), dictionary["members"], dictionary["values"]]
    kinds += [query_words(dictionary, each) for each in dictionary["collections"]]
    return {word for kind in kinds for word in kind.values()}


def match_any(of):
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, of)) or '(?!)'})(?![\w-])", re.I)


def foreign_pattern(own, other):
    """Finds the words that only the other language has, and that this one has in none of its texts."""
    ours = {word.lower() for word in every_word(own)}
    theirs = [word for word in every_word(other) if word.lower() not in ours]
    entries = [*own["collections"].values(), *own["parameters"].values()]
    entries += [field for each in own["collections"].values() for field in each["fields"].values()]
    texts = [own.get("prose", ""), *own["problems"].values()]
    texts += [each.get(part, "") for each in entries for part in ("description", "label")]
    homonyms = {word.lower() for word in match_any(theirs).findall("\n".join(texts))}
    return match_any([word for word in theirs if word.lower() not in homonyms])


def sentences_in(body, at):
    """The sentences of a problem, by where they stand."""
    entries = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for name, value in entries:
        if not isinstance(value, str):
            yield from sentences_in(value, f"{at}/{name}")
        elif name in ("detail", "remedy"):
            yield f"{at}/{name}", value


def foreign_in(answer, own, other):
    """Words of another language that stand in sentences of an error, outside quotation marks."""
    if not answer["headers"].get("content-type", "").startswith("application/problem+json"):
        return []
    pattern = foreign_pattern(own, other)
    all_of_them = [(at, text, pattern.findall(QUOTED.sub(" ", text))) for at, text in sentences_in(answer["body"], "body")]
    return [(f"{at} (words of {other['tag']})", text, foreign) for at, text, foreign in all_of_them if foreign]


def differences(one, other, others):
    """
    Where two answers differ in names: each has "answer" and "language", the tag of a dictionary of `others`.
    `differences(b, a, others)` are the same with both sides exchanged.
    """
    said = [canonical(each["answer"], others[each["language"]], others) for each in (one, other)]
    first, second = others[one["language"]], others[other["language"]]
    left = [{"at": at, "one": text, "other": foreign} for at, text, foreign in foreign_in(one["answer"], first, second)]
    right = [{"at": at, "one": foreign, "other": text} for at, text, foreign in foreign_in(other["answer"], second, first)]
    return compare("", *said) + left + right
