/** Time of one call, in microseconds. */
export interface Measurement {
  /** The fastest tenth of the rounds took at most this long: the cost while the machine runs no other work. */
  readonly quietUs: number
  /** Median of the rounds. */
  readonly medianUs: number
}

export interface MeasureOptions {
  /** Calls in a round; a round should be short. */
  readonly calls: number
  readonly rounds: number
}

/** Measures `work`, called repeatedly; the first third of the rounds is a warm-up. */
export async function measure(
  work: () => Promise<unknown>,
  { calls, rounds }: MeasureOptions,
): Promise<Measurement> {
  const times: number[] = []
  for (let round = -rounds / 2; round < rounds; round++) {
    const start = performance.now()
    for (let call = 0; call < calls; call++) await work()
    if (round >= 0) times.push(((performance.now() - start) / calls) * 1_000)
  }
  times.sort((left, right) => left - right)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  return { quietUs: at(0.1), medianUs: at(0.5) }
}

/** `cached point select   12.3 µs  (median 14.0)`, and whether the goal is met. */
export function reportLine(
  name: string,
  { quietUs, medianUs }: Measurement,
  goalUs: number,
): string {
  return `${titled(name, quietUs)}  (median ${medianUs.toFixed(1)})${verdict(quietUs, goalUs)}`
}

/** Ratio of the costs of two functions. */
export function reportDifference(
  name: string,
  { quietUs: ours }: Measurement,
  { quietUs: floor }: Measurement,
  goalUs: number,
): string {
  const parts = `${ours.toFixed(1)} less ${floor.toFixed(1)}`
  return `${titled(name, ours - floor)}  (${parts})${verdict(ours - floor, goalUs)}`
}

function titled(name: string, us: number): string {
  return `  ${name.padEnd(70)} ${us.toFixed(1).padStart(7)} µs`
}

function verdict(us: number, goalUs: number): string {
  return `  goal ${goalUs} µs ${us <= goalUs ? 'met' : 'MISSED'}`
}
