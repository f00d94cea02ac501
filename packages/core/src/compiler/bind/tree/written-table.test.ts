import { expect, test } from 'vitest'
import type { ForeignKey, Table } from '../../catalog/catalog.ts'
import type { DeleteWrite, UpdateWrite } from './bound-query.ts'
import { changedTables } from './written-table.ts'

type Actions = Pick<ForeignKey, 'onDelete' | 'onUpdate'>

const keyTo = (table: string, actions: Actions): ForeignKey =>
  ({ columns: [0], table, references: ['id'], ...actions }) as ForeignKey

const tableOf = (name: string, ...foreignKeys: readonly ForeignKey[]): Table =>
  ({ name, columns: [{ name: 'id' }, { name: 'n' }], foreignKeys }) as unknown as Table

const [kept, both] = [
  { onDelete: 'restrict', onUpdate: 'restrict' },
  { onDelete: 'set null', onUpdate: 'cascade' },
] as const

const all = [
  tableOf('shelf'),
  tableOf('book', keyTo('shelf', { onDelete: 'cascade', onUpdate: 'restrict' })),
  tableOf('page', keyTo('book', both)),
  tableOf('loan', keyTo('shelf', kept), keyTo('page', kept)),
  tableOf('label', keyTo('shelf', { onDelete: 'restrict', onUpdate: 'cascade' })),
  tableOf('unknown', keyTo('shelf', {})),
  tableOf('other', keyTo('other', both)),
]
const tables = new Map(all.map((table) => [table.name, table]))

function namesChangedBy(kind: 'delete' | 'update', columns: readonly number[] = []): unknown {
  const write = {
    kind,
    target: { table: all[0] },
    assignments: columns.map((column) => ({ column })),
  }
  const changed = changedTables(write as unknown as DeleteWrite | UpdateWrite, tables)
  return [...changed].map(({ name }) => name).toSorted()
}

test('a DELETE changes what its foreign keys delete or set, and what depends on that', () => {
  expect(namesChangedBy('delete')).toEqual(['book', 'page', 'shelf', 'unknown'])
})

test('an UPDATE changes what refers to the columns that it sets', () => {
  expect(namesChangedBy('update', [0])).toEqual(['label', 'shelf', 'unknown'])
  expect(namesChangedBy('update', [1])).toEqual(['shelf'])
})
