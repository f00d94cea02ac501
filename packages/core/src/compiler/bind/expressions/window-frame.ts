/** @module ROWS, RANGE and GROUPS BETWEEN ... AND ... */
import type { Node, WindowDef } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { coerceTo } from '../coercion/coerce.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { BindNode } from '../scope/syntax-node.ts'
import type { SortKey } from '../tree/bound-query.ts'
import type { Expression, FrameBound, WindowFrame } from '../tree/expression.ts'
import { freeRelationsOf } from '../tree/visit-query.ts'

/** Bits of `frameOptions`. @see parsenodes.h of PostgreSQL */
const option = {
  nonDefault: 0x1,
  range: 0x2,
  rows: 0x4,
  groups: 0x8,
  between: 0x10,
  startUnboundedPreceding: 0x20,
  endUnboundedPreceding: 0x40,
  startUnboundedFollowing: 0x80,
  endUnboundedFollowing: 0x100,
  startCurrentRow: 0x200,
  endCurrentRow: 0x400,
  startOffsetPreceding: 0x800,
  endOffsetPreceding: 0x1000,
  startOffsetFollowing: 0x2000,
  endOffsetFollowing: 0x4000,
  excludeCurrentRow: 0x8000,
  excludeGroup: 0x10000,
  excludeTies: 0x20000,
} as const

/** Undefined where the client writes no frame. */
export function bindFrame(
  definition: WindowDef,
  orderBy: readonly SortKey[],
  environment: ExpressionEnvironment,
  bind: BindNode,
): WindowFrame | undefined {
  const { frameOptions = 0, startOffset, endOffset, location: position } = definition
  const has = (bit: number) => (frameOptions & bit) !== 0
  if (!has(option.nonDefault)) return undefined
  const mode = has(option.rows) ? 'rows' : has(option.groups) ? 'groups' : 'range'
  if (mode === 'groups' && orderBy.length === 0) {
    const message = 'GROUPS mode requires an ORDER BY clause'
    throw bindError(message, { sqlState: '42P20', position })
  }
  const offset = (node: Node | undefined) =>
    bindOffset(node, mode, orderBy, position, environment, bind)
  const start = (): FrameBound => {
    if (has(option.startUnboundedPreceding)) return { kind: 'unboundedPreceding' }
    if (has(option.startCurrentRow)) return { kind: 'currentRow' }
    if (has(option.startOffsetPreceding)) return { kind: 'preceding', offset: offset(startOffset) }
    if (has(option.startOffsetFollowing)) return { kind: 'following', offset: offset(startOffset) }
    throw unsupported('this window frame', position)
  }
  const end = (): FrameBound => {
    if (has(option.endUnboundedFollowing)) return { kind: 'unboundedFollowing' }
    if (has(option.endCurrentRow)) return { kind: 'currentRow' }
    if (has(option.endOffsetPreceding)) return { kind: 'preceding', offset: offset(endOffset) }
    if (has(option.endOffsetFollowing)) return { kind: 'following', offset: offset(endOffset) }
    throw unsupported('this window frame', position)
  }
  return { mode, start: start(), end: end(), exclude: exclusionOf(has) }
}

function exclusionOf(has: (bit: number) => boolean): WindowFrame['exclude'] {
  if (has(option.excludeCurrentRow)) return 'currentRow'
  if (has(option.excludeGroup)) return 'group'
  return has(option.excludeTies) ? 'ties' : 'none'
}

/** For ROWS and GROUPS a count, for RANGE a distance of the sort key's type. */
function bindOffset(
  node: Node | undefined,
  mode: WindowFrame['mode'],
  orderBy: readonly SortKey[],
  position: number | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  if (node === undefined) throw unsupported('this window frame', position)
  const bound = bind(node, environment)
  const describe = `argument of ${mode.toUpperCase()}`
  const oid = mode === 'range' ? rangeOffsetOid(bound, orderBy, position, environment) : oids.int8
  const conversion = mode === 'range' ? 'implicit' : 'assignment'
  const offset = coerceTo(bound, { oid, typmod: -1 }, conversion, environment, describe)
  const isLocal = [...freeRelationsOf(offset)].some((id) => environment.scope.isLocal(id))
  if (!isLocal) return offset
  const message = `${describe} must not contain variables`
  throw bindError(message, { sqlState: '42P10', position: bound.position })
}

/** Types of offsets that may be added to a sort key of the first type: those for which PostgreSQL has an `in_range` function. */
const rangeOffsets: ReadonlyMap<number, readonly number[]> = new Map([
  [oids.int2, [oids.int2, oids.int4, oids.int8]],
  [oids.int4, [oids.int4, oids.int2, oids.int8]],
  [oids.int8, [oids.int8]],
  [oids.float4, [oids.float8]],
  [oids.float8, [oids.float8]],
  [oids.numeric, [oids.numeric]],
  [oids.date, [oids.interval]],
  [oids.time, [oids.interval]],
  [oids.timetz, [oids.interval]],
  [oids.timestamp, [oids.interval]],
  [oids.timestamptz, [oids.interval]],
  [oids.interval, [oids.interval]],
])

function rangeOffsetOid(
  offset: Expression,
  orderBy: readonly SortKey[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): number {
  const [key, ...others] = orderBy
  if (key === undefined || others.length > 0) {
    const message = 'RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column'
    throw bindError(message, { sqlState: '42P20', position })
  }
  const { types } = environment.context
  const keyOid = types.baseTypeOid(key.expression.type.oid)
  const offered = rangeOffsets.get(keyOid) ?? []
  const [preferred] = offered
  if (preferred === undefined) {
    const message = `RANGE with offset PRECEDING/FOLLOWING is not supported for column type ${types.formatType(keyOid)}`
    throw bindError(message, { sqlState: '0A000', position })
  }
  const given = types.baseTypeOid(offset.type.oid)
  const isOffered = offered.some((oid) => types.coercion(given, oid, 'implicit') !== undefined)
  if (!isOffered && given !== oids.unknown) {
    const what = `column type ${types.formatType(keyOid)} and offset type ${types.formatType(given)}`
    const message = `RANGE with offset PRECEDING/FOLLOWING is not supported for ${what}`
    throw bindError(message, { sqlState: '0A000', position: offset.position })
  }
  return offered.find((oid) => oid === given) ?? preferred
}
