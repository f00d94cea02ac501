-- Prisma: names in upper and lower case, texts as keys, "updatedAt" without a default.
create table "Workspace" ("id" text not null primary key, "name" text not null, "slug" text not null unique, "createdAt" timestamp not null default current_timestamp, "updatedAt" timestamp not null);
create table "User" ("id" text not null primary key, "email" text not null unique, "name" text, "emailVerified" timestamp, "role" text not null default 'USER', "createdAt" timestamp not null default current_timestamp, "updatedAt" timestamp not null);
create table "WorkspaceMember" ("workspaceId" text not null references "Workspace" ("id") on delete cascade, "userId" text not null references "User" ("id") on delete cascade, "role" text not null default 'MEMBER', primary key ("workspaceId", "userId"));
create table "Invite" ("id" text not null primary key, "workspaceId" text not null references "Workspace" ("id"), "email" text not null, "token" text not null unique, "userId" text references "User" ("id"));
create table "Board" ("id" text not null primary key, "workspaceId" text not null references "Workspace" ("id") on delete cascade, "authorId" text not null references "User" ("id"), "title" text not null, "updatedAt" timestamp not null);
create table "Card" ("id" text not null primary key, "boardId" text not null references "Board" ("id") on delete cascade, "authorId" text not null references "User" ("id"), "title" text not null, "position" integer not null default 0, "createdAt" timestamp not null default current_timestamp, "updatedAt" timestamp not null);
create table "CardLike" ("cardId" text not null references "Card" ("id"), "userId" text not null references "User" ("id"), primary key ("cardId", "userId"));
create table "Account" ("id" text not null primary key, "userId" text not null references "User" ("id"), "provider" text not null, "access_token" text);
create table "Session" ("id" text not null primary key, "sessionToken" text not null unique, "userId" text not null references "User" ("id"), "expires" timestamp not null);
insert into "Workspace" ("id", "name", "slug", "updatedAt") values ('our-ws', 'ours', 'ours', '2026-01-01 00:00:00'), ('their-ws', 'theirs', 'theirs', '2026-01-01 00:00:00');
insert into "User" ("id", "email", "updatedAt") values ('our-user', 'ann@example.com', '2026-01-01 00:00:00'), ('their-user', 'bob@example.com', '2026-01-01 00:00:00');
insert into "WorkspaceMember" ("workspaceId", "userId") values ('our-ws', 'our-user'), ('their-ws', 'their-user');
insert into "Invite" ("id", "workspaceId", "email", "token") values ('their-invite', 'their-ws', 'x@example.com', 'x');
insert into "Board" ("id", "workspaceId", "authorId", "title", "updatedAt") values ('our-board', 'our-ws', 'our-user', 'ours', '2026-01-01 00:00:00'), ('their-board', 'their-ws', 'their-user', 'theirs', '2026-01-01 00:00:00');
insert into "Card" ("id", "boardId", "authorId", "title", "updatedAt") values ('our-card', 'our-board', 'our-user', 'ours', '2026-01-01 00:00:00'), ('their-card', 'their-board', 'their-user', 'theirs', '2026-01-01 00:00:00');
insert into "CardLike" ("cardId", "userId") values ('their-card', 'their-user');
insert into "Account" ("id", "userId", "provider") values ('their-account', 'their-user', 'x');
