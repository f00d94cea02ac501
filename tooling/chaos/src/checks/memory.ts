/** @module The memory of the nodes, over time. */
import type { Findings } from '../judge/findings.ts'
import type { ChaosNode } from '../nodes/node.ts'
import { residentBytes } from '../world/resident-bytes.ts'

export interface MemoryWatch {
  /** Megabytes that a node used, second by second. */
  readonly curveOf: (node: ChaosNode) => readonly number[]
  stop(): void
}

const sampleMs = 1_000

/** Interval of the garbage collections that the first node is asked to run. */
const collectMs = 15_000

/** The first node must never be stopped. */
export function watchMemory(nodes: readonly [ChaosNode, ...ChaosNode[]]): MemoryWatch {
  const curves = new Map<ChaosNode, number[]>(nodes.map((node) => [node, []]))
  const sampling = setInterval(() => {
    for (const [node, curve] of curves) {
      const pid = node.pid()
      const bytes = pid === undefined ? undefined : residentBytes(pid)
      if (bytes !== undefined) curve.push(megabytes(bytes))
    }
  }, sampleMs)
  const collecting = setInterval(() => nodes[0].signal('SIGHUP'), collectMs)
  return {
    curveOf: (node) => curves.get(node) ?? [],
    stop: () => {
      clearInterval(sampling)
      clearInterval(collecting)
    },
  }
}

/** Maximum memory of a node after its start; it may use more while it compiles its sources. */
const mostMegabytes = 700

const startSamples = 15

/** Maximum growth of the heap after a collection, from the second quarter of a run to the last. */
const growthMegabytes = 12

/** With fewer collections a node is still warming up: it caches plans, statements and verified tokens. */
const leastCollections = 16

/** @param curve of a node that ran all the time; `heaps`: bytes after each collection. */
export function checkMemory(
  { name, heaps }: Pick<ChaosNode, 'name' | 'heaps'>,
  curve: readonly number[],
  findings: Findings,
): void {
  const most = Math.max(0, ...curve.slice(startSamples))
  if (most > mostMegabytes) findings.add('memory', `${name} held ${most} MB`)
  if (heaps.length < leastCollections) return
  const quarter = Math.floor(heaps.length / 4)
  const before = megabytes(median(heaps.slice(quarter, 2 * quarter)))
  const after = megabytes(median(heaps.slice(3 * quarter)))
  if (after - before > growthMegabytes) {
    findings.add('memory', `${name} keeps ${after} MB after a collection, and kept ${before}`)
  }
}

/** Rounds bytes to megabytes. */
export function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}

/** The median of some numbers; 0 without numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
