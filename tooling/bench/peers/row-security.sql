-- The row rule of PostGraphile. The other servers connect as the owner of the tables, whom it does not concern.
create role bench_customer;
grant select on orders, notes to bench_customer;
grant insert on notes to bench_customer;

alter table orders enable row level security;
create policy own_orders on orders for select to bench_customer
  using (owner = current_setting('jwt.claims.name', true));

alter table notes enable row level security;
create policy own_notes on notes to bench_customer
  using (owner = current_setting('jwt.claims.name', true))
  with check (owner = current_setting('jwt.claims.name', true));
