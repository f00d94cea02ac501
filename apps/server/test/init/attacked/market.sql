-- Accounts of the users, shops with staff, buyers and sellers.
create table accounts (id #key, name text not null, stripe_customer_id text);
create table users (id #key, account_id integer references accounts (id), email text not null unique, given_name text, feature_flags text, manager_id integer references users (id));
create table shops (id #key, account_id integer not null references accounts (id), name text not null);
create table listings (id #key, shop_id integer not null references shops (id), seller_id integer not null references users (id), title text not null, price numeric(10,2) not null, state text not null default 'draft');
create table orders (id #key, listing_id integer not null references listings (id), buyer_id integer not null references users (id), total numeric(10,2) not null, paid_at timestamp, created_at timestamp not null default current_timestamp);
create table reviews (user_id integer not null references users (id), listing_id integer not null references listings (id), stars integer not null, body text, primary key (user_id, listing_id));
create table payouts (id #key, account_id integer not null references accounts (id), iban text not null, amount numeric(10,2) not null);
create table shop_staff (id #key, shop_id integer not null references shops (id), user_id integer not null references users (id), position text not null);
create table preferences (user_id integer not null references users (id), prefs text, primary key (user_id));
insert into accounts (id,name) values (101,'o'),(901,'t');
insert into users (id,account_id,email) values (111,101,'a'),(911,901,'b');
insert into shops (id,account_id,name) values (121,101,'o'),(921,901,'t');
insert into listings (id,shop_id,seller_id,title,price) values (131,121,111,'o',1),(931,921,911,'t',1);
insert into orders (id,listing_id,buyer_id,total) values (141,131,111,1),(941,931,911,1);
insert into reviews (user_id,listing_id,stars) values (911,931,5);
insert into payouts (id,account_id,iban,amount) values (951,901,'x',1);
insert into shop_staff (id,shop_id,user_id,position) values (161,121,111,'clerk'),(961,921,911,'boss');
