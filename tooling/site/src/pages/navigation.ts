/** @module The order of pages: a list for each heading of the side bar. */

/** By heading: paths of pages without `.md`. */
export const guides: Readonly<Record<string, readonly string[]>> = {
  Start: ['getting-started', 'permission-cookbook', 'admin'],
  'Coming from': ['from-supabase', 'from-postgrest', 'from-hasura', 'from-prisma'],
  Rights: ['permissions', 'permissions-tools', 'auth', 'security-model', 'audit'],
  Clients: ['client', 'pgwire', 'compatibility', 'schema', 'actions', 'errors', 'limits'],
  Hosts: ['hosts', 'deployment', 'several-nodes', 'scaling-out', 'operations', 'reliability'],
  Change: ['configuration', 'migrations', 'upgrades', 'admin-api', 'performance'],
  Databases: [
    'databases',
    'sql',
    'packages/adapters-postgres',
    'packages/adapters-mysql',
    'packages/adapters-sqlite',
    'packages/adapters-libsql',
    'packages/adapters-csv',
  ],
}

/** The pages for those who change Engine itself. */
export const internals: Readonly<Record<string, readonly string[]>> = {
  Engine: ['architecture', 'contributing', 'writing-an-adapter', 'how-to/index', 'decisions/index'],
  'How to': [
    'how-to/add-a-filter-operator',
    'how-to/add-a-function',
    'how-to/add-a-route',
    'how-to/add-a-migration',
  ],
  Tools: ['tooling/index'],
}

/** The generated pages, besides one for each entry point. */
export const references: readonly string[] = [
  'reference/options',
  'reference/problems',
  'reference/constructs',
  'reference/functions',
]
