import { expect, test } from 'vitest'
import type { ForeignKey, Table, ViewWrites } from '../../catalog/catalog.ts'
import type { DeleteWrite, UpdateWrite } from './bound-query.ts'
import { changedTables, mayShareRows } from './written-table.ts'

type Actions = Pick<ForeignKey, 'onDelete' | 'onUpdate'>

const keyTo = (table: string, actions: Actions): ForeignKey =>
  ({ columns: [0], table, references: ['id'], ...actions }) as ForeignKey

const tableOf = (name: string, ...foreignKeys: readonly ForeignKey[]): Table =>
  ({ name, key: name, columns: [{ name: 'id' }, { name: 'n' }], foreignKeys }) as unknown as Table

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

test('a view shares rows with the table that it writes, and with whatever a trigger may write', () => {
  const named = (name: string, viewWrites?: ViewWrites): Table => ({
    ...tableOf(name),
    kind: viewWrites === undefined ? 'table' : 'view',
    native: { schema: 'public', name },
    viewWrites,
  })
  const direct = {
    insert: 'table',
    update: 'table',
    delete: 'table',
    columns: new Map<number, string>(),
    base: { schema: 'public', name: 'shelf' },
    showsEveryRow: false,
    keys: [],
  } as const
  const [shelf, book] = [named('shelf'), named('book')]
  const view = named('seen', direct)
  expect([mayShareRows(view, shelf), mayShareRows(shelf, view)]).toEqual([true, true])
  expect([mayShareRows(view, book), mayShareRows(book, shelf)]).toEqual([false, false])
  expect(mayShareRows(view, named('other', direct))).toBe(true)
  expect(mayShareRows(named('triggered', { ...direct, insert: 'trigger' }), book)).toBe(true)
  expect(mayShareRows(book, named('unclear', { ...direct, base: undefined }))).toBe(true)
})
