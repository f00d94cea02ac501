/**
 * @module The meaning of a filter, implemented a second time: by evaluating rows in memory. Shares no code with the
 * engine.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Json, Row, Type, Value, World } from './shapes.ts'

/** `null` is UNKNOWN. */
type Truth = boolean | null

/** `can`: the possible truth values for this caller. `gap`: the caller lacks a field that the filter uses. */
export interface Condition {
  readonly can: readonly Truth[]
  readonly gap: boolean
  readonly at: (row: Row, outer?: Row) => Truth
}

const invert = (truth: Truth): Truth => (truth === null ? null : !truth)
const fixed = (truth: Truth): Condition => ({ can: [truth], gap: truth === null, at: () => truth })
const isFixed = ({ can }: Condition, truth: Truth) => can.length === 1 && can[0] === truth
const open = (at: Condition['at'], gap: boolean): Condition => ({ can: [true, false], gap, at })
const not = ({ can, gap, at }: Condition): Condition => ({
  can: can.map(invert),
  gap,
  at: (row, outer) => invert(at(row, outer)),
})
const or = (parts: readonly Condition[]): Condition => not(and(parts.map(not)))
function and(all: readonly Condition[]): Condition {
  if (all.some((part) => isFixed(part, false))) return fixed(false)
  const parts = all.filter((part) => !isFixed(part, true))
  if (parts.every((part) => isFixed(part, null))) return parts[0] ?? fixed(true)
  const can: Truth[] = [parts.every((part) => part.can.includes(true)) || null]
  if (parts.some((part) => part.can.includes(false))) can.push(false)
  const at: Condition['at'] = (row, outer) => {
    const truths = parts.map((part) => part.at(row, outer))
    return truths.includes(false) ? false : truths.includes(null) ? null : true
  }
  return { can: [...can, null], gap: parts.some(({ gap }) => gap), at }
}

/** Evaluates a filter on rows; those of `table` have its types and relations. */
export function conditionOf(world: World, table: string, filter: unknown): Condition {
  const { columns = {}, relations = {} } = world.schema[table] ?? {}
  const inner = (part: unknown) => conditionOf(world, table, part)
  const entry = ([key, value]: readonly [string, unknown]): Condition => {
    const list = Array.isArray(value) ? value.map(inner) : []
    if (key === '$and') return and(list)
    if (key === '$or') return or(list)
    if (key === '$nor') return not(or(list))
    if (key === '$not') return not(inner(value))
    if (key === '$exists') {
      const { table: name, where } = value as { table: string; where?: unknown }
      const far = name.replace('main.', '')
      return related('$some', () => world.rows[far] ?? [], conditionOf(world, far, where))
    }
    if (relations[key] === undefined) {
      const isCaller = key.startsWith('$user.')
      const type = columns[key] ?? (isCaller ? typeOf(value) : 'text')
      return compare(world, isCaller ? key : { $col: key }, type, value)
    }
    const { many, steps } = relations[key]
    const follow = (found: readonly Row[], step: (typeof steps)[number]) => {
      const keys = found.map((near): Value | undefined => near[step.from] ?? undefined)
      return (world.rows[step.table] ?? []).filter((row) => keys.includes(row[step.to]))
    }
    const rows = (row: Row) => steps.reduce<readonly Row[]>(follow, [row])
    const far = steps.at(-1)?.table ?? ''
    const quantifiers = Object.entries(many ? (value as Json) : { $some: value })
    return and(quantifiers.map(([name, of]) => related(name, rows, conditionOf(world, far, of))))
  }
  return and(Object.entries((filter ?? {}) as Json).map(entry))
}

/**
 * Related rows that are UNKNOWN are not TRUE; where the caller lacks a field, the result is UNKNOWN instead of FALSE.
 */
