import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type FileFormat, findFormat } from './file-format.ts'

function formatOf(content: string | Uint8Array, name = 't.csv'): FileFormat | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'engine-format-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, name)
  writeFileSync(path, content)
  return findFormat(path, { delimiter: undefined, header: undefined })
}

test.each([
  ['a,b\n1,2\n3,4', ','],
  ['a;b\n1,5;2\n3,5;4', ';'],
  ['a\tb\n1\t2', '\t'],
  ['a|b|c\n1|2|3', '|'],
  ['only\n1\n2', ','],
  ['"a;b",c\n"1;2",3', ','],
])('%j is delimited by %j', (content, delimiter) => {
  expect(formatOf(content)?.delimiter).toBe(delimiter)
})

test('a .tsv is delimited by tabs', () => {
  expect(formatOf('a,b\tc\n1,2\t3', 't.tsv')?.names).toEqual(['a,b', 'c'])
})

test.each([
  ['id,name\n1,a\n2,b', ['id', 'name']],
  ['1,a\n2,b\n3,c', ['column_1', 'column_2']],
  ['name,city\nann,rome', ['name', 'city']],
  ['"first name", last ,,a,A\n1,2,3,4,5', ['first name', 'last', 'column_3', 'a', 'A_2']],
  ['id', ['id']],
  [`${'x'.repeat(70)},b\n1,2`, ['x'.repeat(63), 'b']],
])('the columns of %j', (content, names) => {
  expect(formatOf(content)?.names).toEqual(names)
})

test('a file without a record has no format', () => {
  expect(formatOf('')).toBeUndefined()
  expect(formatOf('\n\n')).toBeUndefined()
})

test.each([
  ['\uFEFFid\n1', 'utf8', 'utf-8', 3],
  ['\uFEFFid\n1', 'utf16le', 'utf-16le', 2],
  ['id\né', 'utf8', 'utf-8', 0],
  ['id\né', 'latin1', 'windows-1252', 0],
] as const)('%j in %s is read as %s', (text, encoding, expected, markLength) => {
  const format = formatOf(Buffer.from(text, encoding))
  expect(format?.encoding).toEqual({ encoding: expected, markLength })
  expect(format?.names).toEqual(['id'])
})

test('line ends and quotes are remembered', () => {
  const format = formatOf('id,name,note\r\n1,"a",\r\n2,"b","x"\r\n')
  expect(format).toMatchObject({ lineEnd: '\r\n', quoted: [false, true, true] })
})
