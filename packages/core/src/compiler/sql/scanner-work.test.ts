import { beforeAll, expect, test } from 'vitest'
import { loadParser, parseStatement } from './parse.ts'
import { scannerWork } from './scanner-work.ts'

beforeAll(() => loadParser())

const refused = expect.objectContaining({ sqlState: '54001' })

test.each([
  ['comments inside each other', '/*'.repeat(500_000)],
  ['comments behind each other', `select 1 ${'/**/'.repeat(250_000)}`],
  ['signs', `select ${'+-'.repeat(70_000)}1`],
  ['operators that a comment ends', `select 1 ${'+/**/'.repeat(70_000)}1`],
  ['stars in a comment that begins again and again', `/*${'*/*'.repeat(300_000)}`],
])('%s are refused before the scanner sees them', (_, sql) => {
  expect(() => parseStatement(sql)).toThrow(refused)
})

test.each([
  ['a banner', `/*${'*'.repeat(10_000)}*/ select 1`],
  ['lines', `-- ${'-'.repeat(10_000)}\n${'-- x\n'.repeat(1_000)}select 1`],
  ['a text of operator characters', `select '${'/*+-'.repeat(100_000)}'`],
  ['a name of them', `select 1 as "${'+-'.repeat(30)}"`],
  ['comments with blanks between them', `select ${'/* a */ '.repeat(20_000)} 1`],
  ['a dollar quote', `select $a$${'/*'.repeat(100_000)}$a$`],
])('%s is fine', (_, sql) => {
  expect(() => parseStatement(sql)).not.toThrow()
})

test('work is what the scanner reads twice', () => {
  expect(scannerWork('select 1 + 1 /* a */ - 2')).toBe(0)
  expect(scannerWork('-'.repeat(40))).toBe(0)
  expect(scannerWork('+'.repeat(40))).toBe((40 * 41) / 2)
  expect(scannerWork('/*'.repeat(20))).toBe(40 + 38 + 36 + 34 + 32 + 30 + 28 + 26 + 24 + 22 + 110)
})
