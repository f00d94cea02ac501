sqlite shop.db 'create table customers (id integer primary key, name text not null);
create table orders (id integer primary key, customer_id integer references customers (id), status text, total_cents integer)'
export SCHEMA_TOKEN='a token of at least thirty-two bytes'
cat > engine.config.json <<'END'
{ "connections": { "main": "shop.db" }, "schemaEndpoint": { "enabled": true, "token": "${SCHEMA_TOKEN}" } }
END
serve
