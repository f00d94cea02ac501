-- Supabase: profiles beside the accounts, organisations by members, documents that are shared.
create table profiles (id text primary key, email text not null unique, username text, avatar_url text, is_moderator boolean not null default false, organization_role text, updated_at timestamp);
create table orgs (id text primary key, name text not null, created_by text references profiles (id));
create table org_members (org_id text not null references orgs (id), profile_id text not null references profiles (id), role text not null default 'member', primary key (org_id, profile_id));
create table folders (id text primary key, org_id text not null references orgs (id), parent_id text references folders (id), name text not null);
create table documents (id text primary key, org_id text not null references orgs (id), folder_id text references folders (id), created_by text not null references profiles (id), title text not null, content text, inserted_at timestamp not null default current_timestamp);
create table document_shares (document_id text not null references documents (id), profile_id text not null references profiles (id), can_edit boolean not null default false, primary key (document_id, profile_id));
create table messages (id text primary key, org_id text not null references orgs (id), profile_id text not null references profiles (id), document_id text references documents (id), body text not null);
insert into profiles (id, email) values ('our-user', 'ann@example.com'), ('their-user', 'bob@example.com');
insert into orgs (id, name, created_by) values ('our-org', 'ours', 'our-user'), ('their-org', 'theirs', 'their-user');
insert into org_members (org_id, profile_id) values ('our-org', 'our-user'), ('their-org', 'their-user');
insert into folders (id, org_id, name) values ('our-folder', 'our-org', 'ours'), ('their-folder', 'their-org', 'theirs');
insert into documents (id, org_id, folder_id, created_by, title) values ('our-doc', 'our-org', 'our-folder', 'our-user', 'ours'), ('their-doc', 'their-org', 'their-folder', 'their-user', 'theirs');
insert into document_shares (document_id, profile_id) values ('their-doc', 'their-user');
insert into messages (id, org_id, profile_id, document_id, body) values ('their-message', 'their-org', 'their-user', 'their-doc', 'theirs');
