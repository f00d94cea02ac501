import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import { planningTurn, spendPlanning } from './planning-turns.ts'

/** Waits until the planning time that earlier tests spent no longer counts. */
async function quiet(): Promise<void> {
  await planningTurn()
  await sleep(100)
}

/** Starts `count` plans at once, each reporting `ms` of planning, and records the order of events. */
async function order(count: number, ms: number): Promise<readonly string[]> {
  await quiet()
  const events: string[] = []
  let isOver = false
  const plans = Array.from({ length: count }, async (_, number) => {
    const turn = planningTurn()
    if (turn !== undefined) await turn
    events.push(`plan ${number}`)
    spendPlanning(ms)
  })
  const other = (async () => {
    while (!isOver) {
      await nextTurn()
      events.push('other')
    }
  })()
  await Promise.all(plans)
  isOver = true
  await other
  return events
}

test('between two long plans other requests are seen to', async () => {
  const events = await order(3, 20)
  const places = [0, 1, 2].map((number) => events.indexOf(`plan ${number}`))
  expect(places[0]).toBe(0)
  for (const [i, place] of places.entries()) {
    if (i > 0) expect(events.slice(places[i - 1], place)).toContain('other')
  }
})

test('short plans are made in one go', async () => {
  expect((await order(4, 0.01)).slice(0, 4)).toEqual(['plan 0', 'plan 1', 'plan 2', 'plan 3'])
})

test('who has gone away by then gets no plan', async () => {
  await quiet()
  spendPlanning(20)
  const waits = planningTurn(AbortSignal.abort())
  await expect(waits).rejects.toThrow(GatewayError)
  await expect(waits).rejects.toMatchObject({ sqlState: '57014' })
})

test('the turn of the next one comes although the one before it was abandoned', async () => {
  await quiet()
  spendPlanning(20)
  const abandoned = planningTurn(AbortSignal.abort())
  const next = planningTurn()
  await expect(abandoned).rejects.toThrow(GatewayError)
  await expect(next).resolves.toBeUndefined()
})
