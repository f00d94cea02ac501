/** @module A statement of the model as SQL with parameters. */
import type { Json, Statement, WriteStatement } from './shapes.ts'

export interface SqlStatement {
  readonly sql: string
  readonly params: readonly unknown[]
}

export function toSql(statement: Statement): SqlStatement {
  const params: unknown[] = []
  const parameter = (value: unknown) => `$${params.push(value)}`
  const name = (column: string) => column.replace('x.', 'excluded.')
  const term = (value: unknown) => {
    const column = isColumn(value) ? value.$col : undefined
    return column === undefined ? parameter(value) : name(column)
  }
  const condition = (filter: Json): string => {
    const [[key, value] = ['', null]] = Object.entries(filter)
    const list = () => (value as readonly Json[]).map(condition)
    if (key === '$and') return `(${list().join(' and ')})`
    if (key === '$or') return `(${list().join(' or ')})`
    if (key === '$not') return `(not ${condition(value as Json)})`
    const [[operator, operand] = ['', null]] = Object.entries(value as Json)
    if (operator === '$isNull') return `${name(key)} is null`
    const spelled = { $eq: '=', $ne: '<>', $lt: '<', $gt: '>' }[operator]
    return `${name(key)} ${spelled} ${term(operand)}`
  }
  const where = ({ where: filter }: Statement) =>
    filter === undefined ? '' : ` where ${condition(filter)}`
  const returning = ({ returning: columns = [] }: WriteStatement) =>
    columns.length === 0 ? '' : ` returning ${columns.join(', ')}`
  const assignments = (set: Json = {}) =>
    Object.entries(set)
      .map(([column, value]) => `${column} = ${term(value)}`)
      .join(', ')
  const table = `main.${statement.table}`
  const sql = (): string => {
    switch (statement.kind) {
      case 'select': {
        const { join, columns, isCounted, limit, offset } = statement
        const outputs = isCounted ? [...columns, 'count(*)::integer'] : columns
        const kind = join?.isLeft ? 'left join' : 'join'
        return [
          `select ${outputs.join(', ')} from ${table} a`,
          ...(join === undefined ? [] : [` ${kind} main.${join.table} b on ${condition(join.on)}`]),
          where(statement),
          ...(isCounted && columns.length > 0 ? [` group by ${columns.join(', ')}`] : []),
          ` order by ${outputs.map((_, i) => i + 1).join(', ')}`,
          ...(limit === undefined ? [] : [` limit ${parameter(limit)}`]),
          ...(offset === undefined ? [] : [` offset ${parameter(offset)}`]),
        ].join('')
      }
      case 'insert': {
        const { values = [], conflict, set } = statement
        const columns = Object.keys(values[0] ?? {})
        const rows = values.map((row) => `(${columns.map((c) => parameter(row[c])).join(', ')})`)
        const target = conflict === undefined ? '' : ' on conflict (id) do'
        const action = conflict === 'update' ? ` update set ${assignments(set)}` : ' nothing'
        const onConflict = target === '' ? '' : `${target}${action}${where(statement)}`
        const into = `insert into ${table} as a (${columns.join(', ')}) values ${rows.join(', ')}`
        return `${into}${onConflict}${returning(statement)}`
      }
      case 'update': {
        const set = assignments(statement.set)
        return `update ${table} as a set ${set}${where(statement)}${returning(statement)}`
      }
      case 'delete':
        return `delete from ${table} as a${where(statement)}${returning(statement)}`
    }
  }
  return { sql: sql(), params }
}

function isColumn(value: unknown): value is { readonly $col: string } {
  return typeof value === 'object' && value !== null && '$col' in value
}
