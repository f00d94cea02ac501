/** For any names, the generated program is the same program with other names in it. */
import type { RelationshipDescription, SchemaDocument } from '@engine/contract'
import fc from 'fast-check'
import { parseSync } from 'oxc-parser'
import { expect, test, vi } from 'vitest'
import { generate } from './format.ts'
import { formats, type GenerateOptions } from './generate-options.ts'

// Many programs are generated and parsed, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const hostile = [
  '__proto__',
  'constructor',
  'toString',
  'class',
  'default',
  'await',
  'z',
  'sql',
  'text',
  'relations',
  'Json',
  'one',
  'many',
  '',
  ' ',
  '1',
  "'",
  '"',
  '`',
  '$' + '{process.exit()}',
  '*/ process.exit() /*',
  '// x',
  '\\',
  "\\'",
  '\n',
  '\r\n',
  '\u2028',
  '\u202e',
  '\0',
  '🙂',
  '表',
  '\ud800',
  "'] = 1; process.exit(); //",
  '</script>',
  'a.b',
  'A b',
  'a_b',
  'aB',
]

const plain = hostile.map((_, index) => `plain${String(index).padStart(2, '0')}`)

const name = fc.nat({ max: hostile.length - 1 })
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 6 })
const flags = fc.record({
  nullable: fc.boolean(),
  hasDefault: fc.boolean(),
  primaryKey: fc.boolean(),
})
const types = ['integer', 'bigint', 'real', 'bytea', 'jsonb', 'numeric(3,1)', 'text[]', 'uuid']
const relation = fc.record({
  type: fc.constantFrom<RelationshipDescription['type'][]>(
    'one-to-many',
    'many-to-one',
    'many-to-many',
  ),
  target: fc.nat(),
  from: fc.nat(),
  to: fc.nat(),
})

/** Names are numbers in a list, so that the same schema can have other names. */
const template = fc.record({
  connection: name,
  action: name,
  word: name,
  tables: fc.uniqueArray(
    fc.record({
      name,
      columns: fc.uniqueArray(
        fc.record({
          name,
          flags,
          type: fc.option(fc.constantFrom(...types, 'text')),
          list: fc.constantFrom('enum', 'set'),
          values: names,
        }),
        { selector: (column) => column.name, minLength: 1, maxLength: 4 },
      ),
      relations: fc.tuple(names, fc.array(relation, { maxLength: 3 })),
    }),
    { selector: (table) => table.name, maxLength: 3 },
  ),
})

type Template = typeof template extends fc.Arbitrary<infer Value> ? Value : never

function schemaOf({ connection, action, word, tables }: Template, words: readonly string[]) {
  const called = (index: number) => words[index] ?? ''
  const pick = <Item>(items: readonly Item[], index: number) => items[index % items.length]
  const described = tables.map(({ name: table, columns, relations: [keys, list] }) => {
    const relationships = list.flatMap(({ type, target, from, to }, index) => {
      const far = pick(tables, target)
      const key = keys[index]
      const own = pick(columns, from)
      const other = far && pick(far.columns, to)
      if (far === undefined || key === undefined || own === undefined || other === undefined)
        return []
      const relationship: RelationshipDescription = {
        type,
        table: `${called(connection)}.${called(far.name)}`,
        from: called(own.name),
        to: called(other.name),
      }
      return [[called(key), relationship] as const]
    })
    const columnsByName = columns.map(({ name: column, flags: known, type, list, values }) => {
      const listed = { [list]: values.map(called), comment: called(column), domain: called(column) }
      return [called(column), { type: type ?? called(column), ...known, ...listed }] as const
    })
    return [
      called(table),
      {
        comment: called(table),
        columns: Object.fromEntries(columnsByName),
        relationships: Object.fromEntries(relationships),
      },
    ] as const
  })
  const value = called(word)
  const input = {
    type: 'object',
    description: value,
    properties: Object.fromEntries([
      [value, { type: 'string', description: value }],
      [`${value}2`, { enum: [value, 1, null] }],
      [`${value}3`, { $ref: '#/$defs/node' }],
    ]),
    required: [value],
    $defs: {
      node: { type: 'object', properties: Object.fromEntries([[value, { $ref: '#/$defs/node' }]]) },
    },
  }
  const schema: SchemaDocument = {
    connections: Object.fromEntries([
      [called(connection), { type: 'postgres', tables: Object.fromEntries(described) }],
    ]),
    actions: Object.fromEntries([[called(action), { input, output: { const: value } }]]),
  }
  return schema
}

/** The number of nodes of each kind; keys of objects count as keys, bare or quoted. */
function anatomy(code: string): Readonly<Record<string, number>> {
  const { program, errors } = parseSync('generated.ts', code)
  expect(errors).toEqual([])
  const counts = new Map<string, number>()
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      node.forEach(visit)
      return
    }
    if ('type' in node) count(String(node.type))
    for (const [key, child] of Object.entries(node)) {
      if (key === 'key' && 'value' in node) count('Key')
      else if (key === 'key') count('TypeKey')
      else visit(child)
    }
  }
  visit(program.body)
  return Object.fromEntries([...counts].sort())
}

function exportsOf(code: string): readonly string[] {
  return parseSync('generated.ts', code).module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName }) => String(exportName.name)),
  )
}

const allOptions: readonly GenerateOptions[] = [
  ...formats.map((format) => ({ format })),
  { format: 'drizzle', drizzleVersion: 1 },
]

test.each(allOptions)('%j: names are names, and nothing else', (options) => {
  fc.assert(
    fc.property(template, (shape) => {
      const code = generate(schemaOf(shape, hostile), options)
      expect(anatomy(code)).toEqual(anatomy(generate(schemaOf(shape, plain), options)))
      expect(code).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Zl}|\p{Zp}/u)
      const exported = exportsOf(code)
      expect(new Set(exported).size).toBe(exported.length)
      for (const each of exported) expect(each).toMatch(/^[A-Za-z_]\w*$/)
    }),
    { numRuns: 200 },
  )
})
