/** @module How soon a server answers liveness checks while clients send the statements that take longest to plan. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '../load/measured-server.ts'
import { tokenOf } from '../token.ts'

const load = { connections: 9, seconds: 20, askEveryMs: 10 } as const

/** Prints the time of `GET /health/live` meanwhile. */
export async function measureAlive(url: string): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const headers = {
    authorization: `Bearer ${await tokenOf(secret)}`,
    'content-type': 'application/json',
  }
  const setup = {
    config: {
      connections: { main: { url, schema: 'bench' } },
      auth: { secret },
      permissions: [{ table: 'main.orders', roles: ['customer'], select: {} }],
    },
  }
  const server = await startServer('./engine-server.ts', [JSON.stringify(setup)])
  const endsAtMs = performance.now() + load.seconds * 1_000
  const isOver = () => performance.now() > endsAtMs
  const answers = new Map<number, number>()
  const client = async (first: number): Promise<void> => {
    for (let number = first; !isOver(); number += load.connections) {
      const body = JSON.stringify({ sql: statement(number), params: [], method: 'all' })
      const response = await fetch(`${server.url}/data`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
    }
  }
  const waits: number[] = []
  const ask = async (): Promise<void> => {
    while (!isOver()) {
      const begunMs = performance.now()
      const response = await fetch(`${server.url}/health/live`)
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`/health/live answered ${response.status}`)
      waits.push(performance.now() - begunMs)
      await sleep(load.askEveryMs)
    }
  }
  try {
    await Promise.all([
      ask(),
      ...Array.from({ length: load.connections }, (_, number) => client(number)),
    ])
  } finally {
    await server.stop()
  }
  waits.sort((left, right) => left - right)
  const at = (share: number) => (waits[Math.floor((waits.length - 1) * share)] ?? 0).toFixed(1)
  const counted = [...answers].map(([status, count]) => `${status}: ${count}`).join(', ')
  console.log(
    `\n/health/live while ${load.connections} clients send the worst statements (${counted}):
  half within ${at(0.5)} ms, 99 % within ${at(0.99)} ms, the slowest of ${waits.length} after ${at(1)} ms`,
  )
}

const times = (count: number, part: (i: number) => string, separator = ', ') =>
  Array.from({ length: count }, (_, i) => part(i)).join(separator)

/** All statements are different: a cached plan is not made again. */
export function statement(number: number): string {
  const shapes: readonly (() => string)[] = [
    () =>
      `select ${times(100, (i) => `id > all (select id + ${i} from main.orders)`)}, ${number} from main.orders where false`,
    () =>
      `select count(*), ${number} from main.orders where false group by cube (${times(10, (i) => `id + ${i}`)})`,
    () => `select ${number} ${'union all select 1 '.repeat(99)}`,
    () => `select ${nested((inner) => `nullif(coalesce(${inner}, 1), ${number})`)}`,
    () => `select ${nested((inner) => `(${inner} between 1 and ${number})::int`)}`,
    () => `select ${times(100, (i) => `${nested((inner) => `(${inner} + ${i})`)}`)}, ${number}`,
  ]
  return (shapes[number % shapes.length] as () => string)()
}

function nested(wrap: (inner: string) => string): string {
  let expression = '1'
  for (let level = 0; level < 30; level += 1) expression = wrap(expression)
  return expression
}
