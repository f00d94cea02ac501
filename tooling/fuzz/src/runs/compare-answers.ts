/** @module Answers to one caller that must be the same. */
import type { Outcome } from '../subjects/subject.ts'

/** Their difference. */
export interface Leak {
  readonly kind: 'rows' | 'failure' | 'server error' | 'canary'
  readonly text: string
}

/** Undefined where they are equal in every byte, apart from an order that the statement does not request. */
export function compareAnswers(outcomes: readonly Outcome[], isOrdered: boolean): Leak | undefined {
  const failed = outcomes.find((outcome) => outcome.kind === 'refused' && outcome.status >= 500)
  if (failed?.kind === 'refused') return { kind: 'server error', text: failed.message }
  const texts = outcomes.map((outcome) => answerText(outcome, isOrdered))
  const canary = texts.find((text) => text.includes('CANARY'))
  if (canary !== undefined) return { kind: 'canary', text: canary.slice(0, 300) }
  const other = texts.find((text) => text !== texts[0])
  if (other === undefined) return undefined
  return {
    kind: outcomes.some(({ kind }) => kind === 'refused') ? 'failure' : 'rows',
    text: `${texts[0]?.slice(0, 300)} <> ${other.slice(0, 300)}`,
  }
}

/** The part of an outcome that a client would see. */
export function answerText(outcome: Outcome, isOrdered: boolean): string {
  if (outcome.kind === 'refused') return `${outcome.status} ${outcome.message}`
  const rows = outcome.rows.map((row) => JSON.stringify(row))
  return (isOrdered ? rows : rows.toSorted()).join('\n')
}
