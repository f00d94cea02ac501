-- Sends requests in turn, and reports as one line of JSON. Two arguments for each: its path, and its body, empty for a GET.
local requests = {}
local last = 0

function init(words)
  local headers = { ["content-type"] = "application/json" }
  local authorization = os.getenv("BENCH_AUTHORIZATION")
  if authorization and authorization ~= "" then headers["authorization"] = authorization end
  for i = 1, #words, 2 do
    local path, body = words[i], words[i + 1]
    local method = body == "" and "GET" or "POST"
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'bench-report {"answered":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"refused":%d,"failed":%d}',
    summary.requests - errors.status, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
