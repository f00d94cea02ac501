-- Rooms with members who join, leave and are banned; messages, reactions, read marks.
create table users (id #key, handle text not null unique, email text, about text);
create table rooms (id #key, topic text not null, is_private boolean not null default true);
create table room_members (id #key, room_id integer not null references rooms (id), user_id integer not null references users (id), membership text not null, power_level integer not null default 0, muted_until timestamp null, unique (room_id, user_id));
create table messages (id #key, room_id integer not null references rooms (id), sender_id integer not null references users (id), body text not null, edited_at timestamp null, sent_at timestamp null);
create table reactions (message_id integer not null references messages (id), user_id integer not null references users (id), emoji text not null, primary key (message_id, user_id, emoji));
create table read_marks (room_id integer not null references rooms (id), user_id integer not null references users (id), message_id integer references messages (id), primary key (room_id, user_id));
create table pins (id #key, room_id integer not null references rooms (id), message_id integer not null references messages (id), pinned_by_id integer not null references users (id));
create table room_invites (id #key, room_id integer not null references rooms (id), invitee_id integer references users (id), inviter_id integer not null references users (id), code text not null);
create table uploads (id #key, message_id integer references messages (id), room_id integer references rooms (id), user_id integer not null references users (id), path text not null);
insert into users (id, handle) values (111, 'a'), (113, 'c'), (911, 'b');
insert into rooms (id, topic) values (101, 'ours'), (901, 'theirs');
insert into room_members (id, room_id, user_id, membership) values (121, 101, 111, 'joined'), (122, 901, 113, 'leave'), (921, 901, 911, 'join');
insert into messages (id, room_id, sender_id, body) values (131, 101, 111, 'ours'), (931, 901, 911, 'theirs');
insert into reactions values (931, 911, 'x');
insert into read_marks values (901, 911, 931);
insert into pins values (941, 901, 931, 911);
insert into room_invites (id, room_id, inviter_id, code) values (951, 901, 911, 'x');
insert into uploads values (161, 131, 101, 111, 'ours'), (961, 931, 901, 911, 'theirs');
