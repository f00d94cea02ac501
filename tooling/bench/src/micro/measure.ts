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
export function reportLine(name: string, measured: Measurement, goalUs: number): string {
  const { medianUs, rangeUs } = measured
  const range = `${rangeUs[0].toFixed(1)} to ${rangeUs[1].toFixed(1)}`
  return `${titled(name, medianUs)} (${range})${verdict(medianUs, goalUs)}`
}

/** How much dearer one thing is than another. */
export function reportDifference(
  name: string,
  { medianUs: ours }: Measurement,
  { medianUs: floor }: Measurement,
  goalUs: number,
): string {
  const parts = `${ours.toFixed(1)} less ${floor.toFixed(1)}`
  return `${titled(name, ours - floor)} (${parts})${verdict(ours - floor, goalUs)}`
}

function titled(name: string, us: number): string {
  return `  ${name.padEnd(70)} ${us.toFixed(1).padStart(7)} µs`
}

function verdict(us: number, goalUs: number): string {
  return `  goal ${goalUs} µs ${us <= goalUs ? 'met' : 'MISSED'}`
}
