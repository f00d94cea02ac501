/** @module Rules for every authorized statement, whatever its content: types fit, and every part is complete. */
import type { BoundStatement, FromItem, Query, Write } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import { visitExpression, visitStatement } from '../../bind/tree/visit-query.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'

/** The faults of a statement; normally none. */
export function faultsIn(statement: BoundStatement): readonly string[] {
  const { types } = statement.connection
  const faults: string[] = []
  const expect = (isRight: boolean, what: string) => {
    if (!isRight) faults.push(what)
  }
  const condition = (expression: Expression | undefined, what: string) =>
    expect(expression === undefined || expression.type.oid === oids.bool, `${what} is no condition`)
  const secured = (item: SecuredTable) => {
    condition(item.filter, 'filter')
    for (const mask of item.masks.values()) condition(mask, 'mask')
    for (const pushed of item.pushed) condition(pushed, 'pushed')
    const ordinals = item.table.columns.map(({ ordinal }) => ordinal)
    expect(
      [...item.readable].every((column) => ordinals.includes(column)),
      'readable columns',
    )
    for (const each of [item.filter, ...item.masks.values(), ...item.pushed]) {
      if (each !== undefined) visitExpression(each, { expression: expression_, query: query_ })
    }
  }
  const expression_ = (expression: Expression) => {
    const fault = faultOf(expression, types)
    if (fault !== undefined) faults.push(`${expression.kind}: ${fault}`)
  }
  const query_ = (query: Query) => {
    if (query.kind !== 'select') return
    const { columns, outputs, distinct, where } = query
    expect(columns.length === outputs.length, 'outputs and columns differ')
    expect(columns.every(isNamed), 'a column has no name or type')
    expect(distinct !== ('' as string), 'distinct')
    condition(where, 'where')
    const isGrouped = query.groupBy !== undefined || query.having !== undefined
    expect(!query.isAggregated || isGrouped || outputs.some(hasAggregate), 'aggregated')
  }
  visitStatement(statement, {
    expression: expression_,
    query: query_,
    fromItem: (item: FromItem) => {
      expect(item.kind !== 'table', 'a table is not secured')
      if (item.kind === 'securedTable') secured(item)
      if (item.kind === 'subquery')
        expect(item.lateral === false || item.lateral === true, 'lateral')
    },
    write: (write: Write) => {
      expect(write.security !== undefined, 'a write is not secured')
      const { rows, check, visible, existing, oldConditions = [] } = write.security ?? {}
      if (rows !== undefined) secured(rows)
      for (const each of [check, visible, existing, ...oldConditions]) condition(each, 'security')
    },
  })
  return faults
}

function hasAggregate(expression: Expression): boolean {
  let isFound = false
  visitExpression(expression, {
    expression: ({ kind }) => {
      if (kind === 'aggregate') isFound = true
    },
  })
  return isFound
}

const isNamed = ({ name, type }: Query['columns'][number]) => name !== '' && isType(type)

/** A modifier is absent or, as PostgreSQL counts, at least four. */
const isType = (type: SqlType | undefined) =>
  type !== undefined && type.oid > 0 && (type.typmod === -1 || type.typmod >= 4)

/** The fault of one expression, apart from its operands. */
export function faultOf(expression: Expression, types: TypeSystem): string | undefined {
  if (!isType(expression.type)) return 'it has no type'
  const isBoolean = expression.type.oid === oids.bool
  const fits = (operand: Expression | undefined, oid: number | undefined) =>
    operand === undefined ||
    oid === undefined ||
    types.baseTypeOid(operand.type.oid) === oid ||
    types.typeByOid(oid)?.category === 'P'
  switch (expression.kind) {
    case 'logical':
      if (expression.operands.length < 2) return 'it joins nothing'
      if (expression.operands.some(({ type }) => type.oid !== oids.bool)) return 'no conditions'
      if (expression.operands.some((each) => isSameLogical(each, expression.operator))) {
        return 'it is not flat'
      }
      return isBoolean ? undefined : 'it is no condition'
    case 'not':
    case 'nullTest':
    case 'booleanTest':
    case 'exists':
    case 'oldCondition':
    case 'quantifiedArray':
      return isBoolean ? undefined : 'it is no condition'
    case 'constant': {
      const { value } = expression
      if (value === null || typeof value === 'string' || Array.isArray(value)) {
        return isBoolean && !['true', 'false', null].includes(value as string)
          ? 'no boolean'
          : undefined
      }
      return 'it has no value'
    }
    case 'operator': {
      const { operator, left, right } = expression
      const isRight = fits(left, operator.leftOid) && fits(right, operator.rightOid)
      return isRight ? undefined : `operands do not fit ${operator.signature}`
    }
    case 'call': {
      const { args } = expression
      const isRight = expression.function.argumentOids.every((oid, i) => fits(args[i], oid))
      return isRight ? undefined : `arguments do not fit ${expression.function.name}`
    }
    default:
      return undefined
  }
}

function isSameLogical(expression: Expression, operator: 'and' | 'or'): boolean {
  return expression.kind === 'logical' && expression.operator === operator
}
