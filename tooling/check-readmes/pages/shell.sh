# What readers install is there: `npx` finds the programs of this repository.
npm() { :; }
npx() { "$@"; }

export NODE_ENV=development
KEY='a master key of at least thirty-two bytes'

# Serves the configuration of this folder, on PORT where it is set, and sets URL.
serve() {
  engine-server --port "${PORT:-0}" > ready.json 2> log.json &
  SERVER=$!
  trap 'kill $SERVER' EXIT
  until grep -q http ready.json; do
    kill -0 $SERVER || { cat log.json; exit 1; }
    sleep 0.1
  done
  URL=$(sed 's/.*"http":"\([^"]*\)".*/\1/' ready.json)
}

# An answer that is an error fails the page.
curl() { command curl --fail-with-body "$@"; }

# Signs up, and sets TOKEN.
sign_up() {
  TOKEN=$(curl -s $URL/auth/sign-up -H 'Content-Type: application/json' -d "$1" | jq -r .session.token)
}

free_port() { node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'; }

sqlite() { node -e 'new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec(process.argv[2])' "$1" "$2"; }
