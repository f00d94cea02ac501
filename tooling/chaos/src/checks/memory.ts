/** @module The memory of the nodes, over time. */
import type { Findings } from '../judge/findings.ts'
import type { ChaosNode } from '../nodes/node.ts'
import { residentBytes } from '../world/resident-bytes.ts'

export interface MemoryWatch {
  /** Megabytes of a node, sample by sample. */
  readonly curveOf: (node: ChaosNode) => readonly number[]
  stop(): void
}

const sampleMs = 1_000

export function watchMemory(nodes: readonly ChaosNode[]): MemoryWatch {
  const curves = new Map<ChaosNode, number[]>(nodes.map((node) => [node, []]))
  const timer = setInterval(() => {
    for (const [node, curve] of curves) {
      const pid = node.pid()
      const bytes = pid === undefined ? undefined : residentBytes(pid)
      if (bytes !== undefined) curve.push(Math.round(bytes / 2 ** 20))
    }
  }, sampleMs)
  return { curveOf: (node) => curves.get(node) ?? [], stop: () => clearInterval(timer) }
}

/** No node holds more once it has started; while it compiles its sources it may. */
const mostMegabytes = 700

const startSamples = 15

/** The last third may have so much more than the middle one: caches that fill, not leaks that go on. */
const growthMegabytes = 48

/** With fewer samples a node is still warming up. */
const leastSamples = 240

/** @param curve of a node that ran all the time. */
export function checkMemory(name: string, curve: readonly number[], findings: Findings): void {
  const most = Math.max(0, ...curve.slice(startSamples))
  if (most > mostMegabytes) findings.add('memory', `${name} held ${most} MB`)
  if (curve.length < leastSamples) return
  const third = Math.floor(curve.length / 3)
  const middle = median(curve.slice(third, 2 * third))
  const last = median(curve.slice(2 * third))
  if (last - middle > growthMegabytes) {
    findings.add('memory', `${name} grew from ${middle} to ${last} MB`)
  }
}

/** The middle one of some numbers; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
