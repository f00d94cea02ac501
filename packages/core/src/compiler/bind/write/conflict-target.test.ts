import { describe, expect, test } from 'vitest'
import type { Catalog } from '../../catalog/catalog.ts'
import type { UniqueIndex } from '../../catalog/unique-index.ts'
import { fullAccessView } from '../scope/full-access-view.ts'
import { shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'
import { shopCatalog } from '../test-support/shop-for-test.ts'

const codePoints = { name: 'C', native: 'pg_catalog."C"' }
const usual = { name: 'default', native: 'pg_catalog."default"' }
const textOps = { name: 'text_ops', native: 'pg_catalog.text_ops' }

function indexOf(
  name: string,
  parts: readonly string[],
  condition?: string,
  collation = usual,
): UniqueIndex {
  return {
    name,
    parts: parts.map((native) => ({ native, collation, operatorClass: textOps })),
    condition: condition === undefined ? undefined : { native: condition },
  }
}

/** The shop, where customers have these indexes. */
function withIndexes(...uniqueIndexes: readonly UniqueIndex[]): Catalog {
  const catalog = shopCatalog('main')
  const connections = [...catalog.connections].map(([name, connection]) => {
    const tables = [...connection.tables].map(
      ([key, table]) => [key, key === 'customers' ? { ...table, uniqueIndexes } : table] as const,
    )
    return [name, { ...connection, tables: new Map(tables) }] as const
  })
  return { ...catalog, connections: new Map(connections) }
}

const insert = 'insert into main.customers (id) values (1) on conflict'

/** The target as it is bound: the expressions are those of the index. */
function bound(catalog: Catalog, target: string): string {
  const text = shopText(`${insert} ${target} do nothing`, { catalog })
  return text.slice(
    text.indexOf('on conflict') + 'on conflict '.length,
    text.indexOf(' do nothing'),
  )
}

function failure(catalog: Catalog, target: string): string {
  return shopFailure(`${insert} ${target} do nothing`, { catalog })
}

describe('an index of expressions', () => {
  const catalog = withIndexes(indexOf('by_email', ['lower((email)::text)']))

  test.each(['(lower(email))', '((lower(email)))', '(LOWER(customers.email::text))'])(
    '%s means it',
    (target) => expect(bound(catalog, target)).toBe('(lower((email)::text))'),
  )

  test.each(['(upper(email))', '(lower(name))', '(lower(email), id)', '(name)'])(
    '%s does not',
    (target) => expect(failure(catalog, target)).toContain('42P10'),
  )

  test('its collation and operator class may be named', () => {
    expect(bound(catalog, '(lower(email) collate "default" text_ops)')).toBe(
      '(lower((email)::text))',
    )
    expect(failure(catalog, '(lower(email) collate "C")')).toContain('42P10')
    expect(failure(catalog, '(lower(email) varchar_pattern_ops)')).toContain('42P10')
  })

  test('a key of plain columns stays one', () => {
    expect(bound(catalog, '(email)')).toBe('(email)')
    expect(bound(catalog, '((email))')).toBe('(email)')
    expect(bound(catalog, '(email collate "default")')).toBe('(email)')
    expect(failure(catalog, '(email collate "C")')).toContain('42P10')
  })

  test('another collation is that of the index', () => {
    const collated = withIndexes(indexOf('by_name', ['name'], undefined, codePoints))
    expect(bound(collated, '(name collate "C")')).toBe('(name)')
    expect(bound(collated, '(name)')).toBe('(name)')
  })
})

describe('an index of some rows', () => {
  const ofActive = withIndexes(indexOf('by_name', ['name'], 'city IS NULL'))

  test('is meant where the condition implies its own', () => {
    expect(bound(ofActive, '(name) where city is null')).toBe('(name) where city IS NULL')
    expect(bound(ofActive, '(name) where active and city is null')).toContain('city IS NULL')
    expect(failure(ofActive, '(name)')).toContain('42P10')
    expect(failure(ofActive, '(name) where city is not null')).toContain('42P10')
    expect(failure(ofActive, '(name) where city is null or active')).toContain('42P10')
  })

  test.each([
    ['active AND id > 0', 'id > 0 and active', true],
    ['active AND id > 0', 'active', false],
    ['active AND id > 0', 'id > 0 and city is null and active = true', true],
    ['NOT active', 'active = false', true],
    ['id IS NOT NULL', 'id > 3', true],
    ['id IS NOT NULL', 'id in (1, 2)', true],
    ['id IS NOT NULL', 'id is null', false],
    ["city = ANY (ARRAY['a'::text, 'b'::text])", "city in ('a', 'b')", true],
    ["city = ANY (ARRAY['a'::text, 'b'::text])", "city = 'b'", true],
    ["city = ANY (ARRAY['a'::text, 'b'::text])", "city = 'c'", false],
    ["(email)::text = 'x'::text", "email = 'x'", true],
    ["city = 'a'::text OR active", 'active', true],
    ["city = 'a'::text OR active", "active or city = 'a'", true],
    ['active', "active or city = 'a'", false],
    ['id > 3', 'id > 5', true],
    ['id > 3', 'id >= 3', false],
    ['id >= 3', 'id > 3', true],
    ['id < 3', 'id <= 2', true],
    ['id <= 3', 'id < 3', true],
    ['id < 3', 'id > 5', false],
    ['id > 3', 'id = 4', true],
    ['id <> 3', 'id = 4', true],
    ['id <> 3', 'id > 2', false],
    ['COALESCE(id, 1) > 0', 'coalesce(id, 1) > 1', true],
    ['id > 3', 'length(name) > 5', false],
  ])('where %s: implied by %s is %s', (own, asked, isImplied) => {
    const catalog = withIndexes(indexOf('by_name', ['name'], own))
    const target = `(name) where ${asked}`
    if (isImplied) expect(bound(catalog, target)).toBe(`(name) where ${own}`)
    else expect(failure(catalog, target)).toContain('42P10')
  })

  test('a key over all rows is watched together with it', () => {
    const catalog = withIndexes(indexOf('by_email', ['email'], 'active'))
    expect(bound(catalog, '(email) where active')).toBe('(email) where active')
    expect(bound(catalog, '(email) where not active')).toBe('(email)')
  })
})

describe('what is refused', () => {
  const catalog = withIndexes(indexOf('by_name', ['lower(name)'], 'city IS NULL'))

  test('a parameter, with a hint: a plan does not know its value', () => {
    const refusal = failure(catalog, '(lower(name)) where city is not distinct from $1')
    expect(refusal).toMatch(/^0A000 a parameter .* \(write a literal\) is not supported/)
  })

  test('a subquery: nothing reads a table', () => {
    const select = '(select 1 from main.orders)'
    expect(failure(catalog, `(lower(name)) where city is null and exists ${select}`)).toContain(
      '0A000 a subquery',
    )
    expect(failure(catalog, `((${select}))`)).toContain('0A000 a subquery')
  })

  test('an index of an unknown function, where the caller may read the whole table', () => {
    const unknown = withIndexes(indexOf('by_name', ['public.fold(name)']))
    const refusal = failure(unknown, '(lower(name))')
    expect(refusal).toMatch(/^0A000/)
    const view: typeof fullAccessView = (connection) => ({
      ...fullAccessView(connection),
      readable: () => new Set([0, 1]),
    })
    const text = `${insert} (lower(name)) do nothing`
    expect(shopFailure(text, { catalog: unknown, view })).toContain('42P10')
  })

  test('a hidden column, like one that does not exist', () => {
    const view: typeof fullAccessView = (connection) => ({
      ...fullAccessView(connection),
      readable: () => new Set([0, 1]),
    })
    const refusal = (target: string) =>
      shopFailure(`${insert} ${target} do nothing`, { catalog, view })
    for (const name of ['city', 'nope']) {
      expect(refusal(`(lower(name)) where ${name} is null`)).toContain('42703')
      expect(refusal(`(lower(${name}))`)).toContain('42703')
    }
    expect(refusal('(lower(name))')).toContain('42P10')
  })
})
