/**
 * @module Finds the function of a call.
 * @see PostgreSQL documentation, "Function Type Resolution"
 */
import { findCoercion } from './coercion-path.ts'
import { formatType } from './format-type.ts'
import { type Oid, oids } from './oids.ts'
import { type Candidate, chooseOverload } from './overloads.ts'
import type { PgFunction, PgType } from './pg-type.ts'
import { resolvePolymorphic } from './polymorphic.ts'
import type { FunctionCallOptions, FunctionResolution, ResolutionFailure } from './resolution.ts'
import type { TypeTable } from './type-table.ts'

/** A function in the form of this call: defaults left out, the variadic argument spread. */
interface CallCandidate extends Candidate {
  readonly function: PgFunction
  /** The number of arguments of the variadic parameter; 0 when it is passed as an array. */
  readonly variadicCount: number
  readonly defaultsUsed: number
  readonly parameterOrder?: readonly number[]
}

/** `overloads` are all functions of that name, allowed or not. */
export function resolveFunction(
  types: TypeTable,
  overloads: readonly PgFunction[],
  name: string,
  argumentOids: readonly Oid[],
  options: FunctionCallOptions = {},
): FunctionResolution {
  const describe = () => callText(types, name, argumentOids, options)
  const candidates = withoutDuplicates(
    overloads.flatMap((overload) => callCandidates(overload, argumentOids.length, options)),
  )
  const exact = candidates.find(({ parameterOids }) =>
    argumentOids.every((oid, i) => oid === parameterOids[i]),
  )
  const castTarget =
    exact === undefined ? castTargetOf(types, name, argumentOids, options) : undefined
  if (castTarget !== undefined) {
    const [sourceOid = castTarget.oid] = argumentOids
    return { ok: true, kind: 'cast', sourceOid, targetOid: castTarget.oid }
  }
  if (overloads.length === 0) {
    return failure('unknown', '42883', `function ${describe()} does not exist`)
  }
  const choice =
    exact === undefined
      ? chooseOverload(types, candidates, argumentOids)
      : ({ ok: true, candidate: exact } as const)
  if (!choice.ok) {
    return choice.reason === 'ambiguous'
      ? failure('ambiguous', '42725', `function ${describe()} is not unique`)
      : failure('noMatch', '42883', `function ${describe()} does not exist`)
  }
  return resolveChosen(types, choice.candidate, argumentOids, describe)
}

function resolveChosen(
  types: TypeTable,
  candidate: CallCandidate,
  argumentOids: readonly Oid[],
  describe: () => string,
): FunctionResolution {
  const chosen = candidate.function
  if (!chosen.isAllowed) {
    return failure('refused', '0A000', `function ${describe()} is not available here`)
  }
  const cast = castOfFunction(types, chosen)
  if (cast !== undefined) {
    const [sourceOid = cast.oid] = candidate.parameterOids
    return { ok: true, kind: 'cast', sourceOid, targetOid: cast.oid }
  }
  const call = resolvePolymorphic(types, candidate.parameterOids, argumentOids, chosen.resultOid)
  if (!call.ok) return call
  const { variadicCount, parameterOrder } = candidate
  return {
    ok: true,
    kind: 'function',
    function: chosen,
    argumentOids: call.argumentOids,
    ...(variadicCount > 0 ? { variadicFrom: argumentOids.length - variadicCount } : {}),
    ...(parameterOrder === undefined ? {} : { parameterOrder }),
    resultOid: call.resultOid,
  }
}

/** None, or the one way in which this overload can take this number of arguments. */
function callCandidates(
  overload: PgFunction,
  argumentCount: number,
  options: FunctionCallOptions,
): readonly CallCandidate[] {
  const { argumentOids, variadicOid, defaultCount } = overload
  const parameterCount = argumentOids.length
  if (options.argumentNames !== undefined && options.argumentNames.length > 0) {
    return namedCandidate(overload, argumentCount, options)
  }
  if (options.isVariadicCall === true && variadicOid === undefined) return []
  const isSpread =
    variadicOid !== undefined && options.isVariadicCall !== true && argumentCount >= parameterCount
  if (isSpread) {
    const variadicCount = argumentCount - parameterCount + 1
    const spread = Array.from({ length: variadicCount }, () => variadicOid)
    const parameterOids = [...argumentOids.slice(0, -1), ...spread]
    return [{ function: overload, parameterOids, variadicCount, defaultsUsed: 0 }]
  }
  const defaultsUsed = parameterCount - argumentCount
  if (defaultsUsed < 0 || defaultsUsed > defaultCount) return []
  const parameterOids = argumentOids.slice(0, argumentCount)
  return [{ function: overload, parameterOids, variadicCount: 0, defaultsUsed }]
}

