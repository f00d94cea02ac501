/** @module Authorized statements as text. `orders` is the virtual table, `orders!` the raw row underneath it. */
import type {
  BoundStatement,
  FromItem,
  Query,
  RelationId,
  Write,
} from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { partsOf } from '../../bind/tree/expression-parts.ts'
import { isWrite } from '../../bind/tree/map-query.ts'
import { rowsOf } from '../../bind/tree/rows-of.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import { visitStatement } from '../../bind/tree/visit-query.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { SqlValue } from '../../sql-types/value-source.ts'

interface Names {
  readonly relations: ReadonlyMap<RelationId, string>
  readonly tables: ReadonlyMap<RelationId, Table>
}

/** One line for each existing part: the body, then its security. */
export function describeStatement(statement: BoundStatement): string {
  const names = namesOf(statement)
  return describeBody(statement.body, names)
}

/** An expression on unnamed rows: the first relation is `row`, others are numbered. */
export function describeExpression(expression: Expression, table: Table, row: RelationId): string {
  return describe(expression, {
    relations: new Map([[row, 'row']]),
    tables: new Map([[row, table]]),
  })
}

function namesOf(statement: BoundStatement): Names {
  const relations = new Map<RelationId, string>()
  const tables = new Map<RelationId, Table>()
  const counts = new Map<string, number>()
  const fresh = (name: string): string => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}${count}`
  }
  const secured = ({ id, base, table }: SecuredTable) => {
    const name = fresh(table.name)
    relations.set(id, name)
    relations.set(base, `${name}!`)
    tables.set(id, table)
    tables.set(base, table)
  }
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind === 'securedTable') secured(item)
      else if (item.kind !== 'join') relations.set(item.id, fresh(item.kind))
    },
    write: (write) => {
      const { target, security } = write
      if (security?.rows !== undefined) secured(security.rows)
      else if (!relations.has(target.oldRow)) relations.set(target.oldRow, 'old')
      relations.set(target.newRow, 'new')
      tables.set(target.oldRow, target.table)
      tables.set(target.newRow, target.table)
      if (write.kind === 'insert' && write.onConflict?.action.kind === 'update') {
        relations.set(write.onConflict.action.excluded, 'excluded')
        tables.set(write.onConflict.action.excluded, target.table)
      }
    },
  })
  return { relations, tables }
}

function describeBody(body: Query | Write, names: Names): string {
  return isWrite(body) ? describeWrite(body, names) : describeQuery(body, names)
}

function describeQuery(query: Query, names: Names): string {
  const ctes = query.ctes.map((cte) => `with (${describeBody(cte.query, names)})`)
  const limit = query.limit?.max === undefined ? [] : [`limit ${query.limit.max}`]
  return [...ctes, describeCore(query, names), ...limit].join(' ')
}

function describeCore(query: Query, names: Names): string {
  switch (query.kind) {
    case 'values':
      return 'values'
    case 'setOperation':
      return `(${describeQuery(query.left, names)}) ${query.operator} (${describeQuery(query.right, names)})`
    case 'select':
      return [
        `select ${query.outputs.map((output) => describe(output, names)).join(', ')}`,
        ...(query.from.length === 0
          ? []
          : [`from ${query.from.map((item) => describeItem(item, names)).join(', ')}`]),
        ...(query.where === undefined ? [] : [`where ${describe(query.where, names)}`]),
        ...(query.having === undefined ? [] : [`having ${describe(query.having, names)}`]),
      ].join(' ')
  }
}

function describeItem(item: FromItem, names: Names): string {
  switch (item.kind) {
    case 'table':
      return `unsecured ${item.table.name}`
    case 'securedTable':
      return describeSecured(item, names)
    case 'subquery':
      return `(${describeQuery(item.query, names)})`
    case 'join': {
      const on = item.on === undefined ? '' : ` on ${describe(item.on, names)}`
      return `${describeItem(item.left, names)} ${item.type} join ${describeItem(item.right, names)}${on}`
    }
    default:
      return names.relations.get(item.id) ?? item.kind
  }
}

function describeSecured(item: SecuredTable, names: Names): string {
  const { filter, masks, pushed, barrier } = item
  const parts = [
    ...(filter === undefined ? [] : [`filter ${describe(filter, names)}`]),
    ...[...masks].map(
      ([column, mask]) => `mask ${item.table.columns[column]?.name}: ${describe(mask, names)}`,
    ),
    ...pushed.map((each) => `pushed ${describe(each, names)}`),
    ...(barrier ? ['barrier'] : []),
  ]
  const name = names.relations.get(item.id) ?? item.table.name
  return parts.length === 0 ? name : `${name}[${parts.join('; ')}]`
}

function describeWrite(write: Write, names: Names): string {
  const { security, target } = write
  const nameOf = (column: number) => target.table.columns[column]?.name
  const lines = [
    ...write.ctes.map((cte) => `with (${describeBody(cte.query, names)})`),
    `${write.kind} ${target.table.name}`,
  ]
  if (write.kind === 'insert') {
    lines.push(`(${write.columns.map(nameOf).join(', ')})`)
    const { source } = write
    if (source.kind === 'query') lines.push(describeQuery(source.query, names))
    if (source.kind === 'values' || source.kind === 'repeated') {
      const rows = rowsOf(source).map((row) =>
        row.map((cell) => (cell.kind === 'default' ? 'default' : describe(cell, names))),
      )
      lines.push(`values ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`)
    }
    if (source.kind === 'defaults') lines.push('default values')
    const action = write.onConflict?.action
    if (action?.kind === 'nothing') lines.push('on conflict do nothing')
    if (action?.kind === 'update') {
      lines.push(`on conflict do update set ${describeAssignments(action.assignments)}`)
      if (action.where !== undefined) lines.push(`where ${describe(action.where, names)}`)
    }
  }
  if (write.kind === 'update') lines.push(`set ${describeAssignments(write.assignments)}`)
  if (write.kind !== 'insert' && write.where !== undefined) {
    lines.push(`where ${describe(write.where, names)}`)
  }
  if (write.returning !== undefined) {
    lines.push(`returning ${write.returning.outputs.map((o) => describe(o, names)).join(', ')}`)
  }
  return [lines.join(' '), ...describeSecurity()].join('\n')

  function describeAssignments(
    assignments: readonly { column: number; value: Expression | { kind: 'default' } }[],
  ): string {
    return assignments
      .map(({ column, value }) => {
        const text = value.kind === 'default' ? 'default' : describe(value, names)
        return `${nameOf(column)} = ${text}`
      })
      .join(', ')
  }

  function describeSecurity(): readonly string[] {
    if (security === undefined) return ['unsecured']
    return [
      ...(security.rows === undefined ? [] : [`rows ${describeSecured(security.rows, names)}`]),
      ...(security.existing === undefined
        ? []
        : [`existing ${describe(security.existing, names)}`]),
      ...security.oldConditions.map((old, i) => `old${i} ${describe(old, names)}`),
      ...(security.check === undefined ? [] : [`check ${describe(security.check, names)}`]),
      ...(security.visible === undefined ? [] : [`visible ${describe(security.visible, names)}`]),
    ]
  }
}

function describe(expression: Expression, names: Names): string {
  const of = (part: Expression) => describe(part, names)
  switch (expression.kind) {
    case 'column': {
      const relation = names.relations.get(expression.relation) ?? `r${expression.relation}`
      const table = names.tables.get(expression.relation)
      return `${relation}.${table?.columns[expression.column]?.name ?? `c${expression.column + 1}`}`
    }
    case 'constant':
      return describeValue(expression.value)
    case 'parameter':
      return `$${expression.index + 1}`
    case 'caller':
      return `$user.${expression.slot.path.join('.')}`
    case 'requestTime':
      return `now${expression.offsetMs === 0 ? '' : expression.offsetMs}`
    case 'oldCondition':
      return `old${expression.index}`
    case 'operator':
      return expression.left === undefined
        ? `(${expression.operator.name} ${of(expression.right)})`
        : `(${of(expression.left)} ${expression.operator.name} ${of(expression.right)})`
    case 'logical':
      return `(${expression.operands.map(of).join(` ${expression.operator} `)})`
    case 'quantifiedArray':
      return `(${of(expression.operand)} ${expression.operator.name} ${expression.quantifier} ${of(expression.array)})`
    case 'nullTest':
      return `(${of(expression.operand)} is ${expression.negated ? 'not ' : ''}null)`
    case 'booleanTest':
      return `(${of(expression.operand)} is ${expression.negated ? 'not ' : ''}${expression.test})`
    case 'call':
    case 'aggregate':
      return `${expression.function.name}(${expression.args.map(of).join(', ')})`
    case 'cast':
      return expression.method === 'binary'
        ? of(expression.operand)
        : `cast(${of(expression.operand)})`
    case 'case': {
      const whens = expression.whens.map((w) => ` when ${of(w.condition)} then ${of(w.result)}`)
      const otherwise = expression.otherwise ? ` else ${of(expression.otherwise)}` : ''
      return `case${whens.join('')}${otherwise} end`
    }
    default: {
      const { expressions, query } = partsOf(expression)
      const inner = query === undefined ? [] : [describeQuery(query, names)]
      return `${expression.kind}(${[...expressions.map(of), ...inner].join(', ')})`
    }
  }
}

function describeValue(value: SqlValue): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? value : `{${value.map(describeValue).join(',')}}`
}
