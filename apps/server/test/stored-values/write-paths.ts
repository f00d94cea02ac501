/** @module Every path on which a value gets into a table. */
import { copyIn } from './copy-in.ts'
import type { Subject } from './subject.ts'
import {
  copyField,
  emptyRows,
  excluded,
  idsOf,
  insert,
  joinAnswers,
  literal,
  namesOf,
  nativeOf,
} from './write-sql.ts'
import type { StoredColumn, Written } from './written.ts'

export interface WritePath {
  readonly name: string
  /** It has RETURNING: the answer is what `write` resolves to. */
  readonly returns?: true
  readonly write: (subject: Subject, written: Written) => Promise<string | undefined>
}

/** The path whose rows others copy. */
export const firstPath = 'parameters'

export const writePaths: readonly WritePath[] = [
  { name: firstPath, write: (subject, written) => subject.data(...insert(written)) },
  {
    name: 'literals',
    write: ({ data }, { columns, rows }) =>
      data(
        `insert into main.v (id, ${namesOf(columns)}) values ${rows
          .map(({ id, values }) => `(${id}, ${values.map(literal).join(', ')})`)
          .join(', ')}`,
      ),
  },
  {
    name: 'INSERT … RETURNING',
    returns: true,
    write: ({ data }, written) => {
      const [sql, params] = insert(written)
      return data(`${sql} returning id, ${namesOf(written.columns)}`, params)
    },
  },
  {
    name: 'JSON values in a batch',
    write: ({ batch }, { columns, rows }) =>
      batch(
        rows.map((row) => {
          const [sql] = insert({ columns, rows: [row] })
          const natives = row.values.map((value, at) => nativeOf(columns[at]?.type.type, value))
          return [sql, [row.id, ...natives]]
        }),
      ),
  },
  {
    name: 'INSERT … SELECT of a wider column',
    write: async (subject, written) => {
      await subject.fillSource(written)
      const { columns } = written
      return subject.data(
        `insert into main.v (id, ${namesOf(columns)}) select s.id, ${namesOf(columns)} from main.s where s.id in (${idsOf(written)})`,
      )
    },
  },
  {
    name: 'UPDATE with parameters',
    write: async ({ data }, written) => {
      await data(emptyRows(written))
      const { columns, rows } = written
      for (const { id, values } of rows) {
        const sets = columns.map(({ name }, at) => `${name} = $${at + 2}`)
        await data(`update main.v set ${sets.join(', ')} where id = $1`, [id, ...values])
      }
      return undefined
    },
  },
  {
    name: 'UPDATE with literals, RETURNING',
    returns: true,
    write: async ({ data }, written) => {
      await data(emptyRows(written))
      const { columns, rows } = written
      const answers: string[] = []
      for (const { id, values } of rows) {
        const sets = columns.map(({ name }, at) => `${name} = ${literal(values[at] ?? '')}`)
        answers.push(
          await data(
            `update main.v set ${sets.join(', ')} where id = ${id} returning id, ${namesOf(columns)}`,
          ),
        )
      }
      return joinAnswers(answers)
    },
  },
  {
    name: 'UPDATE … FROM a wider column',
    write: async (subject, written) => {
      await subject.data(emptyRows(written))
      await subject.fillSource(written)
      const sets = written.columns.map(({ name }) => `${name} = s.${name}`)
      await subject.data(
        `update main.v set ${sets.join(', ')} from main.s where s.id = v.id and v.id in (${idsOf(written)})`,
      )
      return undefined
    },
  },
  {
    name: 'ON CONFLICT DO UPDATE that inserts',
    write: ({ data }, written) => {
      const [sql, params] = insert(written)
      return data(`${sql} on conflict (id) do update set ${excluded(written)}`, params)
    },
  },
  {
    name: 'ON CONFLICT DO UPDATE that updates',
    returns: true,
    write: async ({ data }, written) => {
      await data(emptyRows(written))
      const [sql, params] = insert(written)
      return data(
        `${sql} on conflict (id) do update set ${excluded(written)} returning id, ${namesOf(written.columns)}`,
        params,
      )
    },
  },
  {
    name: 'ON CONFLICT DO UPDATE with parameters of its own',
    write: async ({ data }, written) => {
      await data(emptyRows(written))
      const { columns, rows } = written
      for (const { id, values } of rows) {
        const sets = columns.map(({ name }, at) => `${name} = $${at + 2}`)
        await data(
          `insert into main.v (id) values ($1) on conflict (id) do update set ${sets.join(', ')}`,
          [id, ...values],
        )
      }
      return undefined
    },
  },
  {
    name: 'ON CONFLICT DO NOTHING',
    write: ({ data }, written) => {
      const [sql, params] = insert(written)
      return data(`${sql} on conflict (id) do nothing`, params)
    },
  },
  {
    name: 'wire parameters as text',
    write: async ({ wire }, written) => {
      const [text, params] = insert(written)
      await wire.query(text, params.map(String))
      return undefined
    },
  },
  {
    name: 'wire parameters in binary',
    write: async ({ wire, binaryOf }, written) => {
      const [text] = insert(written)
      const params: unknown[] = []
      for (const { id, values } of written.rows) {
        params.push(id)
        for (const [at, value] of values.entries()) {
          params.push(await binaryOf(written.columns[at] as StoredColumn, value))
        }
      }
      await wire.query(text, params)
      return undefined
    },
  },
  {
    name: 'a simple query of the wire',
    write: async ({ wire }, { columns, rows }) => {
      for (const { id, values } of rows) {
        await wire.query(
          `insert into v (id, ${namesOf(columns)}) values (${id}, ${values.map(literal).join(', ')})`,
        )
      }
      return undefined
    },
  },
  {
    name: 'COPY in text',
    write: async ({ wire }, { columns, rows }) => {
      const lines = rows.map(
        ({ id, values }) => `${[String(id), ...values.map(copyField)].join('\t')}\n`,
      )
      await copyIn(wire, `copy v (id, ${namesOf(columns)}) from stdin`, lines.join(''))
      return undefined
    },
  },
  {
    name: 'COPY in CSV',
    write: async ({ wire }, { columns, rows }) => {
      const field = (value: string) => `"${value.replaceAll('"', '""')}"`
      const lines = rows.map(
        ({ id, values }) => `${[String(id), ...values.map(field)].join(',')}\n`,
      )
      await copyIn(
        wire,
        `copy v (id, ${namesOf(columns)}) from stdin with (format csv)`,
        lines.join(''),
      )
      return undefined
    },
  },
]

/** Reads back what `firstPath` has stored: there is nothing to refuse. */
export const copyPaths: readonly WritePath[] = [
  {
    name: 'INSERT … SELECT of the same column',
    write: ({ data, firstIds }, { columns, rows }) => {
      const shift = (rows[0]?.id ?? 0) - (firstIds[0] ?? 0)
      return data(
        `insert into main.v (id, ${namesOf(columns)}) select id + ${shift}, ${namesOf(columns)} from main.v where id in (${firstIds.join(', ')})`,
      )
    },
  },
  {
    name: 'UPDATE … FROM the same column',
    write: async ({ data, firstIds }, written) => {
      await data(emptyRows(written))
      const shift = (written.rows[0]?.id ?? 0) - (firstIds[0] ?? 0)
      const sets = written.columns.map(({ name }) => `${name} = o.${name}`)
      await data(
        `update main.v set ${sets.join(', ')} from main.v as o where o.id = v.id - ${shift} and v.id in (${idsOf(written)})`,
      )
      return undefined
    },
  },
]

/** Values that the table itself has: nothing of the request is stored. */
export const ownPaths = ['DEFAULT of the column', 'the word DEFAULT', 'generated column'] as const
