/** @module Comparisons and sums. */
import { oids } from '@engine/core/values'
import { type Fields, listOf, literalOf, nodeOf, stringNodes } from '../../syntax/syntax-node.ts'
import { arithmetic } from './arithmetic.ts'
import { compareCells } from './compare-cells.ts'
import { beyondBuiltin, type Cell, constant, type Evaluated } from './evaluated.ts'
import type { Evaluate, ExpressionContext } from './expression-context.ts'

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

/**
 * @throws {GatewayError} 0A000 for all operators but comparisons, `IN`, `= ANY` and sums.
 */
export function operator(
  fields: Fields,
  context: ExpressionContext,
  evaluate: Evaluate,
): Evaluated {
  const [name = ''] = stringNodes(fields['name']).slice(-1)
  const test = comparisons[name]
  if (test === undefined) return sum(name, fields, context, evaluate)
  switch (fields['kind']) {
    case 'AEXPR_OP': {
      const [left, right] = sides(fields['lexpr'], fields['rexpr'], context, evaluate)
      return compared(left, [right], test, context)
    }
    case 'AEXPR_IN': {
      const left = evaluate(fields['lexpr'], context)
      const items = listOf(nodeOf(fields['rexpr']).fields['items'])
      const right = items.map((tree) => evaluate(tree, context, left.oid))
      const found = compared(left, right, comparisons['='] ?? test, context)
      return name === '<>' ? negated(found) : found
    }
    case 'AEXPR_OP_ANY':
      return anyOf(fields, context, test, evaluate)
    default:
      throw beyondBuiltin(`the operator ${name}`)
  }
}

function sum(
  name: string,
  fields: Fields,
  context: ExpressionContext,
  evaluate: Evaluate,
): Evaluated {
  const zero = constant(oids.int2, '0')
  const [left, right] =
    fields['lexpr'] === undefined
      ? [zero, evaluate(fields['rexpr'], context)]
      : sides(fields['lexpr'], fields['rexpr'], context, evaluate)
  const found = fields['kind'] === 'AEXPR_OP' ? arithmetic(name, left, right) : undefined
  if (found === undefined) throw beyondBuiltin(`the operator ${name}`)
  return found
}

/** A literal or parameter takes the type of the other side. */
function sides(
  left: unknown,
  right: unknown,
  context: ExpressionContext,
  evaluate: Evaluate,
): readonly [Evaluated, Evaluated] {
  const isOpen = (tree: unknown) =>
    nodeOf(tree).kind === 'ParamRef' || literalOf(tree)?.type === 'string'
  if (isOpen(left) && !isOpen(right)) {
    const typed = evaluate(right, context)
    return [evaluate(left, context, typed.oid), typed]
  }
  const typed = evaluate(left, context, isOpen(left) ? oids.text : undefined)
  return [typed, evaluate(right, context, isOpen(right) ? typed.oid : undefined)]
}

/** `x = ANY ($1)`, `x = ANY (ARRAY['a', 'b'])` */
function anyOf(
  fields: Fields,
  context: ExpressionContext,
  test: (order: number) => boolean,
  evaluate: Evaluate,
): Evaluated {
  const left = evaluate(fields['lexpr'], context)
  const { kind, fields: right } = nodeOf(fields['rexpr'])
  if (kind === 'A_ArrayExpr') {
    const items = listOf(right['elements']).map((tree) => evaluate(tree, context, left.oid))
    return compared(left, items, test, context)
  }
  const { types } = context
  const arrayOid = types.arrayTypeOid(left.oid)
  if (arrayOid === undefined) throw beyondBuiltin('this array')
  const array = evaluate(fields['rexpr'], context, arrayOid)
  const cellOf = (row: readonly Cell[]): Cell => {
    const text = array.cellOf(row)
    if (text === null) return null
    const result = types.parseInput(arrayOid, -1, text, 'explicit')
    const value = result.ok ? result.value : null
    if (value === null || typeof value !== 'object' || !('elements' in value)) return null
    const items = value.elements.map((element) =>
      constant(left.oid, element === null ? null : types.inputText(left.oid, element)),
    )
    return compared(left, items, test, context).cellOf(row)
  }
  return { oid: oids.bool, typmod: -1, cellOf }
}

/** True where the test holds for one of the operands on the right. */
function compared(
  left: Evaluated,
  right: readonly Evaluated[],
  test: (order: number) => boolean,
  { types }: ExpressionContext,
): Evaluated {
  const isNumber = types.typeByOid(left.oid)?.category === 'N'
  const cellOf = (row: readonly Cell[]): Cell => {
    const value = left.cellOf(row)
    if (value === null) return null
    const others = right.map((each) => each.cellOf(row))
    const isFound = others.some(
      (other) => other !== null && test(compareCells(value, other, isNumber)),
    )
    return isFound ? 't' : others.includes(null) ? null : 'f'
  }
  return { oid: oids.bool, typmod: -1, cellOf }
}

function negated(inner: Evaluated): Evaluated {
  const cellOf = (row: readonly Cell[]): Cell => {
    const value = inner.cellOf(row)
    return value === null ? null : value === 't' ? 'f' : 't'
  }
  return { ...inner, cellOf }
}
