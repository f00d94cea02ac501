import { resolve } from 'node:path'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { stopSignal } from '../command-line/stop-signal.ts'
import { withEngine } from '../command-line/with-engine.ts'
import { formatResults } from '../permission-tests/format-results.ts'
import { runTests } from '../permission-tests/run-tests.ts'
import { readTestFile } from '../permission-tests/test-file.ts'

const args: ArgsDef = {
  file: {
    type: 'positional',
    required: false,
    description: 'file of tests (.json, .ts or .js)',
  },
  config: { type: 'string', description: 'configuration file; else the one that the file names' },
  json: { type: 'boolean', description: 'print JSON' },
}

export const permissionsTest: CommandDef = defineCommand({
  meta: {
    name: 'test',
    description: 'Run tests of permissions, rolling back what they write; exit 1 when one fails',
  },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 1)
      const [file] = options.positionals
      if (file === undefined) throw wrongArgument('Say which file of tests (see --help)')
      const { config, tests } = await readTestFile(resolve(process.cwd(), file))
      const results = await withEngine(options.text('config') ?? config, (engine) =>
        runTests(tests, engine, { signal: stopSignal() }),
      )
      const isGood = results.every(({ problems }) => problems.length === 0)
      process.stdout.write(
        options.flag('json')
          ? `${JSON.stringify({ tests: results }, null, 2)}\n`
          : formatResults(results),
      )
      process.exitCode = isGood ? 0 : 1
    }),
})
