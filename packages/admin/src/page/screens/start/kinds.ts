/** @module The kinds of databases that the first run offers, and what is asked for each. */

export interface Kind {
  readonly id: string
  readonly label: string
  readonly field: string
  readonly placeholder: string
  readonly hint: string
}

export const kinds: readonly Kind[] = [
  {
    id: 'postgres',
    label: 'PostgreSQL',
    field: 'URL',
    placeholder: 'postgres://engine:password@host:5432/shop',
    hint: 'Supabase, Neon, RDS and others show it as “connection string”. A user without superuser rights is enough.',
  },
  {
    id: 'mysql',
    label: 'MySQL, MariaDB',
    field: 'URL',
    placeholder: 'mysql://engine:password@host:3306/shop',
    hint: 'The user needs SELECT, and INSERT, UPDATE, DELETE for what rules let callers write.',
  },
  {
    id: 'sqlite',
    label: 'SQLite',
    field: 'File',
    placeholder: './shop.db',
    hint: 'A path on the machine of the server, from the directory where it was started.',
  },
  {
    id: 'libsql',
    label: 'libSQL, Turso',
    field: 'URL',
    placeholder: 'libsql://name.turso.io?authToken=…',
    hint: 'With its token as authToken.',
  },
  {
    id: 'csv',
    label: 'CSV files',
    field: 'Directory',
    placeholder: './exports',
    hint: 'On the machine of the server. Each file is a table; types are found out.',
  },
]
