import type { Program } from '../program.ts'
import type { Db } from './client.ts'
import { aggregates } from './programs/aggregates.ts'
import { changes } from './programs/changes.ts'
import { combined } from './programs/combined.ts'
import { expressions } from './programs/expressions.ts'
import { filters } from './programs/filters.ts'
import { inserts } from './programs/inserts.ts'
import { joins } from './programs/joins.ts'
import { nested } from './programs/nested.ts'
import { nestedSets } from './programs/nested-sets.ts'
import { plugins } from './programs/plugins.ts'
import { postgresOnly } from './programs/postgres-only.ts'
import { recipes } from './programs/recipes.ts'
import { relations } from './programs/relations.ts'
import { selects } from './programs/selects.ts'
import { writes } from './programs/writes.ts'

export { type Db, directDb, gatewayDb } from './client.ts'

/** Every Kysely program; names are unique. */
export const programs: readonly Program<Db>[] = [
  ...selects,
  ...filters,
  ...joins,
  ...combined,
  ...aggregates,
  ...relations,
  ...expressions,
  ...inserts,
  ...changes,
  ...recipes,
  ...nested,
  ...nestedSets,
  ...plugins,
  ...writes,
  ...postgresOnly,
]
