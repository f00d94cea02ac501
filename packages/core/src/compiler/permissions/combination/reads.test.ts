import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answers, ask, formulas, type Question, truthOf } from '../test-support/random-formula.ts'
import { always, type Formula, never, unknown } from './kleene.ts'
import { permittedRows, type ReadGrant, virtualTable } from './reads.ts'

const columns = [0, 1, 2]

function grant(listed: readonly number[], where: Formula<Question>): ReadGrant<Question> {
  return { columns: new Set(listed), where, whereKey: JSON.stringify(where) }
}

const grants = fc.array(
  fc.tuple(fc.subarray(columns), formulas).map(([listed, where]) => grant(listed, where)),
  { maxLength: 3 },
)
const [a, b] = [ask('a'), ask('b')]

describe('the virtual table', () => {
  test('has a row where any grant shows it, and a cell where one grant shows both', () => {
    const restrictions = fc.array(formulas, { maxLength: 2 })
    fc.assert(
      fc.property(grants, restrictions, answers, (list, narrowing, row) => {
        const table = virtualTable(list, narrowing)
        const showing = list.filter(({ where }) => truthOf(where, row) === true)
        const isRestricted = narrowing.some((each) => truthOf(each, row) !== true)
        const isVisible = truthOf(table.rows, row) === true
        expect(isVisible).toBe(showing.length > 0 && !isRestricted)
        for (const column of columns) {
          expect(table.readable.has(column)).toBe(list.some((each) => each.columns.has(column)))
          if (!isVisible || !table.readable.has(column)) continue
          const shown = truthOf(table.cells.get(column) ?? always, row) === true
          expect(shown).toBe(showing.some((each) => each.columns.has(column)))
        }
      }),
      { numRuns: 500 },
    )
  })
  test('masks no column that every grant lists, nor one that a grant of all rows lists', () => {
    const { cells } = virtualTable([grant([0, 1], always), grant([0, 2], a)], [])
    expect([...cells]).toEqual([[2, a]])
  })
  test('grants of the same rows count as one', () => {
    const { rows, cells } = virtualTable([grant([0], a), grant([1], a)], [])
    expect(rows).toEqual({ kind: 'or', operands: [a, a] })
    expect(cells.size).toBe(0)
  })
  test('grants without any row show no cell and make no masks for others', () => {
    const { rows, readable, cells } = virtualTable([grant([0], a), grant([1], unknown)], [])
    expect(rows).toBe(a)
    expect([...readable]).toEqual([0, 1])
    expect([...cells]).toEqual([[1, never]])
  })
  test('without grants has nothing', () => {
    expect(virtualTable([], [])).toEqual({ rows: never, readable: new Set(), cells: new Map() })
  })
})

test('rows are those of any grant, narrowed by every restriction', () => {
  expect(permittedRows([{ where: a }, { where: b }], [ask('c'), always])).toEqual({
    kind: 'and',
    operands: [{ kind: 'or', operands: [a, b] }, ask('c')],
  })
  expect(permittedRows([{ where: a }], [unknown])).toBe(never)
  expect(permittedRows([{ where: unknown }, { where: a }], [])).toBe(a)
})
