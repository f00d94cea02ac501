sqlite shop.db 'create table customers (id integer primary key, name text not null);
create table orders (id integer primary key, customer_id integer references customers (id), status text, total_cents integer)'
cat > engine.config.json <<END
{ "connections": { "main": "shop.db" }, "schemaEndpoint": true }
END
mkdir src
serve
