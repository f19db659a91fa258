"""A mirror that follows events as docs/changes.md says; what is added to it keeps it in a file."""
import json, sys, urllib.request

settings = json.loads(sys.argv[2])
address = settings["origin"] + settings["list"]
key, deleted = settings["key"], settings["deleted"]
cars, position = {}, ""
stream = None

def begin():
    global cars, position
    with urllib.request.urlopen(address, timeout=20) as response:
        cars = {item[key]: item for item in json.load(response)}
        position = response.headers["X-Change"]

def read(response):
    kind, data = "message", ""
    for line in response:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "id":
            yield "", value, None
        elif name == "event":
            kind = value
        elif name == "data":
            data = value
        elif name == "" and data:
            yield kind, None, json.loads(data)
            kind, data = "message", ""

def follow():
    global position, stream
    if position == "":
        begin()
        return cars
    if stream is None:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": position}
        stream = read(urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=20))
    told, at = False, position
    try:
        # Up to the end of the first event.
        for kind, moved, item in stream:
            if moved is not None:
                at = moved
                continue
            told = True
            if kind == "gone":
                position, stream = "", None
            else:
                if item.get(deleted):
                    cars.pop(item[key], None)
                else:
                    cars[item[key]] = item
                position = at
            break
    except OSError:
        pass
    if not told:
        position, stream = at, None
    return cars
