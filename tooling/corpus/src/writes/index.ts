import type { WriteCase } from '../case.ts'
import { constraints, cteWrites } from './constraints.ts'
import { deletes } from './deletes.ts'
import { insertSelects } from './insert-selects.ts'
import { defaults, inserts } from './inserts.ts'
import { updateFroms } from './update-froms.ts'
import { updates } from './updates.ts'
import { upserts } from './upserts.ts'

/** Statements that write, each list of steps on a fresh fixture. */
export const writeCases: readonly WriteCase[] = [
  inserts,
  defaults,
  upserts,
  insertSelects,
  updates,
  updateFroms,
  deletes,
  constraints,
  cteWrites,
].flat()
