import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { csvAdapter } from '../src/adapter.ts'
import { signatureOf } from '../src/load/file-signature.ts'
import { type Files, makeDirectory, type OpenDirectory, openDirectory } from './open-directory.ts'

const writable = { writable: true } as const

test('columns that are called as the numbers of rows lose nothing', async () => {
  const { rows, read } = await openDirectory({ 't.csv': 'rowid,oid,n\n-5,b,1\n-6,a,2\n' }, writable)

  await rows('update files.t set n = 9 where rowid = -6')
  await rows(`insert into files.t values (-7, 'c', 3)`)

  expect(read('t.csv')).toBe('rowid,oid,n\n-5,b,1\n-6,a,9\n-7,c,3\n')
})

test('a table whose columns have taken all names of the row number can be read alone', async () => {
  const content = 'rowid,oid,_rowid_\n3,b,1\n2,a,2\n'
  const read = await openDirectory({ 't.csv': content })
  expect(await read.rows('select rowid, oid, _rowid_ from files.t order by rowid')).toEqual([
    [2, 'a', 2],
    [3, 'b', 1],
  ])

  const { complaints } = await openDirectory({ 't.csv': content }, writable)
  expect(complaints).toEqual([expect.stringMatching(/t\.csv has columns rowid, _rowid_ and oid/)])
})

test('JSON keeps all digits where another column of its row changes', async () => {
  const json = '"{""big"": 9007199254740993, ""price"": 1.10}"'
  const { rows, read } = await openDirectory({ 't.csv': `id,n,doc\n1,1,${json}\n` }, writable)

  await rows('update files.t set n = 2')

  expect(read('t.csv')).toBe(`id,n,doc\n1,2,${json}\n`)
})

test('a link stays one, and the file that it leads to keeps its owner', async () => {
  const elsewhere = join(makeDirectory({ 'real.csv': 'id\n1\n' }), 'real.csv')
  const isAdministrator = process.getuid?.() === 0
  if (isAdministrator) chownSync(elsewhere, 65_534, 65_534)
  const { uid, gid } = statSync(elsewhere)
  const directory = makeDirectory({})
  symlinkSync(elsewhere, join(directory, 't.csv'))
  const { rows } = await openDirectory(directory, writable)

  await rows('insert into files.t values (2)')

  expect(lstatSync(join(directory, 't.csv')).isSymbolicLink()).toBe(true)
  expect(readFileSync(elsewhere, 'utf8')).toBe('id\n1\n2\n')
  expect(statSync(elsewhere)).toMatchObject({ uid, gid })
})

test('a circular link does not affect other tables', async () => {
  const directory = makeDirectory({ 'good.csv': 'id\n1\n' })
  symlinkSync(join(directory, 'bad.csv'), join(directory, 'bad.csv'))
  const { rows, complaints } = await openDirectory(directory)

  expect(await rows('select id from files.good')).toEqual([[1]])
  expect(complaints).toEqual([expect.stringMatching(/ELOOP/)])
})

test('two engines that write to one directory lose nothing', { timeout: 120_000 }, async () => {
  const directory = makeDirectory({ 't.csv': 'id,n\n0,0\n' })
  const engines = [
    await openDirectory(directory, writable),
    await openDirectory(directory, writable),
  ]
  const insert = ({ rows }: OpenDirectory, id: number) =>
    // The other write has to be loaded first: 409 until then.
    vi.waitFor(() => rows('insert into files.t values ($1, 1)', [id]), { timeout: 30_000 })

  await Promise.all(
    engines.map(async (engine, index) => {
      for (let n = 1; n <= 5; n += 1) await insert(engine, index * 100 + n)
    }),
  )

  const [, ...lines] = readFileSync(join(directory, 't.csv'), 'utf8').trim().split('\n')
  const ids = lines.map((line) => Number(line.split(',')[0]))
  expect(ids.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 101, 102, 103, 104, 105])
  expect(readdirSync(directory)).toEqual(['t.csv'])
})

/** A directory in the state after a process was killed while it replaced `a.csv` and `b.csv`. */
function interrupted(newFiles: Files, others: { readonly b?: string } = {}): string {
  const directory = makeDirectory({ 'a.csv': 'id\n1\n', 'b.csv': 'id\n1\n', ...newFiles })
  const { pid } = spawnSync(process.execPath, ['--version'])
  const moves = ['a', 'b'].map((name) => ({
    name: `${name}.csv`,
    temporary: temporaryOf(name),
    replaced: signatureOf(join(directory, `${name}.csv`)),
  }))
  const holder = { pid, host: hostname(), moves }
  writeFileSync(join(directory, '.engine-writing'), JSON.stringify(holder))
  if (others.b !== undefined) writeFileSync(join(directory, 'b.csv'), others.b)
  return directory
}

const temporaryOf = (name: string): string => `.${name}.csv.0123456789ab.engine-new`

async function openAndClose(directory: string): Promise<void> {
  const adapter = csvAdapter({ directory, writable: true })
  await adapter.introspect(new AbortController().signal)
  await adapter.close()
}

test('of files that were being replaced when a process was killed, the others are replaced, too', async () => {
  const directory = interrupted({ [temporaryOf('b')]: 'id\n1\n2\n' })
  await openAndClose(directory)

  expect(readFileSync(join(directory, 'b.csv'), 'utf8')).toBe('id\n1\n2\n')
  expect(readdirSync(directory)).toEqual(['a.csv', 'b.csv'])
})

test('where none was replaced yet, none is', async () => {
  const directory = interrupted({
    [temporaryOf('a')]: 'id\n1\n2\n',
    [temporaryOf('b')]: 'id\n1\n2\n',
  })
  await openAndClose(directory)

  expect(readFileSync(join(directory, 'a.csv'), 'utf8')).toBe('id\n1\n')
  expect(readFileSync(join(directory, 'b.csv'), 'utf8')).toBe('id\n1\n')
  expect(readdirSync(directory)).toEqual(['a.csv', 'b.csv'])
})

test('a file that was changed since stays as it is', async () => {
  const directory = interrupted({ [temporaryOf('b')]: 'id\n1\n2\n' }, { b: 'id\n1\n2\n3\n4\n' })
  await openAndClose(directory)

  expect(readFileSync(join(directory, 'b.csv'), 'utf8')).toBe('id\n1\n2\n3\n4\n')
})

test('a lock that names files elsewhere moves nothing', async () => {
  const elsewhere = makeDirectory({ [temporaryOf('x')]: 'mine' })
  const directory = makeDirectory({ 'a.csv': 'id\n1\n' })
  const moves = [{ name: 'a.csv', temporary: join(elsewhere, temporaryOf('x')), replaced: '' }]
  const text = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), moves })
  writeFileSync(join(directory, '.engine-writing'), text)
  await openAndClose(directory)

  expect(existsSync(join(elsewhere, temporaryOf('x')))).toBe(true)
  expect(readFileSync(join(directory, 'a.csv'), 'utf8')).toBe('id\n1\n')
})
