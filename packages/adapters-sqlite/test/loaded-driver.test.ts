import { expect, test } from 'vitest'
import { sqliteAdapter } from '../src/index.ts'

/** Native code that this process has loaded. */
function hasDriver(): boolean {
  const report = process.report.getReport() as unknown as {
    readonly sharedObjects: readonly string[]
  }
  return report.sharedObjects.some((path) => /better-sqlite3.*\.node$/.test(path))
}

test('the driver stays loaded when the threads that use it end', async () => {
  expect(hasDriver()).toBe(false)
  const adapter = sqliteAdapter({ url: ':memory:' })
  await adapter.ping(AbortSignal.timeout(20_000))
  await adapter.close()
  expect(hasDriver()).toBe(true)
})
