import * as drizzle045 from './drizzle-0.45/index.ts'
import * as drizzle1 from './drizzle-1.0/index.ts'
import * as kysely from './kysely/index.ts'
import { type Suite, suiteOf } from './suite.ts'

/** Every client, with all its programs. */
export const suites: readonly Suite[] = [
  suiteOf({ name: 'Drizzle 0.45', ...drizzle045 }),
  suiteOf({ name: 'Drizzle 1.0', ...drizzle1 }),
  suiteOf({ name: 'Kysely 0.29', ...kysely }),
]
