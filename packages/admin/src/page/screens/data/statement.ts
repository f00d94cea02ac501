/** @module The statements of the data browser. Names are quoted, values are parameters. */

export interface Statement {
  readonly sql: string
  readonly params: readonly unknown[]
}

export type Operator =
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'contains'
  | 'starts with'
  | 'one of'
  | 'is null'
  | 'is not null'

export interface Filter {
  readonly column: string
  readonly operator: Operator
  readonly value: string
}

export interface Sort {
  readonly column: string
  readonly isDown: boolean
}

/** A table as it is named in SQL: `"main"."orders"`. */
export interface TableName {
  readonly connection: string
  readonly table: string
}

export const pageSize = 50

/** @param type as in `GET /schema`. */
export function operatorsOf(type: string): readonly Operator[] {
  const compared = ['=', '<>', '<', '<=', '>', '>='] as const
  const tested = ['is null', 'is not null'] as const
  if (type === 'boolean') return ['=', '<>', ...tested]
  if (/^jsonb?$|\[\]$/.test(type)) return tested
  const found = isText(type) ? (['contains', 'starts with'] as const) : []
  return [...compared, ...found, 'one of', ...tested]
}

export function needsValue(operator: Operator): boolean {
  return operator !== 'is null' && operator !== 'is not null'
}

/** One row more than a page, to know whether there are more. @param page from 1 on. */
export function selectOf(
  from: TableName,
  {
    filters,
    sort,
    page,
  }: { readonly filters: readonly Filter[]; readonly sort: readonly Sort[]; readonly page: number },
): Statement {
  const params: unknown[] = []
  const where = filters.map((filter) => conditionOf(filter, params))
  const order = sort.map(({ column, isDown }) => `${quoted(column)}${isDown ? ' desc' : ''}`)
  const sql = [
    `select * from ${nameOf(from)}`,
    ...(where.length === 0 ? [] : [`where ${where.join(' and ')}`]),
    ...(order.length === 0 ? [] : [`order by ${order.join(', ')}`]),
    `limit ${pageSize + 1}${page > 1 ? ` offset ${(page - 1) * pageSize}` : ''}`,
  ].join('\n')
  return { sql, params }
}

/** Values by column. */
export type Values = Readonly<Record<string, unknown>>

/** @param before values that must still be there: another change in between is not overwritten. */
export function updateOf(table: TableName, key: Values, before: Values, values: Values): Statement {
  const params: unknown[] = []
  const set = Object.entries(values).map(([column, value]) => {
    params.push(value)
    return `${quoted(column)} = $${params.length}`
  })
  const where = [
    ...equalities(key, '=', params),
    ...equalities(before, 'is not distinct from', params),
  ]
  return {
    sql: `update ${nameOf(table)}\nset ${set.join(', ')}\nwhere ${where.join(' and ')}`,
    params,
  }
}

export function deleteOf(table: TableName, key: Values): Statement {
  const params: unknown[] = []
  const where = equalities(key, '=', params)
  return { sql: `delete from ${nameOf(table)}\nwhere ${where.join(' and ')}`, params }
}

export function insertOf(table: TableName, values: Values): Statement {
  const columns = Object.keys(values)
  const params = Object.values(values)
  const into = `insert into ${nameOf(table)}`
  if (columns.length === 0) return { sql: `${into} default values`, params }
  const places = columns.map((_, index) => `$${index + 1}`)
  return {
    sql: `${into} (${columns.map(quoted).join(', ')})\nvalues (${places.join(', ')})`,
    params,
  }
}

/** The statement with its values, for people. */
export function statementText({ sql, params }: Statement): string {
  const values = params.map((value, index) => `-- $${index + 1}: ${short(JSON.stringify(value))}`)
  return [sql, ...values].join('\n')
}

/** A value as it is typed. */
export function inputText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What was typed, as a parameter: every type reads its own text, lists are JSON. @throws {Error} */
export function typedValue(text: string, type: string): unknown {
  if (!type.endsWith('[]')) return text
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {
    // The message below says it better.
  }
  throw new Error('Write a JSON list: ["a", "b"]')
}

/** Are equal values of this type equal texts, on every database? */
export function isExact(type: string): boolean {
  return /^(?:smallint|integer|bigint|boolean|date|uuid)$/.test(type) || isText(type)
}

function isText(type: string): boolean {
  return /^(?:text|citext|character|varchar|name|bpchar)/.test(type)
}

function conditionOf({ column, operator, value }: Filter, params: unknown[]): string {
  const name = quoted(column)
  const bound = (parameter: unknown) => {
    params.push(parameter)
    return `$${params.length}`
  }
  switch (operator) {
    case 'is null':
    case 'is not null':
      return `${name} ${operator}`
    case 'contains':
      return `${name} ilike ${bound(`%${escaped(value)}%`)}`
    case 'starts with':
      return `${name} ilike ${bound(`${escaped(value)}%`)}`
    case 'one of':
      return `${name} in (${value
        .split(',')
        .map((each) => bound(each.trim()))
        .join(', ')})`
    default:
      return `${name} ${operator} ${bound(value)}`
  }
}

function equalities(values: Values, operator: string, params: unknown[]): readonly string[] {
  return Object.entries(values).map(([column, value]) => {
    params.push(value)
    return `${quoted(column)} ${operator} $${params.length}`
  })
}

/** A text that `like` finds as it is. */
function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

function nameOf({ connection, table }: TableName): string {
  return `${quoted(connection)}.${quoted(table)}`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
