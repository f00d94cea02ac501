/** @module Two schemas of one database, with the same names of tables, types and constraints, and foreign keys across. */
export const setUp = `
create schema auth;
create type mood as enum ('good', 'bad');
create type auth.mood as enum ('calm', 'wild');
create table users (id integer primary key, label text not null);
create table auth.users (
  id integer primary key, name text not null, email text, tenant text not null, mood auth.mood not null
);
create table auth.sessions (id integer primary key, user_id integer not null references auth.users (id));
create table orders (
  id integer primary key,
  owner_id integer not null references auth.users (id),
  label_id integer references users (id),
  mood mood not null
);
create table "auth.users" (id integer primary key, decoy text);
create table "notes.of" (id integer primary key);
insert into users values (1, 'one'), (2, 'two');
insert into auth.users values
  (1, 'Ada', 'ada@acme.example', 'acme', 'calm'), (2, 'Cy', 'CANARY', 'umbra', 'wild');
insert into auth.sessions values (100, 1), (101, 2);
insert into orders values (10, 1, 1, 'good'), (11, 1, 2, 'bad'), (12, 2, 1, 'good');
`
