-- Every row of the application belongs to one organisation, that of `organisation_id`.

create table if not exists organisations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name <> '')
);

-- A user who has signed up has no organisation yet.
create table if not exists users (
  id uuid primary key default gen_random_uuid(),
  email text not null unique,
  name text not null default '',
  organisation_id uuid references organisations,
  role text not null default 'newcomer' check (role in ('newcomer', 'member', 'owner')),
  check ((organisation_id is null) = (role = 'newcomer'))
);

create table if not exists projects (
  id bigint generated always as identity primary key,
  organisation_id uuid not null references organisations,
  created_by uuid not null references users,
  title text not null check (title <> ''),
  done boolean not null default false
);

create index if not exists users_organisation on users (organisation_id);
create index if not exists projects_organisation on projects (organisation_id);
