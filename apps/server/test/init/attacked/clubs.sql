-- No foreign key is declared, and the tenant has a name that is not usual.
create table users (id #key, email text not null unique, display_name text, access_level integer not null default 0);
create table clubs (id #key, name text not null);
create table club_users (id #key, club_id integer not null, user_id integer not null, position text);
create table teams (id #key, club_id integer not null, name text not null);
create table matches (id #key, club_id integer not null, team_id integer, created_by_id integer not null, place text);
create table match_reports (id #key, match_id integer not null, author_id integer not null, body text not null);
create table photos (id #key, match_id integer, user_id integer not null, path text not null);
create table user_meta (id #key, user_id integer not null, meta_key text not null, meta_value text);
insert into users (id, email) values (111, 'ann@example.com'), (911, 'bob@example.com');
insert into clubs (id, name) values (101, 'ours'), (901, 'theirs');
insert into club_users (id, club_id, user_id) values (121, 101, 111), (921, 901, 911);
insert into teams (id, club_id, name) values (131, 101, 'ours'), (931, 901, 'theirs');
insert into matches (id, club_id, team_id, created_by_id, place) values (141, 101, 131, 111, 'ours'), (941, 901, 931, 911, 'theirs');
insert into match_reports (id, match_id, author_id, body) values (151, 141, 111, 'ours'), (951, 941, 911, 'theirs');
insert into photos (id, match_id, user_id, path) values (161, 141, 111, 'ours'), (961, 941, 911, 'theirs');
insert into user_meta (id, user_id, meta_key, meta_value) values (971, 911, 'level', '9');
