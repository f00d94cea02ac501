/** @module Fields of a caller that rules compare with columns: which there are, and values to try. */
import { tableParts } from '../permissions/editor/rule.ts'
import type { Rules, Tables } from './use-start.ts'

export interface Source {
  readonly table: string
  readonly column: string
}

export interface CallerField {
  readonly name: string
  /** Columns that rules compare with it directly, to find values in; a primary key first. */
  readonly sources: readonly Source[]
  readonly isNumber: boolean
}

const numeric = /^(?:smallint|integer|bigint)$/

/** Fields that the rules name, in their order. */
export function fieldsOf(rules: Rules, tables: Tables): readonly CallerField[] {
  const sources = new Map<string, Source[]>()
  for (const rule of Object.values(rules)) {
    const { table } = tableParts(rule.table)
    for (const [, name = ''] of JSON.stringify(rule).matchAll(/"\$user\.([\w.]+)"/g)) {
      const known = sources.get(name) ?? []
      sources.set(name, known)
      const column = comparedColumn(rule, name)
      if (column === undefined || known.some((source) => source.table === table)) continue
      if (tables[table]?.columns[column]?.primaryKey === true) known.unshift({ table, column })
      else known.push({ table, column })
    }
  }
  return [...sources].map(([name, found]) => ({
    name,
    sources: found,
    isNumber: found.some(({ table, column }) =>
      numeric.test(tables[table]?.columns[column]?.type ?? ''),
    ),
  }))
}

function comparedColumn(rule: Rules[string], field: string): string | undefined {
  const { where } = (rule['select'] ?? {}) as { readonly where?: unknown }
  if (typeof where !== 'object' || where === null) return undefined
  return Object.entries(where).find(([, value]) => value === `$user.${field}`)?.[0]
}

/** What a person typed, as the JSON of a token or an API key would have it. */
export function fieldValue(text: string, { isNumber: isNumeric }: CallerField): string | number {
  return isNumeric && /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
}

/** The statement that lists values of the column. */
export function valuesStatement(connection: string, { table, column }: Source): string {
  const name = quoted(column)
  return `select distinct ${name} from ${quoted(connection)}.${quoted(table)} where ${name} is not null order by ${name} limit 8`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
