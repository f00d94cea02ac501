import { suggestion } from '../../../foundation/faults.ts'
import { isPlainObject } from '../../../foundation/plain-object.ts'
import type { Relationship, Table } from '../../catalog/catalog.ts'
import { otherJunctions } from '../../catalog/junctions.ts'
import { tableAt } from '../../catalog/shared-database.ts'
import { allOf, always, anyOf, negationOf, unknown } from '../combination/kleene.ts'
import type { FilterContext } from './filter-context.ts'
import { callerCondition } from './parse-caller-condition.ts'
import { parseColumnCondition } from './parse-condition.ts'
import type { PolicyFilter, RelationStep } from './policy-filter.ts'
import { equalColumns } from './policy-operand.ts'
import { unknownOperator } from './unknown-operator.ts'

/** Beside columns and relations. */
const logicalOperators: readonly string[] = ['$and', '$or', '$nor', '$not', '$exists']

/**
 * Checks a filter against the catalog. Faults go to `context.faults` (a wrong condition is then never TRUE, and the engine does
 * not start).
 */
export function parseFilter(filter: unknown, context: FilterContext, path: string): PolicyFilter {
  if (filter === undefined) return always
  if (!isPlainObject(filter)) {
    context.faults.add(path, 'a filter is an object')
    return unknown
  }
  return allOf(
    Object.entries(filter).map(([key, value]) => parseEntry(key, value, context, `${path}.${key}`)),
  )
}

function parseEntry(
  key: string,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  switch (key) {
    case '$and':
      return allOf(parseList(value, context, path))
    case '$or':
      return anyOf(parseList(value, context, path))
    case '$nor':
      return negationOf(anyOf(parseList(value, context, path)))
    case '$not':
      return negationOf(parseRequired(value, context, path))
    case '$exists':
      return parseExists(value, context, path)
    default:
      return parseNamed(key, value, context, path)
  }
}

function parseRequired(value: unknown, context: FilterContext, path: string): PolicyFilter {
  if (value === undefined) {
    context.faults.add(path, 'a filter is missing')
    return unknown
  }
  return parseFilter(value, context, path)
}

function parseList(value: unknown, context: FilterContext, path: string): readonly PolicyFilter[] {
  if (!Array.isArray(value)) {
    context.faults.add(path, 'expects a list of filters')
    return [unknown]
  }
  return Array.from(value, (item, i) => parseRequired(item, context, `${path}[${i}]`))
}

function parseNamed(
  key: string,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  const { table, faults } = context
  if (key.startsWith('$user.')) return callerCondition(key, value, context, path)
  if (key.startsWith('$')) {
    faults.add(path, unknownOperator(key, logicalOperators))
    return unknown
  }
  const column = table.columns.find((candidate) => candidate.name === key)
  if (column !== undefined) return parseColumnCondition(column, value, context, path)
  const relationship = table.relationships.get(key)
  if (relationship !== undefined) return parseRelation(key, value, context, path)
  const known = [...table.columns.map((c) => c.name), ...table.relationships.keys()]
  faults.add(
    path,
    `${table.connection}.${table.name} has no column or relation "${key}"${suggestion(key, known)}`,
  )
  return unknown
}

function parseRelation(
  name: string,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  const { table, connection, faults } = context
  const relationship = table.relationships.get(name)
  const far = relationship && connection.tables.get(relationship.table)
  if (relationship === undefined || far === undefined || !isPlainObject(value)) {
    faults.add(path, 'a relation expects a filter on the related table')
    return unknown
  }
  const others = otherJunctions(relationship, table.relationships)
  if (others.length > 0) {
    const joined = [relationship.through?.table ?? '', ...others].join(', ')
    faults.add(
      path,
      `several tables join ${table.name} and ${far.name} (${joined}): declare which one is meant, with its "through", ` +
        `in connections.${table.connection}.relationships.${table.name}`,
    )
    return unknown
  }
  const steps = relationSteps(table, far, relationship, context)
  if ('error' in steps) {
    faults.add(path, `the relation cannot be joined: ${steps.error}`)
    return unknown
  }
  const inner = { ...context, table: far, outer: undefined }
  const isToOne = relationship.type === 'many-to-one' || relationship.type === 'one-to-one'
  if (isToOne) {
    const filter = parseFilter(value, inner, path)
    return { kind: 'relation', quantifier: 'some', path: steps, filter }
  }
  const quantifiers = { $some: 'some', $every: 'every', $none: 'none' } as const
  const entries = Object.entries(value)
  if (entries.length === 0) {
    faults.add(path, 'a to-many relation expects $some, $every or $none')
    return unknown
  }
  return allOf(
    entries.map(([key, operand]): PolicyFilter => {
      const quantifier = Object.hasOwn(quantifiers, key)
        ? quantifiers[key as keyof typeof quantifiers]
        : undefined
      if (quantifier === undefined) {
        faults.add(`${path}.${key}`, 'a to-many relation expects $some, $every or $none')
        return unknown
      }
      const filter = parseRequired(operand, inner, `${path}.${key}`)
      return { kind: 'relation', quantifier, path: steps, filter }
    }),
  )
}

function relationSteps(
  near: Table,
  far: Table,
  { from, to, through }: Relationship,
  { connection }: FilterContext,
): readonly RelationStep[] | { readonly error: string } {
  const { types } = connection
  if (through === undefined) {
    const join = equalColumns(types, near, from, far, to)
    return 'error' in join ? join : [{ table: far, join }]
  }
  const junction = connection.tables.get(through.table)
  if (junction === undefined) return { error: `there is no table "${through.table}"` }
  const first = equalColumns(types, near, from, junction, through.from)
  const second = equalColumns(types, junction, through.to, far, to)
  if ('error' in first) return first
  if ('error' in second) return second
  return [
    { table: junction, join: first },
    { table: far, join: second },
  ]
}

function parseExists(value: unknown, context: FilterContext, path: string): PolicyFilter {
  const { connection, faults, table } = context
  if (!isPlainObject(value) || typeof value['table'] !== 'string') {
    faults.add(path, '$exists expects { table, where }')
    return unknown
  }
  for (const key of Object.keys(value)) {
    if (key !== 'table' && key !== 'where') faults.add(`${path}.${key}`, 'unknown key')
  }
  const name = value['table']
  const far = tableAt(connection, name)
  if (far === undefined) {
    faults.add(`${path}.table`, `there is no table "${name}" in connection ${connection.name}`)
    return unknown
  }
  const inner = { ...context, table: far, outer: table }
  const filter = parseFilter(value['where'], inner, `${path}.where`)
  return {
    kind: 'relation',
    quantifier: 'some',
    path: [{ table: far, join: () => [] }],
    filter,
  }
}
