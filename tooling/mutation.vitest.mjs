// @ts-check
/** @module Vitest for mutation.mjs: the tests of one folder, whose files share nothing, so that a mutant is switched for each. */
import process from 'node:process'
import { defineConfig } from 'vitest/config'

const conditions = ['@engine/source', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [`${process.env['MUTATED_FOLDER']}/**/*.test.ts`],
    restoreMocks: true,
    unstubGlobals: true,
  },
})
