// @ts-check
/**
 * @module `pnpm mutation packages/core/src/compiler/permissions [part of a path]`: Stryker changes the sources of a folder one
 * place at a time, in a copy of the repository, and runs the tests of the folder that reach the place. What no test notices is
 * printed: it is not tested, or not needed.
 */
import process from 'node:process'
import { Stryker } from '@stryker-mutator/core'

const [folder = 'packages/core/src/compiler/permissions', part = ''] = process.argv.slice(2)
process.env['MUTATED_FOLDER'] = folder

await new Stryker({
  mutate: [`${folder}/**/*${part}*.ts`, '!**/*.test.ts', '!**/test-support/**'],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tooling/mutation.vitest.mjs' },
  // Its rewriting of a tsconfig needs functions that TypeScript 7 does not have: there is no such file.
  tsconfigFile: 'none',
  tempDirName: '.stryker-tmp',
  coverageAnalysis: 'perTest',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { reportTests: false, logTests: false },
  // Tests take milliseconds; what makes a loop endless takes longer than this.
  timeoutMS: 30_000,
}).runMutationTest()
