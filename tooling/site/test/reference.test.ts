/** @module The generated pages say what the code says. */
import { builtinFunctions, builtinOperators } from '@engine/core/catalog'
import { configurationOptions } from '@engine/core/server'
import { beforeAll, expect, test, vi } from 'vitest'
import type { GeneratedPage } from '../src/pages/write-pages.ts'
import { constructs } from '../src/reference/constructs.ts'
import { generatedPages } from '../src/reference/generated-pages.ts'
import { optionAdapters } from '../src/reference/option-reference.ts'

// Thousands of statements are planned.
vi.setConfig({ hookTimeout: 600_000 })

let pages: readonly GeneratedPage[]

beforeAll(async () => {
  pages = await generatedPages()
})

function textOf(page: string): string {
  const found = pages.find((each) => each.page === page)
  if (found === undefined) throw new Error(`${page} was not made`)
  return found.text
}

/** The cells of a row of a table, by its first cell. */
function cellsOf(page: string, first: string): readonly string[] {
  const row = textOf(page)
    .split('\n')
    .find((line) => line.startsWith(`| ${first} |`))
  if (row === undefined) throw new Error(`${page} has no row ${first}`)
  return row
    .split(/(?<!\\)\|/)
    .slice(2, -1)
    .map((cell) => cell.trim())
}

test('every option has a row with its type', () => {
  const text = textOf('reference/options.md')
  const missing = configurationOptions(optionAdapters).filter(
    (path) => !text.includes(`| \`${path}\` | `),
  )
  expect(missing).toEqual([])
  expect(cellsOf('reference/options.md', '`limits.maxRows`').slice(0, 2)).toEqual([
    'number',
    '`10000`',
  ])
})

test('every option says what it means, and its default where other options decide it', () => {
  const options = configurationOptions(optionAdapters)
  const silent = options.filter((path) => {
    const cells = cellsOf('reference/options.md', `\`${path}\``)
    return (cells.at(-1) ?? '') === ''
  })
  expect(silent).toEqual([])
  expect(cellsOf('reference/options.md', '`auth.session.absolute`')[1]).toBe('`30d`')
})

test('every construct has a row, and PostgreSQL is asked first', () => {
  const text = textOf('reference/constructs.md')
  const names = Object.values(constructs)
    .flat()
    .map(({ name }) => name)
  expect(names.filter((name) => !text.includes(`| ${name} | `))).toEqual([])
  expect(text).toContain('| Reading | PostgreSQL | MariaDB | MySQL | SQLite | libSQL | CSV |')
})

test('what is known of databases', () => {
  const [postgres, mariadb, , sqlite, libsql] = cellsOf('reference/constructs.md', '`ILIKE`')
  expect([postgres, mariadb, sqlite]).toEqual(['yes', 'yes', 'yes'])
  expect(libsql).toBe('no: not built in')
  const merge = cellsOf('reference/constructs.md', '`MERGE`')
  expect(merge[0]).toBe('yes')
  expect(new Set(merge.slice(1))).toEqual(new Set(['no']))
})

test('every function and operator that clients may use is on the page, but for enums, rows and internal types', () => {
  const text = textOf('reference/functions.md').replaceAll('\\|', '|')
  const functions = builtinFunctions.filter(({ isOfOperator }) => isOfOperator !== true)
  const allowed = [...functions, ...builtinOperators].filter(({ isAllowed }) => isAllowed)
  const signatures = allowed.map(({ signature }) => signature)
  const missing = signatures.filter((each) => !text.includes(`\`${each}\``))
  expect(
    missing.filter((each) => !/\b(?:anyenum|record|oid|xid8?|cid|tid|pg_lsn)\b/.test(each)),
  ).toEqual([])
})

test('functions are listed by topic', () => {
  const text = textOf('reference/functions.md')
  const sections = text.split(/^## /m)
  const section = (title: string) => sections.find((each) => each.startsWith(`${title}\n`))
  expect(section('Text')).toContain('`lower(text)`')
  expect(section('Dates and times')).toContain('`date_trunc(text,timestamptz)`')
  expect(section('JSON')).toContain('`jsonb_build_object(')
  expect(section('Aggregates')).toContain('`string_agg(text,text)`')
})

test('the home page has the SQL that PostgreSQL gets', () => {
  const [, , printed = ''] = textOf('home-example.md')
    .split(/^\*\*.*\*\*$/m)
    .slice(1)
  expect(printed).toMatch(
    /from "public"\."orders" as \w+ where \(\w+\."company_id" = \$1::pg_catalog\.int4\)/,
  )
})

test('every problem and every entry point is there', () => {
  expect(textOf('reference/problems.md')).toContain(
    '| 403 | `PERMISSION_DENIED` | `columnDenied` | no permission covers the column',
  )
  const core = textOf('reference/api/core.md')
  expect(core).toContain('### createEngine')
  expect(core).toContain('**Throws**')
  expect(textOf('reference/api/client-auth.md')).toContain('### createAuth')
})
