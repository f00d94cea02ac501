/** @module Runs types on paths, and keeps account of the pairs that were compared. */
import * as fc from 'fast-check'
import type pg from 'pg'
import { jsonCell, jsonRows, jsonSpelling, spelled } from './cell-spelling.ts'
import { canonical } from './raw-values.ts'
import { type ReadPath, readPaths } from './read-paths.ts'
import { type Cell, copyOf, openReference } from './reference.ts'
import type { StoredType } from './stored-type.ts'
import { storedTypes } from './stored-types.ts'
import { type BareDatabase, createTables, openSubject, Refused } from './subject.ts'
import { copyPaths, firstPath, ownPaths, type WritePath, writePaths } from './write-paths.ts'
import type { StoredColumn, WrittenRow } from './written.ts'

/** Descriptions of failures; empty where all is right. */
type Failures = readonly string[]

export interface Matrix {
  checkDefaults(): Promise<Failures>
  checkWrites(path: WritePath): Promise<Failures>
  checkRefusals(path: WritePath): Promise<Failures>
  checkReads(path: ReadPath): Promise<Failures>
  /** Pairs of a type and a path that nothing has compared. */
  missing(): Failures
  close(): Promise<void>
}

/** Random values of each type; the seed makes a failure repeatable. */
const drawn = { numRuns: 6, seed: 20_241_128 }

/** Rows of one path have ids from 1000 times its number. */
const idsOfPath = 1_000
const refusedIds = 1_000_000
const atATime = 6
const farIds = 10_000_000
const defaultIds = 900

