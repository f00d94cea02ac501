/**
 * @module Finds the operator of an expression.
 * @see PostgreSQL documentation, "Operator Type Resolution"
 */
import { formatType } from './format-type.ts'
import { type Oid, oids } from './oids.ts'
import { type Candidate, chooseOverload } from './overloads.ts'
import type { PgOperator } from './pg-type.ts'
import { resolvePolymorphic } from './polymorphic.ts'
import type {
  ArrayOperatorResolution,
  OperatorResolution,
  ResolutionFailure,
} from './resolution.ts'
import type { TypeTable } from './type-table.ts'

/** `overloads` are all operators of that name, allowed or not. */
export function resolveOperator(
  types: TypeTable,
  overloads: readonly PgOperator[],
  name: string,
  leftOid: Oid | undefined,
  rightOid: Oid,
): OperatorResolution {
  return leftOid === undefined
    ? resolvePrefixOperator(types, overloads, name, rightOid)
    : resolveBinaryOperator(types, overloads, name, leftOid, rightOid)
}

function resolveBinaryOperator(
  types: TypeTable,
  overloads: readonly PgOperator[],
  name: string,
  leftOid: Oid,
  rightOid: Oid,
): OperatorResolution {
  const binary = overloads.filter((operator) => operator.leftOid !== undefined)
  const text = () => `${formatType(types, leftOid)} ${name} ${formatType(types, rightOid)}`
  const exact = exactBinary(types, binary, leftOid, rightOid)
  const chosen = exact ?? choose(types, binary.map(binaryCandidate), [leftOid, rightOid], text)
  if ('ok' in chosen) return chosen
  return resolved(types, chosen, [leftOid, rightOid], text)
}

/** Both types unchanged, or an unknown side with the type (or base type) of the other. */
function exactBinary(
  types: TypeTable,
  binary: readonly PgOperator[],
  leftOid: Oid,
  rightOid: Oid,
): PgOperator | undefined {
  const find = (left: Oid, right: Oid) =>
    binary.find((operator) => operator.leftOid === left && operator.rightOid === right)
  if (leftOid !== oids.unknown && rightOid !== oids.unknown) return find(leftOid, rightOid)
  const known = leftOid === oids.unknown ? rightOid : leftOid
  const baseOid = types.baseTypeOid(known)
  return find(known, known) ?? find(baseOid, baseOid)
}

function resolvePrefixOperator(
  types: TypeTable,
  overloads: readonly PgOperator[],
  name: string,
  operandOid: Oid,
): OperatorResolution {
  const prefix = overloads.filter((operator) => operator.leftOid === undefined)
  const text = () => `${name} ${formatType(types, operandOid)}`
  const exact = prefix.find((operator) => operator.rightOid === operandOid)
  const chosen = exact ?? choose(types, prefix.map(prefixCandidate), [operandOid], text)
  if ('ok' in chosen) return chosen
  return resolved(types, chosen, [operandOid], text)
}

/** `left op any(right)`: the operator between the left side and the elements of the right. */
export function resolveArrayOperator(
  types: TypeTable,
  overloads: readonly PgOperator[],
  name: string,
  leftOid: Oid,
  rightOid: Oid,
): ArrayOperatorResolution {
  const elementOid = rightOid === oids.unknown ? oids.unknown : types.elementTypeOid(rightOid)
  if (elementOid === undefined) {
    return failure('noMatch', '42809', 'op ANY/ALL (array) requires array on right side')
  }
  const resolution = resolveOperator(types, overloads, name, leftOid, elementOid)
  if (!resolution.ok) return resolution
  if (resolution.resultOid !== oids.bool) {
    return failure('noMatch', '42809', 'op ANY/ALL (array) requires operator to yield boolean')
  }
  const rightArrayOid = types.arrayTypeOid(resolution.rightOid)
  if (rightArrayOid === undefined || resolution.leftOid === undefined) {
    const element = formatType(types, resolution.rightOid)
    return failure('noMatch', '42704', `could not find array type for data type ${element}`)
  }
  return {
    ok: true,
    operator: resolution.operator,
    leftOid: resolution.leftOid,
    rightOid: resolution.rightOid,
    rightArrayOid,
  }
}

interface OperatorCandidate extends Candidate {
  readonly operator: PgOperator
}

function binaryCandidate(operator: PgOperator): OperatorCandidate {
  return { operator, parameterOids: [operator.leftOid ?? oids.any, operator.rightOid] }
}

function prefixCandidate(operator: PgOperator): OperatorCandidate {
  return { operator, parameterOids: [operator.rightOid] }
}

function choose(
  types: TypeTable,
  candidates: readonly OperatorCandidate[],
  operandOids: readonly Oid[],
  text: () => string,
): PgOperator | ResolutionFailure {
  const choice = chooseOverload(types, candidates, operandOids)
  if (choice.ok) return choice.candidate.operator
  if (choice.reason === 'ambiguous') {
    return failure('ambiguous', '42725', `operator is not unique: ${text()}`)
  }
  const reason = candidates.length === 0 ? 'unknown' : 'noMatch'
  return failure(reason, '42883', `operator does not exist: ${text()}`)
}

function resolved(
  types: TypeTable,
  operator: PgOperator,
  operandOids: readonly Oid[],
  text: () => string,
): OperatorResolution {
  if (!operator.isAllowed) {
    return failure('refused', '0A000', `operator is not available here: ${text()}`)
  }
  const isPrefix = operator.leftOid === undefined
  const { parameterOids } = isPrefix ? prefixCandidate(operator) : binaryCandidate(operator)
  const call = resolvePolymorphic(types, parameterOids, operandOids, operator.resultOid)
  if (!call.ok) return call
  const [leftOid, rightOid] = isPrefix
    ? [undefined, call.argumentOids[0]]
    : [call.argumentOids[0], call.argumentOids[1]]
  return {
    ok: true,
    operator,
    ...(leftOid === undefined ? {} : { leftOid }),
    rightOid: rightOid ?? operator.rightOid,
    resultOid: call.resultOid,
  }
}

function failure(
  reason: ResolutionFailure['reason'],
  sqlState: ResolutionFailure['sqlState'],
  message: string,
): ResolutionFailure {
  return { ok: false, reason, sqlState, message }
}
