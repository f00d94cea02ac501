-- Servers with members, rights by channel, friends.
create table users (id #key, username text not null unique, email text, presence text);
create table servers (id #key, owner_id integer not null references users (id), name text not null);
create table server_members (server_id integer not null references servers (id), user_id integer not null references users (id), nick text, primary key (server_id, user_id));
create table channels (id #key, server_id integer not null references servers (id), name text not null);
create table channel_overwrites (channel_id integer not null references channels (id), user_id integer not null references users (id), allow integer not null default 0, primary key (channel_id, user_id));
create table messages (id #key, channel_id integer not null references channels (id), author_id integer not null references users (id), body text not null, created_at timestamp default current_timestamp);
create table friendships (requester_id integer not null references users (id), addressee_id integer not null references users (id), status text not null, primary key (requester_id, addressee_id));
create table bookmarks (id #key, user_id integer not null references users (id), message_id integer not null references messages (id), note text);
create table bot_tokens (id #key, user_id integer not null references users (id), token text);
insert into users (id,username) values (111,'a'),(911,'b');
insert into servers (id,owner_id,name) values (101,111,'o'),(901,911,'t');
insert into server_members (server_id,user_id) values (101,111),(901,911);
insert into channels (id,server_id,name) values (131,101,'o'),(931,901,'t');
insert into channel_overwrites (channel_id,user_id) values (931,911);
insert into messages (id,channel_id,author_id,body) values (141,131,111,'o'),(941,931,911,'t');
insert into friendships values (911,911,'accepted');
insert into bookmarks (id,user_id,message_id) values (951,911,941);
