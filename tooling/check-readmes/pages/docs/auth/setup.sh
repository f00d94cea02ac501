sqlite shop.db 'create table customers (id integer primary key, name text not null);
create table orders (id integer primary key, customer_id integer references customers (id), status text, total_cents integer)'
# Commands find the server at the port of the configuration.
PORT=$(free_port)
cat > engine.config.json <<END
{
  "port": $PORT,
  "connections": { "main": "shop.db" },
  "masterKey": "$KEY",
  "auth": { "secret": "a secret of at least thirty-two bytes" },
  "permissions": { "orders": { "table": "main.orders", "roles": ["user", "editor"], "select": {} } }
}
END
serve
sign_up '{"email":"ada@example.com","password":"correct horse battery staple"}'
before='Choose a new password, with this code:\\n'
# The token of the mail stands for what a reader copies from it.
curl() {
  for word; do
    shift
    case $word in *'<from the mail>'*) word=$(printf %s "$word" | sed "s/<from the mail>/$(mailed_token)/") ;; esac
    set -- "$@" "$word"
  done
  command curl --fail-with-body "$@"
}
mailed_token() {
  until command curl -s $URL/admin/api/outbox -H "Authorization: Bearer $KEY" > mails.json && grep -q "$before" mails.json; do sleep 0.1; done
  sed "s/.*$before\([A-Za-z0-9_-]*\).*/\1/" mails.json
}
echo '{"email":"bo@example.com","passwordHash":"$2b$10$abcdefghijklmnopqrstuuPbVPa0yjJ2mVhOc0VCiwmPVYtUUfJMC"}' > users.ndjson
