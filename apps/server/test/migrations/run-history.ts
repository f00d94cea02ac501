/** @module Applies migrations one by one while clients send probes, and records every wrong answer. */
import { answersByState, type History, type Probe, type ProbeAnswer } from './migration.ts'
import type { Outcome, ProbeClient } from './probe-clients.ts'

/** Rounds after which the new answers must be there. */
const mostRounds = 60

export interface HistoryRun {
  /** What was wrong; empty when all went well. */
  readonly faults: readonly string[]
  /** The number of answers that were compared. */
  readonly answers: number
}

export async function runHistory(
  { migrations, probes }: History,
  apply: (sql: string) => Promise<void>,
  clients: readonly ProbeClient[],
): Promise<HistoryRun> {
  const faults = new Set<string>()
  const expected = new Map(probes.map((probe) => [probe, answersByState(probe, migrations)]))
  let answers = 0
  let state = 0
  /** The state that the running migration leads to, or the current one. */
  let next = 0

  const check = (client: ProbeClient, probe: Probe, outcome: Outcome, from: number): boolean => {
    answers += 1
    const byState = expected.get(probe) ?? []
    const isNew = fits(outcome, byState[next])
    const allowed = byState.slice(from, next + 1)
    const isAgain = outcome.kind === 'again' && from < next
    if (!isNew && !isAgain && !allowed.some((answer) => fits(outcome, answer))) {
      const shown = outcome.kind === 'rows' ? JSON.stringify(outcome.rows) : outcome.reason
      const at = next === 0 ? 'start' : (migrations[next - 1]?.name ?? '')
      faults.add(`${at}: ${client.name}: ${probe.name}: ${shown}`)
    }
    return isNew
  }

  /** @returns whether every answer was that of the newest state. */
  const round = async (
    client: ProbeClient,
    from: () => number,
    sent: readonly Probe[] = probes,
  ): Promise<boolean> => {
    let isSettled = true
    for (const probe of sent) {
      if (!client.callers.includes(probe.caller ?? 'admin')) continue
      const outcome = await client.send(probe)
      if (!check(client, probe, outcome, from())) isSettled = false
    }
    return isSettled
  }

  /** Those that the running migration gives another answer. */
  const changed = (): readonly Probe[] =>
    probes.filter((probe) => {
      const byState = expected.get(probe) ?? []
      return JSON.stringify(byState[next]) !== JSON.stringify(byState[next - 1])
    })

  /** Sends rounds until the migration is over and its answers are there; from then on an earlier answer is a fault. */
  const follow = async (client: ProbeClient, isApplied: () => boolean): Promise<void> => {
    const before = () => Math.max(0, next - 1)
    for (let rounds = 0; rounds < mostRounds; rounds += 1) {
      const wasApplied = isApplied()
      const isSettled = await round(client, before)
      if (wasApplied && isSettled) {
        await round(client, () => next, changed())
        return
      }
      if (wasApplied) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    faults.add(`${migrations[next - 1]?.name ?? 'start'}: ${client.name}: never settles`)
  }

  await Promise.all(clients.map((client) => follow(client, () => true)))
  for (const { sql } of migrations) {
    next = state + 1
    let isOver = false
    const following = clients.map((client) => follow(client, () => isOver))
    await apply(sql).finally(() => {
      isOver = true
    })
    await Promise.all(following)
    state = next
  }
  return { faults: [...faults], answers }
}

function fits(outcome: Outcome, answer: ProbeAnswer | undefined): boolean {
  if (answer === 'refused') return outcome.kind === 'refused'
  return outcome.kind === 'rows' && JSON.stringify(outcome.rows) === JSON.stringify(answer)
}
