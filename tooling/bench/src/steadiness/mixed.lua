-- Sends requests in turn. Three arguments for each: its path, its body, empty for a GET, and "anonymous" or "caller". `%n` is
-- another number each time. Reports how many answers had each status, as one line of JSON.
local requests = {}
local sent = 0
local threads = {}
statuses = {}
first_number = tonumber(os.getenv("BENCH_FIRST_NUMBER") or "0")

function setup(thread)
  threads[#threads + 1] = thread
end

function init(words)
  local authorization = os.getenv("BENCH_AUTHORIZATION")
  for i = 1, #words, 3 do
    local headers = {}
    if words[i + 1] ~= "" then headers["content-type"] = "application/json" end
    if words[i + 2] == "caller" and authorization ~= "" then headers["authorization"] = authorization end
    requests[#requests + 1] = { path = words[i], body = words[i + 1], headers = headers }
  end
end

local function numbered(text, number)
  return (text:gsub("%%n", tostring(number)))
end

function request()
  sent = sent + 1
  local next = requests[sent % #requests + 1]
  local method = next.body == "" and "GET" or "POST"
  local number = sent + first_number
  return wrk.format(method, numbered(next.path, number), next.headers,
    next.body ~= "" and numbered(next.body, number) or nil)
end

function response(status)
  local key = tostring(status)
  statuses[key] = (statuses[key] or 0) + 1
end

function done(summary)
  local counts = {}
  for status, count in pairs(threads[1]:get("statuses")) do
    counts[#counts + 1] = string.format('"%s":%d', status, count)
  end
  local errors = summary.errors
  print(string.format('bench-report {"statuses":{%s},"failed":%d}', table.concat(counts, ","),
    errors.connect + errors.read + errors.write + errors.timeout))
end
