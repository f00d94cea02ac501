/** @module Expressions over typed NULLs, and the differences between PostgreSQL and the type system on them. */
import { expect } from 'vitest'
import type { Oid } from '../src/compiler/sql-types/pg-type.ts'
import type { Oracle, Verdict } from './sql-types-oracle.ts'

/** `unknown` is a bare NULL literal, the others are NULLs of that type. */
export const commonTypes: readonly string[] = [
  ...['unknown', 'bool', 'int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'text', 'varchar'],
  ...['bpchar', 'name', 'bytea', 'uuid', 'date', 'time', 'timestamp', 'timestamptz', 'interval'],
  ...['json', 'jsonb', '_int4', '_text', 'mood', '_mood', 'positive', 'short_text', 'numbers'],
]
export const rareTypes: readonly string[] = [
  ...['timetz', 'char', 'oid', 'inet', 'cidr', 'money', 'point', 'box', 'bit', 'varbit', 'shade'],
  ...['int4range', 'int4multirange', 'tsvector', 'jsonpath', 'feeling', '_numeric', '_varchar'],
  ...['_int8', '_bool', '_json', '_timestamptz', 'macaddr', 'int2vector'],
]

export function nullOf(type: string): string {
  return type === 'unknown' ? 'null' : `null::"${type}"`
}

/** A random generator with a seed, so that each run uses the same cases. */
export function createPicker(seed: number): <T>(items: readonly T[]) => T {
  let state = seed
  return (items) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    const item = items[(state >> 8) % items.length]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
}

export interface Case {
  readonly sql: string
  /** The result of the type system; `chosen` is the oid of the function or operator. */
  readonly ours:
    | { readonly ok: true; readonly oid: Oid; readonly chosen?: Oid }
    | { readonly ok: false; readonly sqlState: string; readonly reason?: string }
}

/** Errors of evaluation occur after types were resolved: these expressions count as accepted. */
function isEvaluationError(verdict: Verdict): boolean {
  return !verdict.ok && verdict.sqlState.startsWith('22')
}

/** One line for each case in which the two differ; a refusal by the allow-list is not a difference. */
export async function disagreements(
  oracle: Oracle,
  cases: readonly Case[],
): Promise<readonly string[]> {
  const verdicts = await oracle.typesOf(cases.map(({ sql }) => sql))
  const different = cases.flatMap(({ sql, ours }, i) => {
    const theirs = verdicts[i]
    if (theirs === undefined) return [`${sql}: no answer`]
    if (!ours.ok && ours.reason === 'refused') return []
    const isSame = ours.ok
      ? (theirs.ok && theirs.oid === ours.oid) || isEvaluationError(theirs)
      : !theirs.ok && theirs.sqlState === ours.sqlState
    return isSame ? [] : [`${sql}: ${JSON.stringify(ours)}, PostgreSQL ${JSON.stringify(theirs)}`]
  })
  return [...different, ...(await otherChoices(oracle, cases, verdicts))]
}

/** Where both accept an expression, do both choose the same overload? */
async function otherChoices(
  oracle: Oracle,
  cases: readonly Case[],
  verdicts: readonly Verdict[],
): Promise<readonly string[]> {
  const accepted = cases.filter(
    ({ ours }, i) => ours.ok && ours.chosen !== undefined && verdicts[i]?.ok === true,
  )
  const chosen = await oracle.chosenIn(accepted.map(({ sql }) => sql))
  expect(chosen).toHaveLength(accepted.length)
  return accepted.flatMap(({ sql, ours }, i) => {
    const isSame = ours.ok && ours.chosen === chosen[i]
    return isSame ? [] : [`${sql}: ${JSON.stringify(ours)}, PostgreSQL chose ${chosen[i]}`]
  })
}
