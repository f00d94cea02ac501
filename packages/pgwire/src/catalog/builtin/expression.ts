/**
 * @module Expressions that need no PostgreSQL: literals, parameters, casts, comparisons, functions about the session.
 */
import { GatewayError } from '@engine/core'
import { type Oid, oids } from '@engine/core/values'
import {
  type Fields,
  fieldsOf,
  listOf,
  literalOf,
  nodeOf,
  stringNodes,
  textOf,
} from '../../syntax/syntax-node.ts'
import { beyondBuiltin, type Cell, constant, type Evaluated } from './evaluated.ts'
import type { ExpressionContext } from './expression-context.ts'
import { operator } from './operator.ts'
import { sessionFunction } from './session-functions.ts'

/**
 * @param expected type that a parameter or literal gets here.
 * @throws {GatewayError} 42703, 42P18 ...; 0A000 for everything that is not supported.
 */
export function evaluated(tree: unknown, context: ExpressionContext, expected?: Oid): Evaluated {
  const { kind, fields } = nodeOf(tree)
  switch (kind) {
    case 'A_Const':
      return literal(tree, context, expected)
    case 'ParamRef':
      return parameter(fields, context, expected)
    case 'TypeCast':
      return typeCast(fields, context)
    case 'ColumnRef':
      return columnReference(fields, context)
    case 'FuncCall':
      return functionCall(fields, context)
    case 'SQLValueFunction':
      return called(valueFunctionName(fields), [], context)
    case 'BoolExpr':
      return logic(fields, context)
    case 'NullTest':
      return nullTest(fields, context)
    case 'A_Expr':
      return operator(fields, context, evaluated)
    default:
      throw beyondBuiltin('this expression')
  }
}

/** `current_user`, as a keyword. */
export function valueFunctionName(fields: Fields): string {
  return (textOf(fields['op']) ?? '').replace('SVFOP_', '').toLowerCase()
}

/** The type of a cast, from the last part of its name. */
export function castTarget(fields: Fields): string {
  return stringNodes(fieldsOf(fields['typeName'])['names']).at(-1) ?? ''
}

function literal(tree: unknown, context: ExpressionContext, expected: Oid | undefined): Evaluated {
  const found = literalOf(tree)
  if (found === undefined) throw beyondBuiltin('this literal')
  if (found.type === 'null') return constant(expected ?? oids.unknown, null)
  if (found.type === 'string') {
    const oid = expected ?? oids.unknown
    return constant(oid, expected === undefined ? found.text : read(context, oid, -1, found.text))
  }
  if (found.type === 'boolean') return constant(oids.bool, found.text === 'true' ? 't' : 'f')
  const isInteger = found.type === 'integer' || /^\d+$/.test(found.text)
  const wide = BigInt(isInteger ? found.text : 0)
  const oid =
    !isInteger || wide >= 2n ** 63n ? oids.numeric : wide >= 2n ** 31n ? oids.int8 : oids.int4
  return constant(oid, found.text)
}

function parameter(
  fields: Fields,
  { parameterOid, parameterValue }: ExpressionContext,
  expected: Oid | undefined,
): Evaluated {
  const number = Number(fields['number'] ?? 0)
  const cellOf = () => parameterValue(number)
  return { oid: parameterOid(number, expected), typmod: -1, cellOf }
}

function typeCast(fields: Fields, context: ExpressionContext): Evaluated {
  const { types } = context
  const typeName = fieldsOf(fields['typeName'])
  const named = types.typeByName(castTarget(fields))
  const isArray = typeName['arrayBounds'] !== undefined
  if (named === undefined || !named.isNameable) throw beyondBuiltin('a cast to this type')
  const oid = isArray ? types.arrayTypeOid(named.oid) : named.oid
  if (oid === undefined) throw beyondBuiltin('a cast to this type')
  const modifiers = listOf(typeName['typmods']).map((node) => Number(literalText(node)))
  const encoded = modifiers.length === 0 ? undefined : types.encodeTypmod(oid, modifiers)
  if (encoded !== undefined && !encoded.ok) throw beyondBuiltin('a cast to this type')
  const typmod = encoded?.typmod ?? -1
  const from = evaluated(fields['arg'], context, isParameter(fields['arg']) ? oid : undefined)
  return { oid, typmod, cellOf: (row) => castCell(context, from, oid, typmod, from.cellOf(row)) }
}

