/**
 * @module Judges every request: it must be answered, in time, in the right form, and every failure must have a reason.
 */
import type { Answer, Asked } from '../client/ask.ts'
import type { Target } from '../target.ts'
import { shapeFault } from './error-shape.ts'
import type { Findings } from './findings.ts'
import type { Timeline } from './timeline.ts'

/** The targets that a request depends on, and its name. */
export interface Errand {
  readonly name: string
  readonly node: Extract<Target, 'node-a' | 'node-b'>
  readonly needs: readonly Target[]
}

/** `answered`: by a working service. `unknown`: the request may have been executed or not. */
export type Verdict =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'unknown' }

export interface Judge {
  judge(errand: Errand, asked: Asked): Verdict
  /** Requests by name and outcome. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Milliseconds of the slowest answer. */
  readonly slowestMs: () => number
}

/** Statuses of a service whose databases cannot execute the request. */
const unavailable: ReadonlySet<number> = new Set([408, 503])

export function createJudge(timeline: Timeline, findings: Findings): Judge {
  const counts = new Map<string, Map<string, number>>()
  let slowestMs = 0
  const count = (name: string, outcome: string) => {
    const own = counts.get(name) ?? new Map<string, number>()
    counts.set(name, own.set(outcome, (own.get(outcome) ?? 0) + 1))
  }
  const unknown: Verdict = { kind: 'unknown' }
  return {
    counts,
    slowestMs: () => slowestMs,
    judge: ({ name, node, needs }, { id, startMs, endMs, outcome }) => {
      const where = `${name} at ${node}, ${Math.round(endMs - startMs)} ms, ${id}`
      if (outcome.kind !== 'answer') {
        count(name, outcome.kind)
        if (timeline.explains([node], startMs, endMs)) return unknown
        findings.add(outcome.kind === 'late' ? 'hang' : 'broken', `${where}: ${outcome.reason}`)
        return unknown
      }
      const { status } = outcome
      count(name, String(status))
      slowestMs = Math.max(slowestMs, endMs - startMs)
      const fault = shapeFault(outcome, id)
      if (fault !== undefined) {
        findings.add('shape', `${where}: ${status}, ${fault}: ${JSON.stringify(outcome.body)}`)
      }
      if (status === 500) {
        findings.add('internal error', where)
        return unknown
      }
      if (!unavailable.has(status)) return { kind: 'answered', answer: outcome }
      if (!timeline.explains([...needs, node], startMs, endMs)) {
        findings.add('unavailable without a reason', `${where}: ${status} ${outcome.body?.message}`)
      }
      return unknown
    },
  }
}
