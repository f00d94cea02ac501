/** @module Injects one fault after the other, sometimes two at once, in an order that depends on the seed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@engine/fixtures'
import type { Findings } from '../judge/findings.ts'
import type { Timeline } from '../judge/timeline.ts'
import type { FaultKind } from './fault-kind.ts'
import type { MeasureRecovery, Recovery } from './recovery.ts'

export interface InjectOptions {
  readonly kinds: readonly FaultKind[]
  readonly random: Random
  readonly timeline: Timeline
  readonly findings: Findings
  readonly measureRecovery: MeasureRecovery
  /** A request that begins this number of milliseconds after the end of a fault must succeed. */
  readonly recoveryMs: number
  /** Minimum milliseconds between a recovery and the next fault. */
  readonly settleMs: number
  readonly isOver: () => boolean
  readonly tell: (line: string) => void
}

/** @returns how long each fault lasted until the recovery. */
export async function injectFaults(options: InjectOptions): Promise<readonly Recovery[]> {
  const { kinds, random, isOver, settleMs } = options
  const recoveries: Recovery[] = []
  let left: readonly FaultKind[] = []
  const next = (except?: FaultKind): FaultKind => {
    if (left.length === 0) left = shuffled(kinds, random)
    const chosen = left.find(({ target }) => target !== except?.target) ?? left[0]
    if (chosen === undefined) throw new RangeError('there are no faults')
    left = left.filter((kind) => kind !== chosen)
    return chosen
  }
  await sleep(1_000)
  while (!isOver()) {
    const first = next()
    const together = random.chance(20) ? [first, next(first)] : [first]
    const results = await Promise.all(together.map((kind) => happen(kind, options)))
    recoveries.push(...results.flat())
    // Long enough to see that all requests succeed again.
    await sleep(settleMs + random.integer(200, 1_500))
  }
  return recoveries
}

async function happen(kind: FaultKind, options: InjectOptions): Promise<readonly Recovery[]> {
  const { random, timeline, findings, measureRecovery, recoveryMs, tell } = options
  if (!kind.excuses) {
    await kind.happen(random)
    tell(kind.name)
    return []
  }
  tell(`${kind.name} …`)
  const end = timeline.begin(kind.name, kind.target)
  await kind.happen(random)
  const fault = end()
  const recovery = await measureRecovery(fault)
  const lasted = Math.round(fault.endMs - fault.startMs)
  tell(`${kind.name}, ${lasted} ms; works again after ${Math.round(recovery.ms)} ms`)
  if (recovery.ms > recoveryMs) {
    findings.add('slow recovery', `${kind.name}: ${Math.round(recovery.ms)} ms`)
  }
  return [recovery]
}

function shuffled<Item>(items: readonly Item[], { integer }: Random): readonly Item[] {
  const mixed = [...items]
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const j = integer(0, i)
    const [one, other] = [mixed[i] as Item, mixed[j] as Item]
    mixed[i] = other
    mixed[j] = one
  }
  return mixed
}
