/** @module The dependencies of load generators: two nodes, a judge, and random numbers. */
import type { Random } from '@engine/fixtures'
import { type Asked, ask, type Request } from '../client/ask.ts'
import type { Findings } from '../judge/findings.ts'
import type { Judge, Verdict } from '../judge/judge.ts'
import type { ChaosNode } from '../nodes/node.ts'
import type { Target } from '../target.ts'

export interface Service {
  readonly nodes: readonly [ChaosNode, ChaosNode]
  readonly findings: Findings
  readonly masterKey: string
  /** Sends a request to a node, any by default, and judges the answer. */
  send(name: string, needs: readonly Target[], request: Request, node?: ChaosNode): Promise<Sent>
  /** Acknowledged writes, for the check of the audit. */
  readonly acknowledged: AcknowledgedWrite[]
}

export type Sent = Verdict & { readonly asked: Asked; readonly node: ChaosNode }

/** The audit must contain it. */
export interface AcknowledgedWrite {
  readonly id: string
  readonly node: ChaosNode['name']
  readonly endMs: number
}

/** A client that runs one request after the other until it is stopped. */
export interface Worker {
  readonly name: string
  step(): Promise<void>
}

export interface ServiceOptions {
  readonly nodes: readonly [ChaosNode, ChaosNode]
  readonly judge: Judge
  readonly findings: Findings
  readonly masterKey: string
  readonly random: Random
  readonly answerWithinMs: number
}

export function createService(options: ServiceOptions): Service {
  const { nodes, judge, findings, masterKey, random, answerWithinMs } = options
  return {
    nodes,
    findings,
    masterKey,
    acknowledged: [],
    send: async (name, needs, request, node = random.pick(nodes)) => {
      const asked = await ask(node.url, request, answerWithinMs)
      return { ...judge.judge({ name, node: node.name, needs }, asked), asked, node }
    },
  }
}

/** The request for a statement. */
export function statement(
  token: string,
  sql: string,
  params: readonly unknown[],
  method: 'all' | 'get' | 'run' = 'all',
): Request {
  return { method: 'POST', path: '/data', token, body: { sql, params, method } }
}

/** Reports a finding, unless the status is the expected one. @returns whether it is. */
export function expectStatus(service: Service, sent: Sent, name: string, status: number): boolean {
  if (sent.kind !== 'answered') return false
  if (sent.answer.status === status) return true
  const { answer, asked } = sent
  service.findings.add(
    'wrong answer',
    `${name}: ${answer.status} instead of ${status}, ${asked.id}: ${JSON.stringify(answer.body)}`,
  )
  return false
}
