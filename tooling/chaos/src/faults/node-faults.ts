/** @module Faults of nodes. The first node is never stopped: its memory is measured. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@engine/fixtures'
import type { Findings } from '../judge/findings.ts'
import type { ChaosNode } from '../nodes/node.ts'
import type { FaultKind } from './fault-kind.ts'

export function nodeFaults(
  [first, second]: readonly [ChaosNode, ChaosNode],
  findings: Findings,
  longestMs: number,
): readonly FaultKind[] {
  const some = (random: Random, leastMs: number) =>
    sleep(random.integer(leastMs, Math.max(leastMs, longestMs)))
  const frozen = (node: ChaosNode): FaultKind => ({
    name: `${node.name}: freeze`,
    target: node.name,
    excuses: true,
    happen: async () => {
      node.signal('SIGSTOP')
      await sleep(1_500)
      node.signal('SIGCONT')
    },
  })
  const skewed = (node: ChaosNode): FaultKind => ({
    name: `${node.name}: clock set`,
    target: node.name,
    excuses: false,
    happen: async (random) => {
      node.signal('SIGUSR2')
      await some(random, 3_000)
      node.signal('SIGUSR2')
    },
  })
  return [
    frozen(first),
    skewed(first),
    skewed(second),
    {
      name: 'node-b: kill -9',
      target: second.name,
      excuses: true,
      happen: async () => {
        await second.end('SIGKILL')
        await second.start()
      },
    },
    {
      name: 'node-b: SIGTERM',
      target: second.name,
      excuses: true,
      happen: async () => {
        const code = await second.end('SIGTERM')
        if (code !== 0) findings.add('exit', `after SIGTERM: ${code}`)
        await second.start()
      },
    },
  ]
}
