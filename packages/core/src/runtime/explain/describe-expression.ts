/** @module Typed expressions as readable text: conditions of permissions, and the uses of a table in a statement. */
import type { FromItem, Query, RelationId } from '../../compiler/bind/tree/bound-query.ts'
import type { Constant, Expression } from '../../compiler/bind/tree/expression.ts'
import { partsOf } from '../../compiler/bind/tree/expression-parts.ts'
import type { Table } from '../../compiler/catalog/catalog.ts'
import { oids } from '../../compiler/sql-types/oids.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import type { CalendarOffset, SqlValue } from '../../compiler/sql-types/value-source.ts'

export interface DescriptionContext {
  readonly types: TypeSystem
  /** Tables whose columns are written without a qualifier: the rows that a condition tests. */
  readonly rows: ReadonlyMap<RelationId, Table>
  /** Conditions on the row before, by the index under which a check refers to them. */
  readonly oldConditions?: readonly Expression[]
  /** Writes constants as `…`: those of a client's text, where values are not to be shown. */
  readonly hidesConstants?: boolean
}

/** SQL-like: `customer_id = $user.customer_id and status in (...)`. Never sent to a database. */
export function describeExpression(expression: Expression, context: DescriptionContext): string {
  return describe(expression, { ...context, inner: new Map() })
}

interface Scope extends DescriptionContext {
  /** Tables of subqueries, with the name that qualifies their columns. */
  readonly inner: ReadonlyMap<RelationId, { readonly table: Table; readonly name: string }>
}

/** Operators in their usual notation. */
const operatorNames: Readonly<Record<string, string>> = {
  '~~': 'like',
  '!~~': 'not like',
  '~~*': 'ilike',
  '!~~*': 'not ilike',
}

function operatorName({ name }: { readonly name: string }): string {
  return Object.hasOwn(operatorNames, name) ? (operatorNames[name] ?? name) : name
}

function describe(expression: Expression, scope: Scope): string {
  const of = (part: Expression) => describe(part, scope)
  const operand = (part: Expression) => (isSimple(part) ? of(part) : `(${of(part)})`)
  const list = (parts: readonly Expression[]) => parts.map(of).join(', ')
  switch (expression.kind) {
    case 'column':
      return columnText(expression.relation, expression.column, scope)
    case 'constant':
      return scope.hidesConstants === true ? '…' : constantText(expression, scope.types)
    case 'parameter':
      return `$${expression.index + 1}`
    case 'caller':
      return `$user.${expression.slot.path.join('.')}`
    case 'requestTime':
      return momentName(expression)
    case 'oldCondition': {
      const condition = scope.oldConditions?.[expression.index]
      return condition === undefined ? 'the row before' : `the row before had (${of(condition)})`
    }
    case 'operator':
      return expression.left === undefined
        ? `${operatorName(expression.operator)} ${operand(expression.right)}`
        : `${operand(expression.left)} ${operatorName(expression.operator)} ${operand(expression.right)}`
    case 'logical':
      return expression.operands
        .map((part) => (part.kind === 'logical' ? `(${of(part)})` : of(part)))
        .join(` ${expression.operator} `)
    case 'not':
      return expression.operand.kind === 'exists'
        ? `not ${of(expression.operand)}`
        : `not (${of(expression.operand)})`
    case 'nullTest':
      return `${operand(expression.operand)} is ${expression.negated ? 'not ' : ''}null`
    case 'booleanTest':
      return `(${of(expression.operand)}) is ${expression.negated ? 'not ' : ''}${expression.test}`
    case 'distinctTest': {
      const not = expression.negated ? 'not ' : ''
      return `${operand(expression.left)} is ${not}distinct from ${operand(expression.right)}`
    }
    case 'inList': {
      const not = expression.negated ? 'not ' : ''
      return `${operand(expression.operand)} ${not}in (${list(expression.items)})`
    }
    case 'quantifiedArray': {
      const { operator, quantifier, array } = expression
      return `${operand(expression.operand)} ${operatorName(operator)} ${quantifier} (${of(array)})`
    }
    case 'call': {
      const args = expression.args.map(of)
      if (expression.isVariadic) args.push(`variadic ${args.pop()}`)
      return `${expression.function.name}(${args.join(', ')})`
    }
    case 'aggregate':
    case 'window':
      return `${expression.function.name}(${list(expression.args)})`
    case 'coalesce':
      return `coalesce(${list(expression.args)})`
    case 'extremum':
      return `${expression.function}(${list(expression.args)})`
    case 'cast':
      return expression.isExplicit
        ? `${operand(expression.operand)}::${typeText(expression, scope.types)}`
        : of(expression.operand)
    case 'case': {
      const whens = expression.whens.map((w) => ` when ${of(w.condition)} then ${of(w.result)}`)
      const otherwise = expression.otherwise ? ` else ${of(expression.otherwise)}` : ''
      return `case${whens.join('')}${otherwise} end`
    }
    case 'exists':
      return `exists (${queryText(expression.query, scope)})`
    default: {
      const { expressions, query } = partsOf(expression)
      const inner = query === undefined ? [] : [queryText(query, scope)]
      return `${expression.kind}(${[...expressions.map(of), ...inner].join(', ')})`
    }
  }
}