export async function createMatrix(bare: BareDatabase, referenceUrl: string): Promise<Matrix> {
  const types = storedTypes.filter(({ columns }) => columns[bare.kind] !== undefined)
  const columns = types.map((type, at): StoredColumn => ({ name: `c${at}`, type }))
  const reference = await openReference(referenceUrl, columns)
  const samples = types.map(samplesOf)
  const count = Math.max(...samples.map(({ length }) => length))
  const valuesOf = (row: number) => samples.map((each) => each[row % each.length] ?? '')
  const offsets = Array.from({ length: count }, (_, at) => at + 1)
  await reference.store(offsets.map((id) => ({ id, values: valuesOf(id - 1) })))
  const expected = new Map(
    (await reference.rows(`select id, ${namesOf(columns)} from main.v`)).map(([id, ...cells]) => [
      Number(id),
      cells.map(String),
    ]),
  )
  const isLong = (text: string) => text.length > 1_000
  const defaults = offsets.map((id) =>
    (expected.get(id) ?? []).map((text, at) =>
      isLong(text) ? (expected.get(1)?.[at] ?? '') : text,
    ),
  )
  await createTables(bare, columns, defaults)
  const paths = [...writePaths, ...copyPaths]
  const firstOf = (path: WritePath) => idsOfPath * (paths.indexOf(path) + 1)
  const first = paths.find(({ name }) => name === firstPath) as WritePath
  const firstIds = offsets.map((offset) => firstOf(first) + offset)
  const subject = await openSubject(bare, reference, firstIds)
  const compared = new Set<string>()
  const shifts: number[] = []

  /** All values on the first path; on the others one of a type, each path another. */
  const refusedOn = (path: WritePath, { refused }: StoredType): readonly string[] => {
    if (path === first) return refused
    return refused.slice(paths.indexOf(path) % refused.length).slice(0, 1)
  }

  const compare = (
    where: string,
    column: StoredColumn,
    wanted: string,
    got: string | null | undefined,
  ): Failures => {
    compared.add(pair(column.type, where))
    if (got === wanted) return []
    return [`${column.type.name}: ${where}: ${shown(wanted)} became ${shown(got)}`]
  }

  /** Which values make the whole statement fail? Their columns are left out of `rows`, and the rest is written. */
  const writeTheRest = async (
    path: WritePath,
    rows: readonly WrittenRow[],
  ): Promise<readonly string[]> => {
    const failures: string[] = []
    const failing = new Set<number>()
    await bare.run(`delete from v where id in (${rows.map(({ id }) => id).join(', ')})`)
    for (const [at, column] of columns.entries()) {
      for (const { id, values } of rows) {
        const row = { id: id + (at + 1) * farIds, values: [values[at] ?? ''] }
        const one = { ...subject, firstIds: [firstIds[(id % idsOfPath) - 1] ?? 0] }
        try {
          await path.write(one, { columns: [column], rows: [row] })
        } catch (error) {
          failing.add(at)
          failures.push(
            `${column.type.name}: ${path.name} refuses ${shown(values[at])}: ${String(error)}`,
          )
        }
      }
    }
    await bare.run(`delete from v where id >= ${farIds}`)
    const isKept = (_: unknown, at: number) => !failing.has(at)
    await path.write(subject, {
      columns: columns.filter(isKept),
      rows: rows.map(({ id, values }) => ({ id, values: values.filter(isKept) })),
    })
    return failures
  }

  return {
    checkDefaults: async () => {
      const failures: string[] = []
      for (const [at, values] of defaults.entries()) {
        await subject.data(`insert into main.d${at} (id) values (${defaultIds})`)
        const words = columns.map(() => 'default').join(', ')
        await subject.data(
          `insert into main.d${at} (id, ${namesOf(columns)}) values ($1, ${words})`,
          [defaultIds + 1],
        )
        for (const [id, ...cells] of await bare.stored(`d${at}`, columns)) {
          const where = ownPaths[id - defaultIds] ?? ''
          for (const [index, column] of columns.entries()) {
            const wanted = canonical(column.type, values[index] ?? null) ?? ''
            failures.push(
              ...compare(where, column, wanted, canonical(column.type, cells[index] ?? null)),
            )
          }
        }
      }
      // A refused statement makes Engine look at the whole schema again.
      for (const at of defaults.keys()) await bare.run(`drop table d${at}`)
      return failures
    },
    checkWrites: async (path) => {
      const shift = firstOf(path)
      const rows = offsets.map((offset) => ({ id: shift + offset, values: valuesOf(offset - 1) }))
      let returned: string | undefined
      const failures: string[] = []
      try {
        returned = await path.write(subject, { columns, rows })
      } catch (error) {
        failures.push(`${path.name}: ${String(error)}`, ...(await writeTheRest(path, rows)))
      }
      shifts.push(shift)
      const copies = columns.map(({ name, type }) => ({ name: copyOf(name), type }))
      const stored = new Map(
        (await bare.stored('v', [...columns, ...copies])).map(([id, ...cells]) => [id, cells]),
      )
      for (const offset of offsets) {
        const cells = stored.get(shift + offset) ?? []
        for (const [at, column] of columns.entries()) {
          const wanted = canonical(column.type, expected.get(offset)?.[at] ?? null) ?? ''
          const text = (cell: string | null | undefined) => canonical(column.type, cell ?? null)
          failures.push(...compare(path.name, column, wanted, text(cells[at])))
          failures.push(
            ...compare('generated column', column, wanted, text(cells[columns.length + at])),
          )
        }
      }
      const isAnswered = path.returns === true && failures.length === 0
      return [...failures, ...(isAnswered ? compareReturned(returned ?? '', shift) : [])]
    },
    checkRefusals: async (path) => {
      const failures: string[] = []
      const wrong = columns.flatMap((column) =>
        refusedOn(path, column.type).map((value) => ({ column, value })),
      )
      const write = async (at: number): Promise<void> => {
        const { column, value } = wrong[at] as (typeof wrong)[number]
        try {
          const rows = [{ id: refusedIds + at, values: [value] }]
          await path.write(subject, { columns: [column], rows })
          failures.push(`${column.type.name}: ${path.name} takes ${shown(value)}`)
        } catch (error) {
          if (!isRefusal(error)) {
            failures.push(`${column.type.name}: ${path.name}: ${shown(value)}: ${String(error)}`)
          }
        }
        compared.add(pair(column.type, `${path.name}: refusals`))
      }
      // After a refused value Engine looks at the schema: once for all that wait.
      let next = 0
      const work = async (): Promise<void> => {
        while (next < wrong.length) await write(next++)
      }
      await Promise.all(Array.from({ length: atATime }, work))
      for (const [row, ...cells] of await bare.stored('v', columns)) {
        if (row < refusedIds) continue
        for (const [at, cell] of cells.entries()) {
          if (cell === null) continue
          failures.push(`${types[at]?.name}: ${path.name} stored ${shown(cell)} in row ${row}`)
        }
      }
      await bare.run(`delete from v where id >= ${refusedIds}`)
      return failures
    },
    checkReads: async (path) => {
      if (shifts.length > 0) {
        await reference.repeat(shifts.splice(0))
        await reference.rows(`delete from main.v where id < ${idsOfPath}`)
      }
      try {
        return await readAll(path, columns)
      } catch (error) {
        if (columns.length === 1) return [`${path.name}: ${String(error)}`]
      }
      const failures: string[] = []
      for (const column of columns) {
        try {
          failures.push(...(await readAll(path, [column])))
        } catch (error) {
          const isExpected = column.type.refusedReads?.[bare.kind]?.includes(path.name) === true
          if (isExpected && isRefusal(error)) compared.add(pair(column.type, path.name))
          else failures.push(`${column.type.name}: ${path.name} fails: ${String(error)}`)
        }
      }
      return failures
    },
    missing: () => {
      const places = [
        ...ownPaths,
        'RETURNING',
        ...paths.map(({ name }) => name),
        ...writePaths.map(({ name }) => `${name}: refusals`),
        ...readPaths.map(({ name }) => name),
      ]
      return types.flatMap((type) =>
        places
          .filter((place) => !compared.has(pair(type, place)))
          .map((place) => pair(type, place)),
      )
    },
    close: async () => {
      await subject.close()
      await reference.close()
      await bare.close()
    },
  }

  function compareReturned(answer: string, shift: number): Failures {
    const rows = jsonRows(answer)
    return offsets.flatMap((offset) => {
      const [, ...cells] = rows.find(([id]) => id === `${shift + offset}`) ?? []
      return columns.flatMap((column, at) =>
        compare(
          'RETURNING',
          column,
          jsonCell(column.type.type, expected.get(offset)?.[at] ?? null),
          cells[at] === undefined ? undefined : jsonSpelling(column.type.type, cells[at] ?? null),
        ),
      )
    })
  }

  async function readAll(path: ReadPath, read: readonly StoredColumn[]): Promise<Failures> {
    const failures: string[] = []
    const sql = path.sql(read)
    const isBinary = path.spelling === 'binary'
    const wantedRows = await (isBinary ? reference.binaryRows(read) : reference.rows(sql))
    const id = (cell: Cell | undefined) =>
      Buffer.isBuffer(cell) ? cell.readInt32BE() : Number(cell)
    const got = new Map((await readRows(path, sql)).map(([row, ...cells]) => [id(row), cells]))
    for (const [row, ...wanted] of wantedRows) {
      const cells = got.get(id(row)) ?? []
      for (const [at, column] of read.entries()) {
        const type = path.type ?? column.type.type
        const right = spelled(path, type, wanted[at] ?? null, true)
        failures.push(
          ...compare(path.name, column, right, spelled(path, type, cells[at] ?? null, false)),
        )
      }
    }
    return failures
  }

  async function readRows(path: ReadPath, sql: string): Promise<readonly (readonly Cell[])[]> {
    if (path.spelling === 'json') return jsonRows(await subject.data(sql))
    if (path.spelling === 'binary') return subject.binaryRows(sql)
    const query = {
      text: sql,
      rowMode: 'array' as const,
      types: { getTypeParser: () => (value: unknown) => value },
    }
    const { rows } = await subject.wire.query<Cell[]>(query as unknown as pg.QueryArrayConfig)
    return rows
  }
}

function samplesOf({ values, random }: StoredType): readonly string[] {
  return random === undefined ? values : [...values, ...fc.sample(random, drawn)]
}

function namesOf(columns: readonly StoredColumn[]): string {
  return columns.map(({ name }) => name).join(', ')
}

function pair({ name }: StoredType, place: string): string {
  return `${name} | ${place}`
}

function shown(value: string | null | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** A problem of the value, not a fault. */
function isRefusal(error: unknown): boolean {
  if (error instanceof Refused) return error.status < 500
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^(22|23|0A|42|08P01)/.test(code)
}
