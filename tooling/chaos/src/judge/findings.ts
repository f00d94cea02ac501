/** A violation that was found. */
export interface Finding {
  readonly kind: string
  readonly what: string
  /** Seconds since the run began. */
  readonly atSeconds: number
}

export interface Findings {
  add(kind: string, what: string): void
  readonly all: readonly Finding[]
}

/** Maximum number of stored findings of one kind: the first ones are the most useful. */
const keptOfAKind = 20

export function createFindings(tell: (line: string) => void): Findings {
  const startMs = performance.now()
  const all: Finding[] = []
  return {
    all,
    add: (kind, what) => {
      if (all.filter((finding) => finding.kind === kind).length >= keptOfAKind) return
      const atSeconds = Math.round((performance.now() - startMs) / 100) / 10
      all.push({ kind, what, atSeconds })
      tell(`${atSeconds.toFixed(1)} s  FINDING ${kind}: ${what}`)
    },
  }
}
