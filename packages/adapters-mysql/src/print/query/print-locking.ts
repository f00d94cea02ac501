/** @module FOR UPDATE and FOR SHARE. */
import { type Locking, type Sql, sql } from '@engine/core/adapter'
import { isMariaDb, type PrintContext } from '../print-context.ts'

/** With the blank before it. */
export function printLocking(
  { strength, wait }: Pick<Locking, 'strength' | 'wait'>,
  context: PrintContext,
): Sql {
  const isShared = strength === 'share' || strength === 'keyShare'
  const shared = isMariaDb(context) ? sql` lock in share mode` : sql` for share`
  const waiting = { block: sql``, skip: sql` skip locked`, error: sql` nowait` }
  return sql`${isShared ? shared : sql` for update`}${waiting[wait]}`
}
