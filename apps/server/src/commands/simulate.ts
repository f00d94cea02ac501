import { type CommandDef, defineCommand } from 'citty'
import { orExit } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import {
  readCaller,
  readStatement,
  statementArguments,
} from '../command-line/statement-arguments.ts'
import { stopSignal } from '../command-line/stop-signal.ts'
import { withEngine } from '../command-line/with-engine.ts'
import { formatSimulation, simulationJson } from '../format/format-simulation.ts'

export const simulate: CommandDef = defineCommand({
  meta: {
    name: 'simulate',
    description: 'Run a statement in a transaction that is rolled back; exit 1 when it is refused',
  },
  args: statementArguments,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, statementArguments, 1)
      const statement = await readStatement(options)
      const simulation = await withEngine(options.text('config'), async (engine) => {
        const caller = await readCaller(options, engine)
        return engine.simulate({ ...statement, caller }, { signal: stopSignal() })
      })
      const text = options.flag('json')
        ? `${simulationJson(simulation)}\n`
        : formatSimulation(simulation)
      process.stdout.write(text)
      process.exitCode = simulation.outcome === 'answered' ? 0 : 1
    }),
})
