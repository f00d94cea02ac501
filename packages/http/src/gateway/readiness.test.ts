import { expect, test } from 'vitest'
import { createReadiness } from './readiness.ts'

function sources(connections: Readonly<Record<string, boolean>>, isServiceAway = false) {
  const asked: number[] = []
  return {
    asked,
    engine: {
      health: async () => {
        asked.push(1)
        return new Map(Object.entries(connections))
      },
      pgWireLoad: () => undefined,
    },
    store: {
      ping: async () => {
        if (isServiceAway) throw new Error('away')
      },
    },
  }
}

test('everything has to answer, the service database too', async () => {
  const ready = async (...given: Parameters<typeof sources>) =>
    createReadiness({ ...sources(...given), isServing: () => true })()
  expect(await ready({ main: true })).toEqual({
    isReady: true,
    databases: { main: true, service_db: true },
  })
  expect(await ready({ main: true, other: false })).toMatchObject({ isReady: false })
  expect(await ready({ main: true }, true)).toEqual({
    isReady: false,
    databases: { main: true, service_db: false },
  })
})

test('databases are asked once for many questions; that the process stops is known at once', async () => {
  const { asked, ...rest } = sources({ main: true })
  let isServing = true
  const readiness = createReadiness({ ...rest, isServing: () => isServing })
  const all = await Promise.all(Array.from({ length: 50 }, readiness))
  expect(all.every(({ isReady }) => isReady)).toBe(true)
  isServing = false
  expect(await readiness()).toMatchObject({ isReady: false, databases: { main: true } })
  expect(asked).toHaveLength(1)
})
