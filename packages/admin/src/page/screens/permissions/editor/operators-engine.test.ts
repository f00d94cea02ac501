/** What the editor makes of each operator's input is what the engine takes. */
import { filterOperatorNames } from '@engine/contract'
import { createEngine, type Filter, type Permission } from '@engine/core'
import type { Adapter, IntrospectedTable } from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { expect, test } from 'vitest'
import { filterOf, treeOf } from './filter-tree.ts'
import { emptyOperand, inputOf, isEditable, operandOf, operatorsFor, textOf } from './operators.ts'

/** Columns by the name of their type, each with one value as it is typed. */
const columns = [
  ['text', oids.text, 'new'],
  ['bytea', oids.bytea, 'ab'],
  ['integer', oids.int4, '7'],
  ['bigint', oids.int8, '9007199254740993'],
  ['numeric', oids.numeric, '1.50'],
  ['boolean', oids.bool, 'true'],
  ['date', oids.date, '2026-01-31'],
  ['interval', oids.interval, '3 days'],
  ['uuid', oids.uuid, '00000000-0000-0000-0000-000000000001'],
  ['json', oids.json, '{"a":1}'],
  ['jsonb', oids.jsonb, '{"a":1}'],
  ['text[]', oids.textArray, 'a'],
  ['int4range', 3904, '[1,5)'],
  ['inet', oids.inet, '10.0.0.0/8'],
] as const

const table: IntrospectedTable = {
  schema: 'public',
  name: 't',
  kind: 'table',
  comment: undefined,
  columns: columns.map(([name, oid]) => ({
    name,
    type: { oid, typmod: -1 },
    nullable: true,
    hasDefault: false,
    generated: 'no',
    nativeType: name,
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
  })),
  primaryKey: [],
  uniqueKeys: [],
  foreignKeys: [],
}

const unused = async (): Promise<never> => {
  throw new Error('no statement runs here')
}

const adapter: Adapter = {
  kind: 'postgres',
  traits: { carriesConditionsAcrossJoins: true, streamsRecursion: true },
  introspect: async () => ({ types: [], tables: [table] }),
  compile: () => {
    throw new Error('no statement is compiled here')
  },
  execute: unused,
  transaction: unused,
  ping: async () => undefined,
  close: async () => undefined,
}

/** Starts an engine with a permission for each filter, which checks them all. @throws with every fault. */
async function check(filters: readonly unknown[]): Promise<void> {
  const permissions = filters.map(
    (where): Permission => ({ table: 'main.t', roles: ['r'], select: { where: where as Filter } }),
  )
  const engine = await createEngine(
    { connections: { main: { url: 'postgres://127.0.0.1/none' } }, permissions },
    { adapters: { '@engine/adapters-postgres': () => adapter } },
  )
  await engine.close()
}

/** What a person types for an operator. */
function typed(operator: string, type: string, value: string): string {
  const input = inputOf(operator, type)
  if (input === 'flag') return 'true'
  if (input === 'one') return value
  return value.includes(',') ? JSON.stringify([value, value]) : `${value}, ${value}`
}

const aliases = filterOperatorNames.filter(
  (name) => isEditable(name) && !columns.some(([type]) => operatorsFor(type).includes(name)),
)

const cases = columns.flatMap(([type, , value]) =>
  [...operatorsFor(type), ...aliases].map((operator) => ({
    type,
    operator,
    operand: operandOf(typed(operator, type, value), operator, type),
  })),
)

test('the engine takes the operand that is typed for each operator', async () => {
  await check(cases.map(({ type, operator, operand }) => ({ [type]: { [operator]: operand } })))
})

test('the engine refuses what is no operand', async () => {
  await expect(check([{ text: { $null: 'true' } }])).rejects.toThrow('expects true or false')
})

test('an operand is shown as it was typed, and stays what it is', () => {
  for (const { type, operator, operand } of cases) {
    expect(operandOf(textOf(operand), operator, type)).toEqual(operand)
    const filter = { [type]: { [operator]: operand } }
    expect(treeOf(filter).items).toMatchObject([
      { kind: 'condition', left: type, operator, operand },
    ])
    expect(treeOf(filterOf(treeOf(filter)))).toEqual(treeOf(filter))
  }
})

test('every operator but $not is edited, and $null beside $isNull', () => {
  expect(filterOperatorNames.filter((name) => !isEditable(name))).toEqual(['$not'])
  expect(aliases).toEqual(['$null'])
  expect(inputOf('$null', 'text')).toBe('flag')
  expect(operandOf('true', '$null', 'text')).toBe(true)
  expect(operandOf('false', '$null', 'text')).toBe(false)
  expect(emptyOperand('$null', 'jsonb')).toBe(true)
})
