-- The tenant is a column of the user.
create table companies (id #key, name text not null);
create table users (id #key, company_id integer not null references companies (id), email text not null unique, first_name text, user_type text not null default 'agent');
create table roles (id #key, name text not null);
create table user_roles (user_id integer not null references users (id), role_id integer not null references roles (id), primary key (user_id, role_id));
create table departments (id #key, company_id integer not null references companies (id), name text not null);
create table tickets (id #key, company_id integer not null references companies (id), department_id integer references departments (id), author_id integer not null references users (id), assigned_to integer references users (id), subject text not null, status text not null default 'open', updated_at timestamp not null);
create table replies (id #key, ticket_id integer not null references tickets (id) on delete cascade, user_id integer not null references users (id), body text not null);
create table ticket_watchers (ticket_id integer not null references tickets (id), user_id integer not null references users (id), primary key (ticket_id, user_id));
create table webhooks (id #key, company_id integer not null references companies (id), user_id integer not null references users (id), url text not null, secret text not null);
insert into companies (id, name) values (101, 'ours'), (901, 'theirs');
insert into users (id, company_id, email) values (111, 101, 'ann@example.com'), (112, 101, 'col@example.com'), (911, 901, 'bob@example.com');
insert into roles (id, name) values (1, 'admin'), (2, 'agent');
insert into user_roles values (911, 1);
insert into departments (id, company_id, name) values (131, 101, 'ours'), (931, 901, 'theirs');
insert into tickets (id, company_id, department_id, author_id, subject, updated_at) values (141, 101, 131, 111, 'ours', '2026-01-01 00:00:00'), (941, 901, 931, 911, 'theirs', '2026-01-01 00:00:00');
insert into replies (id, ticket_id, user_id, body) values (151, 141, 111, 'ours'), (951, 941, 911, 'theirs');
insert into ticket_watchers values (941, 911);
insert into webhooks (id, company_id, user_id, url, secret) values (961, 901, 911, 'x', 'x');
