import type { Program } from '../program.ts'
import type { Db } from './client.ts'
import { builder } from './programs/builder.ts'
import { combined } from './programs/combined.ts'
import { expressions } from './programs/expressions.ts'
import { postgresOnly } from './programs/postgres-only.ts'
import { queries } from './programs/queries.ts'
import { queriesV2 } from './programs/queries-v2.ts'
import { relationFilters } from './programs/relation-filters.ts'
import { relational } from './programs/relational.ts'
import { deepRelational } from './programs/relational-deep.ts'
import { writes } from './programs/writes.ts'

export { type Db, directDb, gatewayDb } from './client.ts'

/** Every Drizzle 1.0 program; names are unique. */
export const programs: readonly Program<Db>[] = [
  ...relational,
  ...deepRelational,
  ...relationFilters,
  ...queries,
  ...expressions,
  ...combined,
  ...writes,
  ...queriesV2,
  ...builder,
  ...postgresOnly,
]
