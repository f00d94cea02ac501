import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import {
  readCaller,
  readStatement,
  statementArguments,
} from '../command-line/statement-arguments.ts'
import { withEngine } from '../command-line/with-engine.ts'
import { formatExplanation } from '../format/format-explanation.ts'

const args: ArgsDef = {
  ...statementArguments,
  plan: { type: 'boolean', description: "add the database's own plan, which tells of hidden rows" },
  redact: { type: 'boolean', description: "leave out the caller's and the statement's values" },
}

export const explain: CommandDef = defineCommand({
  meta: {
    name: 'explain',
    description: 'Say why a statement answers what it answers, without running it',
  },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 1)
      const statement = await readStatement(options)
      const explanation = await withEngine(options.text('config'), async (engine) => {
        const caller = await readCaller(options, engine)
        return engine.explain(statement, caller, {
          redactValues: options.flag('redact'),
          databasePlan: options.flag('plan'),
        })
      })
      const text = options.flag('json')
        ? `${JSON.stringify(explanation, null, 2)}\n`
        : formatExplanation(explanation)
      process.stdout.write(text)
    }),
})
