import { afterEach, expect, test, vi } from 'vitest'
import { browserStorage } from './browser-storage.ts'

/** A storage with a maximum number of characters. */
function createArea(most = Number.POSITIVE_INFINITY): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    clear: () => kept.clear(),
    getItem: (key) => kept.get(key) ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => {
      if (value.length > most) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, value)
    },
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a page keeps it in its localStorage, a server in none that it may have', async () => {
  const area = createArea()
  vi.stubGlobal('localStorage', area)
  await browserStorage().write('of the server')
  expect(area).toHaveLength(0)
  vi.stubGlobal('document', {})
  await browserStorage().write('of the page')
  expect(browserStorage().read()).toBe('of the page')
  expect(area).toHaveLength(1)
})

test('what is written is found by the next page, under its key', async () => {
  const area = createArea()
  await browserStorage({ area }).write('kept')
  expect(browserStorage({ area }).read()).toBe('kept')
  expect(browserStorage({ area, key: 'other' }).read()).toBeUndefined()
  expect(area.getItem('engine.session')).toBe('kept')
})

test('nothing stays of what is no longer kept', async () => {
  const area = createArea()
  const storage = browserStorage({ area })
  await storage.write('kept')
  await storage.write(undefined)
  expect(storage.read()).toBeUndefined()
  expect(area).toHaveLength(0)
})

test('what does not fit is kept in memory, in the place of what was there', async () => {
  const area = createArea(5)
  const storage = browserStorage({ area })
  await storage.write('small')
  await storage.write('much larger')
  expect(storage.read()).toBe('much larger')
  await storage.write('again')
  expect(storage.read()).toBe('again')
  expect(area.getItem('engine.session')).toBe('again')
})

test('where there is no storage it is memory, and listening does no harm', async () => {
  const storage = browserStorage()
  await storage.write('kept')
  expect(storage.read()).toBe('kept')
  expect(browserStorage().read()).toBeUndefined()
  expect(storage.subscribe?.(() => expect.unreachable())).toBeTypeOf('function')
})
