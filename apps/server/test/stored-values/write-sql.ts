/** @module Parts of the statements that write. */
import type { StoredColumn, Written } from './written.ts'

export function namesOf(columns: readonly StoredColumn[]): string {
  return columns.map(({ name }) => name).join(', ')
}

export function idsOf({ rows }: Written): string {
  return rows.map(({ id }) => id).join(', ')
}

export function insert({ columns, rows }: Written): [sql: string, params: readonly unknown[]] {
  const width = columns.length + 1
  const groups = rows.map((_, row) => {
    const holes = Array.from({ length: width }, (__, at) => `$${row * width + at + 1}`)
    return `(${holes.join(', ')})`
  })
  return [
    `insert into main.v (id, ${namesOf(columns)}) values ${groups.join(', ')}`,
    rows.flatMap(({ id, values }) => [id, ...values]),
  ]
}

export function emptyRows({ rows }: Written): string {
  return `insert into main.v (id) values ${rows.map(({ id }) => `(${id})`).join(', ')}`
}

export function excluded({ columns }: Written): string {
  return columns.map(({ name }) => `${name} = excluded.${name}`).join(', ')
}

export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

export function copyField(value: string): string {
  return value.replaceAll(/[\\\n\r\t]/g, (found) => escapes[found] ?? found)
}

/** The value as JSON has it, where nothing of it is lost. */
export function nativeOf(type: string | undefined, value: string): unknown {
  switch (type) {
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'smallint':
    case 'integer':
    case 'bigint':
      return Number.isSafeInteger(Number(value)) && value !== '' ? Number(value) : value
    case 'real':
    case 'double precision': {
      const number = Number(value)
      const isKept = Number.isFinite(number) && value !== '' && number !== 0
      return isKept ? number : value
    }
    case 'json':
    case 'jsonb':
      return /^[[{][^0-9]*$/.test(value) ? parsedOr(value) : value
    default:
      return value
  }
}

function parsedOr(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** `{"rows":[…]}` of several answers as one. */
export function joinAnswers(answers: readonly string[]): string {
  const rows = answers.map((answer) => /^\{"rows":\[(.*)\]/s.exec(answer)?.[1] ?? '')
  return `{"rows":[${rows.join(',')}]}`
}