/** Needs no parentheses as an operand. */
function isSimple(expression: Expression): boolean {
  switch (expression.kind) {
    case 'operator':
    case 'logical':
    case 'not':
    case 'nullTest':
    case 'distinctTest':
    case 'inList':
    case 'quantifiedArray':
      return false
    case 'cast':
      return expression.isExplicit || isSimple(expression.operand)
    default:
      return true
  }
}

function columnText(relation: RelationId, column: number, { rows, inner }: Scope): string {
  const row = rows.get(relation)
  if (row !== undefined) return nameText(row.columns[column]?.name ?? `column ${column + 1}`)
  const found = inner.get(relation)
  const name = found?.table.columns[column]?.name
  return found === undefined || name === undefined
    ? `column ${column + 1} of t${relation}`
    : `${nameText(found.name)}.${nameText(name)}`
}

/** A name in SQL: in quotes where it needs them. */
export function nameText(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

function typeText({ type }: Expression, types: TypeSystem): string {
  return types.formatType(type.oid, type.typmod)
}

const unquoted: ReadonlySet<string> = new Set(['boolean', 'integer', 'bigint', 'decimal', 'float'])

function constantText({ value, type }: Constant, types: TypeSystem): string {
  if (value === null && type.oid === oids.bool) return 'unknown'
  const isPlain = unquoted.has(types.wireKind(type.oid).kind)
  return valueText(value, isPlain)
}

function valueText(value: SqlValue, isPlain: boolean): string {
  if (value === null) return 'null'
  if (typeof value !== 'string') return `{${value.map((item) => valueText(item, true)).join(',')}}`
  return isPlain ? value : `'${value.replaceAll("'", "''")}'`
}

const units: readonly (readonly [ms: number, letter: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
]

/** `now`, `now - 30d`, `today - 1 month` */
export function momentName({
  offsetMs,
  calendar,
}: {
  readonly offsetMs: number
  readonly calendar: CalendarOffset | undefined
}): string {
  const { startOfDay = false, months = 0 } = calendar ?? {}
  const shift = months === 0 ? '' : ` ${months < 0 ? '-' : '+'} ${Math.abs(months)} months`
  return `${startOfDay ? 'today' : 'now'}${shift}${spanName(offsetMs)}`
}

function spanName(offsetMs: number): string {
  if (offsetMs === 0) return ''
  const size = Math.abs(offsetMs)
  const [ms, letter] = units.find(([unit]) => size % unit === 0) ?? [1, 'ms']
  return ` ${offsetMs < 0 ? '-' : '+'} ${size / ms}${letter}`
}

/** Tables and conditions of a query; its outputs do not matter in a condition. */
function queryText(query: Query, scope: Scope): string {
  if (query.kind !== 'select') return 'a query'
  const inner = new Map(scope.inner)
  const taken = new Set([...inner.values()].map(({ name }) => name))
  const tables: string[] = []
  const add = (item: FromItem): void => {
    if (item.kind === 'join') {
      add(item.left)
      add(item.right)
    } else if (item.kind === 'table' || item.kind === 'securedTable') {
      const name = freshName(item.table.name, taken)
      inner.set(item.id, { table: item.table, name })
      const alias = name === item.table.name ? '' : ` as ${nameText(name)}`
      tables.push(`${nameText(item.table.name)}${alias}`)
    } else {
      tables.push(item.kind)
    }
  }
  for (const item of query.from) add(item)
  const where =
    query.where === undefined ? '' : ` where ${describe(query.where, { ...scope, inner })}`
  return `${tables.join(', ')}${where}`
}

function freshName(name: string, taken: Set<string>): string {
  let candidate = name
  for (let i = 2; taken.has(candidate); i++) candidate = `${name}${i}`
  taken.add(candidate)
  return candidate
}