function related(kind: string, rows: (row: Row) => readonly Row[], inner: Condition): Condition {
  if (kind === '$none') return not(related('$some', rows, inner))
  if (isFixed(inner, kind === '$every')) return inner
  if (!inner.can.includes(true) && !isFixed(inner, false)) return fixed(null)
  const unproven = inner.gap ? null : false
  return open((row) => {
    const truths = rows(row).map((far) => inner.at(far, row))
    if (kind === '$some') return truths.includes(true) || unproven
    return truths.includes(false) ? false : truths.includes(null) ? unproven : true
  }, inner.gap)
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field of the caller gets the type of the first value that it is compared with. */
function typeOf(operand: unknown): Type {
  const [key = '', value] = isObject(operand) ? (Object.entries(operand)[0] ?? []) : ['', operand]
  if (Array.isArray(value) || isObject(value)) return typeOf(isObject(value) ? value : value[0])
  const types: Readonly<Record<string, Type>> = { boolean: 'bool', number: 'numeric' }
  return key.endsWith('ull') ? 'text' : (types[typeof value] ?? 'text')
}

function contains(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return b.every((y) => a.some((x) => contains(x, y)))
  if (!isObject(a) || !isObject(b)) return isDeepStrictEqual(a, b)
  return Object.entries(b).every(([key, y]) => Object.hasOwn(a, key) && contains(a[key], y))
}
/** An array can also contain a scalar. */
const holds = (a: unknown, b: unknown) => contains(a, b) || (Array.isArray(a) && a.includes(b))
const like = (text: string, pattern: string) => {
  const spell = (part: string, escaped: string | undefined) =>
    ({ '%': '.*', _: '.' })[part] ?? `\\u{${(escaped ?? part).codePointAt(0)?.toString(16)}}`
  return RegExp(`^${pattern.replaceAll(/\\(.)|./gsu, spell)}$`, 'su').test(text)
}

/** @throws {TypeError} where the generator has made an operand of another type: the model has no answer then. */
function textOf(value: Value): string {
  if (typeof value !== 'string') throw new TypeError(`no text: ${JSON.stringify(value)}`)
  return value
}

/** @throws {TypeError} as `textOf`. */
function listOf(value: Value): readonly Value[] {
  if (!Array.isArray(value)) throw new TypeError(`no list: ${JSON.stringify(value)}`)
  return value
}

/** Numbers and booleans by value, texts and moments by their characters. @throws {TypeError} as `textOf`. */
function isLess(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b
  if (typeof a === 'boolean' && typeof b === 'boolean') return a < b
  return textOf(a) < textOf(b)
}

/** Both operands have the type of the column. */
const operators: Readonly<Record<string, (a: Value, b: Value, type: Type) => Truth>> = {
  $eq: (a, b) => isDeepStrictEqual(a, b),
  $gt: (a, b) => isLess(b, a),
  $lt: isLess,
  $like: (a, b) => like(textOf(a), textOf(b)),
  $ilike: (a, b) => like(textOf(a).toLowerCase(), textOf(b).toLowerCase()),
  $startsWith: (a, b) => textOf(a).startsWith(textOf(b)),
  $endsWith: (a, b) => textOf(a).endsWith(textOf(b)),
  $contains: (a, b, type) => (type === 'text' ? textOf(a).includes(textOf(b)) : holds(a, b)),
  $containedBy: (a, b) => holds(b, a),
  $overlaps: (a, b) => listOf(a).some((item) => listOf(b).includes(item)),
  $hasKey: (a, b) => (isObject(a) ? Object.hasOwn(a, textOf(b)) : [a].flat().includes(b)),
  $in: (a, b) => listOf(b).includes(a),
}
const negations: Readonly<Record<string, string>> = {
  ...{ $ne: '$eq', $gte: '$lt', $lte: '$gt', $nlike: '$like', $nilike: '$ilike', $nin: '$in' },
  ...{ $notNull: '$isNull' },
}

function compare(world: World, left: unknown, type: Type, right: unknown): Condition {
  const isTests =
    isObject(right) && /^\$(?!col|outer|now|literal)/.test(Object.keys(right)[0] ?? '')
  return and(
    Object.entries(isTests ? right : { $eq: right }).map(([key, operand]) => {
      const one = (operator: string, value: unknown): Condition => {
        const opposite = negations[operator]
        if (opposite !== undefined) return not(one(opposite, value))
        if (operator === '$not') return not(compare(world, left, type, value))
        if (operator === '$in' && Array.isArray(value))
          return or(value.map((each) => one('$eq', each)))
        return leaf(world, operator, left, type, value)
      }
      if (key !== '$between' || !Array.isArray(operand)) return one(key, operand)
      return and([one('$gte', operand[0]), one('$lte', operand[1])])
    }),
  )
}

function leaf(world: World, key: string, left: unknown, type: Type, right: unknown): Condition {
  const a = operandOf(world, left, type)
  const b = operandOf(world, right, key === '$hasKey' ? 'text' : type, key === '$in')
  if (a === undefined || b === undefined) return fixed(null)
  return open((row, outer) => {
    const [x, y] = [a(row, outer), b(row, outer)]
    if (key.endsWith('ull')) return (x === null) === y
    if (x === null || y === null) return isDeepStrictEqual(y, []) && key === '$in' ? false : null
    return operators[key]?.(x, y, type) ?? null
  }, false)
}

/** Undefined: a field that the caller lacks, or whose value does not have the type. */
export function operandOf(
  { claims, now }: World,
  operand: unknown,
  type: Type,
  isAny = false,
): ((row: Row, outer?: Row) => Value) | undefined {
  if (typeof operand === 'string' && operand.startsWith('$user.')) {
    const step = (found: unknown, part: string) =>
      isObject(found) && Object.hasOwn(found, part) ? found[part] : undefined
    const claim = operand.split('.').slice(1).reduce(step, claims)
    const isList = isAny || type === 'text[]'
    const item = (each: unknown) => claimOf(each, type)
    const value = isList ? Array.isArray(claim) && claim.map(item) : item(claim)
    const isValue =
      value !== undefined && !(isList && (!value || [value].flat().includes(undefined)))
    return isValue ? () => value as Value : undefined
  }
  const { $col, $outer, $now, $literal } = (isObject(operand) ? operand : {}) as Record<
    string,
    string
  >
  if ($col !== undefined) return (row) => row[$col] ?? null
  if ($outer !== undefined) return (_, outer) => outer?.[$outer] ?? null
  if ($now === undefined) return () => $literal ?? (operand as Value)
  const moment = new Date(now + Number.parseInt($now, 10) * 86_400_000)
  return () => moment.toISOString().slice(0, 19).replace('T', ' ')
}

function claimOf(claim: unknown, type: Type): Value | undefined {
  const isExact =
    Number.isSafeInteger(claim) || (Number.isFinite(claim) && !Number.isInteger(claim))
  if (typeof claim !== 'string' && typeof claim !== 'boolean' && !isExact) return undefined
  const text = String(claim)
  if (type === 'jsonb') return claim as Value
  if (type === 'bool') {
    if (/^\s*(t(r(ue?)?)?|y(es?)?|on|1)\s*$/i.test(text)) return true
    return /^\s*(f(a(l(se?)?)?)?|no?|off?|0)\s*$/i.test(text) ? false : undefined
  }
  if (type === 'int4') {
    const isInteger = /^\s*[+-]?\d+\s*$/.test(text) && Math.abs(Number(text)) < 2 ** 31
    return isInteger ? Number(text) : undefined
  }
  if (type === 'numeric') return Number.isFinite(Number(text)) ? Number(text) : undefined
  if (type === 'timestamp') return /^\d{4}-\d\d-\d\d /.test(text) ? text : undefined
  return /[\0\ud800-\udfff]/u.test(text) ? undefined : text
}
