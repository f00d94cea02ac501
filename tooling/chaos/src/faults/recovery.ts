/** @module Measures how long a node needs to work again after the end of a fault. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Request } from '../client/ask.ts'
import type { Fault, Timeline } from '../judge/timeline.ts'
import { insertCounter } from '../load/ledger.ts'
import { type Member, someMember } from '../load/member.ts'
import { type Service, statement } from '../load/service.ts'
import type { ChaosNode } from '../nodes/node.ts'
import { type ConnectionName, connectionNames, type Target } from '../target.ts'

export interface Recovery {
  readonly fault: string
  /** Milliseconds from the end of the fault to the first success, of the slower node. */
  readonly ms: number
}

export type MeasureRecovery = (fault: Fault) => Promise<Recovery>

const giveUpMs = 20_000

/** A write that depends on the failed target, at each node, until it succeeds. */
export async function createProbes(
  service: Service,
  timeline: Timeline,
  answerWithinMs: number,
): Promise<MeasureRecovery> {
  const member = await someMember(service)
  const counters = new Map<Target, string>()
  for (const connection of connectionNames) {
    counters.set(connection, await insertCounter(service, member, connection))
  }
  return async ({ name, target, endMs }) => {
    const request = probe(member, target, counters.get(target))
    /** Another service that a node needs may have recovered later. */
    const sinceMs = (node: ChaosNode, answeredMs: number): number => {
      const others = timeline.faults.filter(
        (other) =>
          [node.name, 'service', target].includes(other.target) && other.startMs < answeredMs,
      )
      return answeredMs - Math.max(endMs, ...others.map((other) => other.endMs))
    }
    const succeeds = async (node: ChaosNode): Promise<number> => {
      while (performance.now() < endMs + giveUpMs) {
        const { outcome, endMs: answeredMs } = await ask(node.url, request, answerWithinMs)
        if (outcome.kind === 'answer' && outcome.status === 200) return sinceMs(node, answeredMs)
        await sleep(20)
      }
      return Infinity
    }
    const asked = service.nodes.filter((node) => !target.startsWith('node') || node.name === target)
    const times = await Promise.all(asked.map(succeeds))
    return { fault: name, ms: Math.max(0, ...times) }
  }
}

function probe(member: Member, target: Target, counter: string | undefined): Request {
  if (counter === undefined) {
    const { email, password } = member
    return { method: 'POST', path: '/auth/sign-in', body: { email, password } }
  }
  const connection = target as ConnectionName
  const sql = `update ${connection}.counters set n = n + 1 where id = $1`
  return statement(member.token, sql, [counter], 'run')
}
