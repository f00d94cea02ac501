/** CPU time of one call, in microseconds: the clock on the wall would measure the neighbours as well. */
export interface Measurement {
  /** Median of the rounds. */
  readonly medianUs: number
  /** The cheapest and the dearest round. */
  readonly rangeUs: readonly [number, number]
}

export interface MeasureOptions {
  /** Calls a round. */
  readonly calls: number
  readonly rounds: number
}

/** Measures `work`, called again and again, after two rounds to warm up. */
export async function measure(
  work: () => Promise<unknown>,
  { calls, rounds }: MeasureOptions,
): Promise<Measurement> {
  const times: number[] = []
  for (let round = -2; round < rounds; round++) {
    const start = threadCpuUs()
    for (let call = 0; call < calls; call++) await work()
    if (round >= 0) times.push((threadCpuUs() - start) / calls)
  }
  times.sort((left, right) => left - right)
  return {
    medianUs: times[Math.floor(times.length / 2)] ?? Number.NaN,
    rangeUs: [times[0] ?? Number.NaN, times.at(-1) ?? Number.NaN],
  }
}

/** CPU time that this thread has used (this process, before Node 23.9). */
function threadCpuUs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return user + system
}

/** `cached point select   12.3 µs   (11.9 to 14.0)`, and whether the goal is met. */
export function reportLine(
  name: string,
  measured: Measurement,
  goalUs: number | undefined,
): string {
  const { medianUs, rangeUs } = measured
  const range = `${rangeUs[0].toFixed(1)} to ${rangeUs[1].toFixed(1)}`
  const goal =
    goalUs === undefined ? '' : `  goal ${goalUs} µs ${medianUs <= goalUs ? 'met' : 'MISSED'}`
  return `  ${name.padEnd(58)} ${medianUs.toFixed(1).padStart(8)} µs  (${range})${goal}`
}