/** `make_interval(1, days => 2)`: positions first, then names; the others must have defaults. */
function namedCandidate(
  overload: PgFunction,
  argumentCount: number,
  options: FunctionCallOptions,
): readonly CallCandidate[] {
  const { argumentNames: parameterNames, argumentOids, defaultCount } = overload
  const names = options.argumentNames ?? []
  if (parameterNames === undefined || argumentCount > argumentOids.length) return []
  const positionalCount = argumentCount - names.length
  const byName = names.map((name) => parameterNames.indexOf(name))
  const parameterOrder = [...Array(positionalCount).keys(), ...byName]
  if (byName.some((index) => index < positionalCount)) return []
  if (new Set(parameterOrder).size < argumentCount) return []
  const firstDefault = argumentOids.length - defaultCount
  const isComplete = argumentOids.every((_, i) => i >= firstDefault || parameterOrder.includes(i))
  if (!isComplete) return []
  const parameterOids = parameterOrder.map((index) => argumentOids[index] ?? oids.any)
  const defaultsUsed = argumentOids.length - argumentCount
  return [{ function: overload, parameterOids, variadicCount: 0, defaultsUsed, parameterOrder }]
}

/** Of two equal candidates, the one without spread arguments is used. */
function withoutDuplicates(candidates: readonly CallCandidate[]): readonly CallCandidate[] {
  const byParameters = new Map<string, CallCandidate>()
  for (const candidate of candidates) {
    const key = candidate.parameterOids.join()
    const other = byParameters.get(key)
    if (other === undefined || other.variadicCount > candidate.variadicCount) {
      byParameters.set(key, candidate)
    }
  }
  return [...byParameters.values()]
}

/** `date('2024-01-31')`, `text(5)`: a call with a type's name that only relabels or rewrites text. */
function castTargetOf(
  types: TypeTable,
  name: string,
  argumentOids: readonly Oid[],
  options: FunctionCallOptions,
): PgType | undefined {
  const target = types.typeByName(name)
  const [source] = argumentOids
  if (target === undefined || !target.isNameable || target.kind === 'pseudo') return undefined
  if (source === undefined || argumentOids.length > 1) return undefined
  if (options.isVariadicCall === true || (options.argumentNames ?? []).length > 0) return undefined
  const path = findCoercion(types, source, target.oid, 'explicit')
  const kind = path?.kind === 'domain' ? path.base.kind : path?.kind
  const isCast =
    kind === 'none' || kind === 'relabel' || kind === 'inout' || kind === 'unknownLiteral'
  return isCast ? target : undefined
}

/** The target type, if the function is the one that implements the cast to the type of that name. */
function castOfFunction(types: TypeTable, chosen: PgFunction): PgType | undefined {
  const target = types.typeByName(chosen.name)
  const [source] = chosen.argumentOids
  if (target === undefined || source === undefined || chosen.argumentOids.length > 1)
    return undefined
  return types.cast(source, target.oid)?.functionOid === chosen.oid ? target : undefined
}

function callText(
  types: TypeTable,
  name: string,
  argumentOids: readonly Oid[],
  options: FunctionCallOptions,
): string {
  const names = options.argumentNames ?? []
  const firstNamed = argumentOids.length - names.length
  const described = argumentOids.map((oid, i) => {
    const text = formatType(types, oid)
    return i < firstNamed ? text : `${names[i - firstNamed]} => ${text}`
  })
  return `${name}(${described.join(', ')})`
}

function failure(
  reason: ResolutionFailure['reason'],
  sqlState: ResolutionFailure['sqlState'],
  message: string,
): ResolutionFailure {
  return { ok: false, reason, sqlState, message }
}
