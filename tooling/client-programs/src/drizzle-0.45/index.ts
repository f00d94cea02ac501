import type { Program } from '../program.ts'
import type { Db } from './client.ts'
import { aggregates } from './programs/aggregates.ts'
import { atTheSameTime } from './programs/at-the-same-time.ts'
import { bulkWrites } from './programs/bulk-writes.ts'
import { changes } from './programs/changes.ts'
import { datesAndJson } from './programs/dates-and-json.ts'
import { deletes } from './programs/deletes.ts'
import { executed } from './programs/execute.ts'
import { expressions } from './programs/expressions.ts'
import { filters } from './programs/filters.ts'
import { guides } from './programs/guides.ts'
import { inserts } from './programs/inserts.ts'
import { joins } from './programs/joins.ts'
import { listsAndPages } from './programs/lists-and-pages.ts'
import { postgresOnly } from './programs/postgres-only.ts'
import { relational } from './programs/relational.ts'
import { deepRelational } from './programs/relational-deep.ts'
import { reports } from './programs/reports.ts'
import { selects } from './programs/selects.ts'
import { spellings } from './programs/spellings.ts'
import { subqueries } from './programs/subqueries.ts'
import { updates } from './programs/updates.ts'
import { upserts } from './programs/upserts.ts'
import { values } from './programs/values.ts'
import { violations } from './programs/violations.ts'
import { windows } from './programs/windows.ts'

export { type Db, directDb, gatewayDb } from './client.ts'

/** Every Drizzle 0.45 program; names are unique. */
export const programs: readonly Program<Db>[] = [
  ...selects,
  ...filters,
  ...joins,
  ...aggregates,
  ...subqueries,
  ...expressions,
  ...datesAndJson,
  ...windows,
  ...relational,
  ...deepRelational,
  ...values,
  ...executed,
  ...inserts,
  ...upserts,
  ...updates,
  ...deletes,
  ...violations,
  ...guides,
  ...listsAndPages,
  ...reports,
  ...bulkWrites,
  ...changes,
  ...spellings,
  ...atTheSameTime,
  ...postgresOnly,
]
