/** @module FOR UPDATE and FOR SHARE. */

import { type Sql, sql } from '@engine/core/print'
import type { Locking } from '@engine/core/tree'
import type { PrintContext } from '../print-context.ts'

/** With the blank before it. */
export function printLocking(
  { strength, wait }: Pick<Locking, 'strength' | 'wait'>,
  { traits }: PrintContext,
): Sql {
  const isShared = strength === 'share' || strength === 'keyShare'
  const waiting = { block: sql``, skip: sql` skip locked`, error: sql` nowait` }
  return sql`${isShared ? traits.sharedLock : sql` for update`}${waiting[wait]}`
}
