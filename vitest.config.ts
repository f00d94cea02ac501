import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { compileCache } from './tooling/compile-cache.mjs'
import { LongestFirst } from './tooling/longest-first.mjs'

/** Tests read the packages' sources. The servers that they start are bundled from the same sources before. */
const conditions = ['@engine/source', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Half of the time a test waits: for a timer, a disk, a browser, a server that starts. With one file more than cores the
    // cores are busy. With two more, tests that are bound to the clock fail now and then.
    maxWorkers: availableParallelism() + 1,
    // What an engine without a log of its own writes by default; tests of that spy on the console.
    onConsoleLog: (text) => !/^engine (warning|error): /.test(text),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{packages,apps,tooling}/*/src/**/*.test.ts'],
          // What is pure keeps nothing that the next file could see; to load every module again takes most of the time.
          isolate: false,
          restoreMocks: true,
          unstubGlobals: true,
          // Properties take milliseconds on a quiet machine and seconds on a busy one.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'databases',
          include: ['{packages,apps,tooling}/*/test/**/*.test.ts'],
          // Threads of test processes strip no types: see there.
          env: { NODE_COMPILE_CACHE: compileCache },
          globalSetup: [
            'tooling/compile-cache.mjs',
            'tooling/bundle-for-tests.mjs',
            'tooling/test-databases/src/global-setup.ts',
            'tooling/test-browser/src/global-setup.ts',
            'tooling/wire-clients/src/global-setup.ts',
          ],
          // Something that happens soon on a quiet machine happens later on a busy one.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
