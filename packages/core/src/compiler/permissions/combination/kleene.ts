/**
 * @module Three-valued logic over conditions whose value is not yet known. A row is visible, or a write allowed, only where a
 * formula is TRUE. A condition is UNKNOWN if it needs a value that the caller does not have, and no connective alone turns
 * UNKNOWN into TRUE.
 */

/** `A` is any question about a row. */
export type Formula<A extends Atom> =
  | { readonly kind: 'true' | 'false' | 'unknown' }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Formula<A>[] }
  | { readonly kind: 'not'; readonly operand: Formula<A> }
  | A

export interface Atom {
  readonly kind: 'leaf' | 'relation'
}

/** How many related rows must be TRUE: at least one, all, or none. */
export type Quantifier = 'some' | 'every' | 'none'

interface Constant {
  readonly kind: 'true' | 'false' | 'unknown'
}

export const always: Constant = { kind: 'true' }
export const never: Constant = { kind: 'false' }
/** Neither TRUE nor FALSE; its negation is UNKNOWN, too. */
export const unknown: Constant = { kind: 'unknown' }

/** AND: FALSE wins over UNKNOWN, which wins over TRUE. TRUE without operands. */
export function allOf<A extends Atom>(operands: readonly Formula<A>[]): Formula<A> {
  return connect('and', operands, always, never)
}

/** OR: TRUE wins over UNKNOWN, which wins over FALSE. FALSE without operands. */
export function anyOf<A extends Atom>(operands: readonly Formula<A>[]): Formula<A> {
  return connect('or', operands, never, always)
}

/** Flattens, drops `neutral`, ends at `winner`; keeps one UNKNOWN, after the operands that may still win over it. */
function connect<A extends Atom>(
  kind: 'and' | 'or',
  operands: readonly Formula<A>[],
  neutral: Constant,
  winner: Constant,
): Formula<A> {
  const flat = operands.flatMap((operand) =>
    operand.kind === kind ? (operand as { operands: readonly Formula<A>[] }).operands : [operand],
  )
  if (flat.some((operand) => operand.kind === winner.kind)) return winner
  const open = flat.filter(({ kind }) => kind !== neutral.kind && kind !== 'unknown')
  const rest = flat.some((operand) => operand.kind === 'unknown') ? [...open, unknown] : open
  const [first, second] = rest
  if (first === undefined) return neutral
  return second === undefined ? first : { kind, operands: rest }
}

/** NOT: UNKNOWN stays UNKNOWN. */
export function negationOf<A extends Atom>(operand: Formula<A>): Formula<A> {
  switch (operand.kind) {
    case 'true':
      return never
    case 'false':
      return always
    case 'unknown':
      return unknown
    case 'not':
      return operand.operand
    default:
      return { kind: 'not', operand }
  }
}

/** Replaces every atom that has a known value and simplifies. */
export function substitute<A extends Atom>(
  formula: Formula<A>,
  answer: (atom: A) => Formula<A>,
): Formula<A> {
  const inside = (operand: Formula<A>) => substitute(operand, answer)
  switch (formula.kind) {
    case 'true':
    case 'false':
    case 'unknown':
      return formula
    case 'and':
      return allOf(formula.operands.map(inside))
    case 'or':
      return anyOf(formula.operands.map(inside))
    case 'not':
      return negationOf(inside(formula.operand))
    default:
      return answer(formula)
  }
}

/** Can the formula be TRUE (or FALSE) for some row, for any values of its atoms? An UNKNOWN is neither. */
export function canBe<A extends Atom>(formula: Formula<A>, truth: boolean): boolean {
  const can = (operand: Formula<A>) => canBe(operand, truth)
  switch (formula.kind) {
    case 'true':
      return truth
    case 'false':
      return !truth
    case 'unknown':
      return false
    case 'and':
      return truth ? formula.operands.every(can) : formula.operands.some(can)
    case 'or':
      return truth ? formula.operands.some(can) : formula.operands.every(can)
    case 'not':
      return canBe(formula.operand, !truth)
    default:
      return true
  }
}

/**
 * Simplifies a condition of which only TRUE counts: if it can never be TRUE, it becomes FALSE. For a whole condition only, never
 * for a part under a negation.
 */
export function whenTrue<A extends Atom>(formula: Formula<A>): Formula<A> {
  if (!canBe(formula, true)) return never
  switch (formula.kind) {
    case 'and':
      return allOf(formula.operands.map(whenTrue))
    case 'or':
      return anyOf(formula.operands.map(whenTrue))
    default:
      return formula
  }
}

/** Every atom of a formula. */
export function atomsOf<A extends Atom>(formula: Formula<A>): readonly A[] {
  switch (formula.kind) {
    case 'true':
    case 'false':
    case 'unknown':
      return []
    case 'and':
    case 'or':
      return formula.operands.flatMap(atomsOf)
    case 'not':
      return atomsOf(formula.operand)
    default:
      return [formula]
  }
}

/**
 * The value of a quantifier over related rows if no row is needed for it; undefined: the rows must be read. If only a missing
 * value keeps every row from being TRUE, the value is UNKNOWN, even without any rows.
 */
export function withoutRows<A extends Atom>(
  quantifier: Quantifier,
  inner: Formula<A>,
): Constant | undefined {
  if (inner.kind === 'false') {
    return quantifier === 'every' ? undefined : quantifier === 'some' ? never : always
  }
  if (inner.kind === 'true') return quantifier === 'every' ? always : undefined
  return canBe(inner, true) ? undefined : unknown
}
