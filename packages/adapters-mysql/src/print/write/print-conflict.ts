/**
 * @module INSERT ... ON CONFLICT. The server's own ON DUPLICATE KEY UPDATE fires on every unique key of a table, and INSERT
 * IGNORE ignores other errors, too: the first is used only where a conflict with a single key is possible, the second never.
 * Otherwise existing rows are searched by the key that the statement names, and all steps are repeated if another writer stores
 * one of these rows meanwhile.
 */

import type { Table } from '@engine/core/catalog'
import type { InsertWrite, OnConflict } from '@engine/core/tree'
import { type PrintContext, refuse } from '../print-context.ts'
import { addDoNothing } from './conflict-do-nothing.ts'
import { addDoUpdate } from './conflict-do-update.ts'
import { type KeyPart, metKey, uniqueKeysOf } from './conflict-keys.ts'
import { type SourceQuery, sourceQuery } from './insert-source.ts'
import { addDuplicateKeyUpdate, assignmentsOnConflict } from './on-duplicate-key.ts'
import { addPlain } from './plain-insert.ts'
import { createStepList, type WriteSteps } from './write-plan.ts'

export function printUpsert(
  write: InsertWrite,
  { target, action }: OnConflict,
  context: PrintContext,
): WriteSteps {
  const { table } = write.target
  const steps = createStepList()
  const source = sourceQuery(write, context)
  const keysOf = (rows: SourceQuery) => metKeys(table, target, rows, context)
  const keys = keysOf(source)
  const [key] = keys
  if (key === undefined) {
    addPlain(write, steps, context)
    return { steps: steps.steps, retriesOnDuplicateKey: false }
  }
  if (source.columns.length === 0) refuse('ON CONFLICT after DEFAULT VALUES', undefined)
  if (action.kind === 'nothing') {
    addDoNothing({ write, source, keysOf }, steps, context)
    return { steps: steps.steps, retriesOnDuplicateKey: true }
  }
  const upsert = { write, source, key, action }
  const assignments = assignmentsOnConflict(upsert, context)
  if (assignments !== undefined) {
    addDuplicateKeyUpdate(upsert, assignments, steps, context)
    return { steps: steps.steps, retriesOnDuplicateKey: false }
  }
  addDoUpdate(upsert, steps, context)
  return { steps: steps.steps, retriesOnDuplicateKey: true }
}

/** Conflict keys that the proposed rows could conflict with. */
function metKeys(
  table: Table,
  target: OnConflict['target'],
  source: SourceQuery,
  context: PrintContext,
): readonly (readonly KeyPart[])[] {
  if (target?.index !== undefined) {
    refuse('ON CONFLICT over an index of expressions or of some rows', undefined)
  }
  const asked = target === undefined ? uniqueKeysOf(table) : [target.columns]
  return asked.flatMap((ordinals): readonly (readonly KeyPart[])[] => {
    const key = metKey(table, ordinals, source, context)
    if (key === 'unknown') return refuse('ON CONFLICT with a key that gets its default', undefined)
    return key === 'never' ? [] : [key]
  })
}
