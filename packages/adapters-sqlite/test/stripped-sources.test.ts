import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const worker = fileURLToPath(new URL('../src/driver/workers/worker.ts', import.meta.url))

/** @see tooling/compile-cache.mjs: threads that use WebAssembly while others end can crash V8. */
test('threads of a test process find their sources stripped', () => {
  const words = ['--conditions=@engine/source', worker]
  const { stderr } = spawnSync(process.execPath, words, {
    env: { ...process.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    encoding: 'utf8',
  })
  expect(stderr).toContain('this file is the entry of a worker thread')
  const lookups = stderr.split('\n').filter((line) => / transpile cache for /.test(line))
  expect(lookups.length).toBeGreaterThan(30)
  expect(lookups.filter((line) => !line.endsWith('success'))).toEqual([])
})
