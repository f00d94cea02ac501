-- Sends the bodies that are given as arguments in turn, and reports as one line of JSON.
local requests = {}
local last = 0

function init(bodies)
  local headers = { ["content-type"] = "application/json" }
  local authorization = os.getenv("BENCH_AUTHORIZATION")
  if authorization and authorization ~= "" then headers["authorization"] = authorization end
  for i, body in ipairs(bodies) do
    requests[i] = wrk.format("POST", nil, headers, body)
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
