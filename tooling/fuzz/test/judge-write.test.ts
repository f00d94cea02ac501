/** Rows that a write has stored, judged by its policy: rows that no permission allowed are found. */
import type { Caller } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { expect, onTestFinished, test } from 'vitest'
import type { WriteFacts } from '../src/grammar/write.ts'
import { judgeWrite } from '../src/runs/judge-write.ts'
import { openDirectSubject } from '../src/subjects/direct-subject.ts'
import type { Row, World, WorldColumn } from '../src/world/world.ts'

const column = (name: string, stored: 'int4' | 'text'): WorldColumn => ({
  name,
  stored,
  type: stored,
  isNullable: true,
  default: undefined,
})
const world: World = {
  tables: [
    {
      name: 't1',
      columns: [
        column('id', 'int4'),
        column('tenant', 'int4'),
        column('role', 'text'),
        column('rid', 'int4'),
      ],
      unique: undefined,
      foreignKeys: [],
    },
  ],
  rows: new Map(),
}
const policy = {
  own: {
    table: 'main.t1',
    roles: ['user'],
    select: { where: { tenant: 1 } },
    insert: { columns: ['id', 'tenant', 'role'], check: { tenant: 1, role: 'user' } },
    update: { columns: ['role'], where: { tenant: 1 }, check: { role: { $ne: 'owner' } } },
    delete: { where: { role: 'user' } },
  },
}
const caller: Caller = { kind: 'user', id: 'caller', roles: ['user'], fields: {} }

const before: readonly Row[] = [
  ['1', '1', 'user', '1'],
  ['2', '1', 'owner', '2'],
  ['1', '2', 'user', '3'],
]
const changed = (at: number, row: Row | undefined): readonly Row[] =>
  row === undefined ? before.toSpliced(at, 1) : before.with(at, row)

const cases: readonly (readonly [string, WriteFacts['operation'], readonly Row[], boolean])[] = [
  ['nothing', 'update', before, true],
  ['a role that the check allows', 'update', changed(0, ['1', '1', 'guest', '1']), true],
  ['a role that the check forbids', 'update', changed(0, ['1', '1', 'owner', '1']), false],
  ['a column that is not granted', 'update', changed(0, ['7', '1', 'user', '1']), false],
  ['a hidden row with the key of another', 'update', changed(2, ['1', '2', 'guest', '3']), false],
  ['an UPDATE that deletes', 'update', changed(0, undefined), false],
  ['a DELETE of what may be deleted', 'delete', changed(0, undefined), true],
  ['a DELETE of what may not', 'delete', changed(1, undefined), false],
  ['a new row', 'insert', [...before, ['9', '1', 'user', null]], true],
  ['a new row of another tenant', 'insert', [...before, ['9', '2', 'user', null]], false],
]

describePostgres('what a write has left behind', () => {
  test.each(cases)('%s', async (_, operation, rows, isRight) => {
    const subject = await openDirectSubject(await createDatabase('fuzz judge'))
    onTestFinished(() => subject.close())

    const wrong = await judgeWrite(
      subject,
      { world, policy, caller },
      {
        writes: [{ table: 't1', operation, columns: ['role'], conflict: undefined }],
        before: new Map([['t1', before]]),
        after: new Map([['t1', rows]]),
      },
    )

    expect(wrong.length).toBe(isRight ? 0 : 1)
  })
})
