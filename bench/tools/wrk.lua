-- Sends the requests of a file in turn, from a place of its own per run (a line each: path, tab, body), and prints what
-- happened as JSON.
local requests, at = {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local path, body = line:match("^([^\t]*)\t(.*)$")
    if body == "" then
      requests[#requests + 1] = wrk.format("GET", path)
    else
      requests[#requests + 1] = wrk.format("POST", path, { ["Content-Type"] = "application/json" }, body)
    end
  end
  at = tonumber(args[2]) % #requests
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary)
  local errors = summary.errors
  io.write(string.format('\nRESULT {"requests":%d,"seconds":%f,"failures":%d}\n', summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