function isParameter(tree: unknown): boolean {
  return nodeOf(tree).kind === 'ParamRef'
}

function literalText(tree: unknown): string {
  const found = literalOf(tree)
  return found === undefined || found.type === 'null' ? 'NaN' : found.text
}

function castCell(
  context: ExpressionContext,
  from: Evaluated,
  oid: Oid,
  typmod: number,
  value: Cell,
): Cell {
  if (value === null) return null
  const isTruth = from.oid === oids.bool && oid !== oids.bool
  return read(context, oid, typmod, isTruth ? (value === 't' ? 'true' : 'false') : value)
}

function read({ types }: ExpressionContext, oid: Oid, typmod: number, text: string): Cell {
  const result = types.parseInput(oid, typmod, text, 'explicit')
  if (!result.ok) {
    throw new GatewayError('dataError', result.message, { sqlState: result.sqlState })
  }
  if (result.value === null) return null
  if (typeof result.value === 'boolean') return result.value ? 't' : 'f'
  return types.inputText(oid, result.value)
}

function columnReference(fields: Fields, { columns }: ExpressionContext): Evaluated {
  const path = stringNodes(fields['fields'])
  if (path.length !== listOf(fields['fields']).length) throw beyondBuiltin('a star here')
  const [column = '', table] = path.toReversed()
  const found = columns.flatMap((each, index) =>
    each.name === column && (table === undefined || each.table === table) ? [{ each, index }] : [],
  )
  const [first, second] = found
  if (first === undefined) {
    throw new GatewayError('unknownColumn', `column "${path.join('.')}" does not exist`, {
      sqlState: '42703',
    })
  }
  if (second !== undefined) {
    throw new GatewayError('badRequest', `column reference "${column}" is ambiguous`, {
      sqlState: '42702',
    })
  }
  return { oid: first.each.oid, typmod: -1, cellOf: (row) => row[first.index] ?? null }
}

const plainCall: ReadonlySet<string> = new Set(['funcname', 'args', 'funcformat', 'location'])

function functionCall(fields: Fields, context: ExpressionContext): Evaluated {
  const path = stringNodes(fields['funcname'])
  const name = path.at(-1) ?? ''
  const isForeign = path.length > 1 && path[0] !== 'pg_catalog'
  if (isForeign || Object.keys(fields).some((field) => !plainCall.has(field))) {
    throw beyondBuiltin(`the function ${name}`)
  }
  return called(name, listOf(fields['args']), context)
}

function called(name: string, args: readonly unknown[], context: ExpressionContext): Evaluated {
  const found = sessionFunction(name, args.length)
  if (found === undefined) throw beyondBuiltin(`the function ${name}`)
  const values = args.map((tree, i) => evaluated(tree, context, found.argumentOids[i]))
  return {
    oid: found.oid,
    typmod: -1,
    cellOf: (row) =>
      found.call(
        context.scope,
        values.map((value) => value.cellOf(row)),
      ),
  }
}

function logic(fields: Fields, context: ExpressionContext): Evaluated {
  const parts = listOf(fields['args']).map((tree) => evaluated(tree, context, oids.bool))
  const cells = (row: readonly Cell[]) => parts.map((part) => part.cellOf(row))
  const cellOf = (row: readonly Cell[]): Cell => {
    const values = cells(row)
    switch (fields['boolop']) {
      case 'AND_EXPR':
        return values.includes('f') ? 'f' : values.includes(null) ? null : 't'
      case 'OR_EXPR':
        return values.includes('t') ? 't' : values.includes(null) ? null : 'f'
      default:
        return values[0] === null ? null : values[0] === 't' ? 'f' : 't'
    }
  }
  return { oid: oids.bool, typmod: -1, cellOf }
}

function nullTest(fields: Fields, context: ExpressionContext): Evaluated {
  const inner = evaluated(fields['arg'], context)
  const isNot = fields['nulltesttype'] === 'IS_NOT_NULL'
  const cellOf = (row: readonly Cell[]): Cell =>
    (inner.cellOf(row) === null) !== isNot ? 't' : 'f'
  return { oid: oids.bool, typmod: -1, cellOf }
}
