/** @module Does one condition imply another? As PostgreSQL asks it of partial indexes, for conditions in canonical form. */
import { oids } from '../../sql-types/oids.ts'
import type { Expression } from '../tree/expression.ts'
import { sameExpression } from '../tree/same-expression.ts'

/**
 * Is `conclusion` TRUE for every row for which `premise` is? FALSE where it cannot be shown: parts must be equal, in any order,
 * one of several alternatives is enough, and a comparison implies that its sides are not NULL.
 */
export function isImplied(conclusion: Expression, premise: Expression | undefined): boolean {
  if (premise === undefined) return false
  const all = operandsOf(conclusion, 'and')
  if (all !== undefined) return all.every((each) => isImplied(each, premise))
  const alternatives = operandsOf(premise, 'or')
  if (alternatives !== undefined) return alternatives.every((each) => isImplied(conclusion, each))
  const known = operandsOf(premise, 'and') ?? []
  if (known.some((each) => isImplied(conclusion, each))) return true
  const wanted = operandsOf(conclusion, 'or') ?? []
  if (wanted.some((each) => isImplied(each, premise))) return true
  return (
    sameExpression(conclusion, premise) ||
    isPresent(conclusion, premise) ||
    isListed(conclusion, premise) ||
    isInRange(conclusion, premise)
  )
}

function operandsOf(
  expression: Expression,
  operator: 'and' | 'or',
): readonly Expression[] | undefined {
  const isOne = expression.kind === 'logical' && expression.operator === operator
  return isOne ? expression.operands : undefined
}

/** `x > 1` and `x in (1, 2)` imply `x is not null`. */
function isPresent(conclusion: Expression, premise: Expression): boolean {
  if (conclusion.kind !== 'nullTest' || !conclusion.negated) return false
  const isOperand = (side: Expression | undefined): boolean =>
    side !== undefined && sameExpression(side, conclusion.operand)
  switch (premise.kind) {
    case 'operator':
      return premise.operator.isStrict && (isOperand(premise.left) || isOperand(premise.right))
    case 'inList':
      return isOperand(premise.operand)
    default:
      return false
  }
}

/** `x = 1` and `x in (1, 2)` imply `x in (1, 2, 3)`. */
function isListed(conclusion: Expression, premise: Expression): boolean {
  if (conclusion.kind !== 'inList' || conclusion.negated) return false
  const { operand, operator } = conclusion
  const isItem = (value: Expression): boolean =>
    conclusion.items.some((item) => sameExpression(item, value))
  switch (premise.kind) {
    case 'operator': {
      const { left, right } = premise
      return (
        premise.operator.oid === operator.oid &&
        left !== undefined &&
        sameExpression(left, operand) &&
        isItem(right)
      )
    }
    case 'inList':
      return (
        !premise.negated &&
        premise.operator.oid === operator.oid &&
        sameExpression(premise.operand, operand) &&
        premise.items.every(isItem)
      )
    default:
      return false
  }
}

/** A comparison with an integer constant. */
interface Bound {
  readonly side: Expression
  readonly name: string
  readonly value: bigint
}

/** `x > 5` implies `x > 3`, and `x = 5` implies `x >= 5`. */
function isInRange(conclusion: Expression, premise: Expression): boolean {
  const [wanted, known] = [boundOf(conclusion), boundOf(premise)]
  if (wanted === undefined || known === undefined) return false
  return sameExpression(wanted.side, known.side) && holdsWithin(wanted, known)
}

function boundOf(expression: Expression): Bound | undefined {
  if (expression.kind !== 'operator' || expression.left === undefined) return undefined
  const { operator, left, right } = expression
  if (right.kind !== 'constant' || typeof right.value !== 'string') return undefined
  if (!integers.has(left.type.oid) || !integers.has(right.type.oid)) return undefined
  return { side: left, name: operator.name, value: BigInt(right.value) }
}

const integers: ReadonlySet<number> = new Set([oids.int2, oids.int4, oids.int8])

function holdsWithin(wanted: Bound, known: Bound): boolean {
  const [a, b] = [known.value, wanted.value]
  switch (known.name) {
    case '=':
      return isTrue(a, wanted.name, b)
    case '>':
      return (wanted.name === '>' || wanted.name === '>=') && a >= b
    case '>=':
      return wanted.name === '>' ? a > b : wanted.name === '>=' && a >= b
    case '<':
      return (wanted.name === '<' || wanted.name === '<=') && a <= b
    case '<=':
      return wanted.name === '<' ? a < b : wanted.name === '<=' && a <= b
    default:
      return false
  }
}

function isTrue(a: bigint, name: string, b: bigint): boolean {
  switch (name) {
    case '=':
      return a === b
    case '<>':
      return a !== b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '<':
      return a < b
    case '<=':
      return a <= b
    default:
      return false
  }
}
