/** @module `engine-server config pull`, `diff` and `push`: the stored configuration as a file, to be kept in git. */
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { ShownChange } from '@engine/contract/admin-api'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { type AdminAnswer, adminOfServer, type CallAdmin } from '../command-line/admin-http.ts'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { type Options, readOptions } from '../command-line/read-options.ts'
import { loadConfig } from '../configuration/load-config.ts'
import { formatChanges } from '../format/format-changes.ts'

const serverArgs: ArgsDef = {
  file: {
    type: 'positional',
    required: false,
    description: 'JSON file of the stored configuration; engine.stored.json by default',
  },
  config: { type: 'string', description: 'configuration file of the server (.ts, .js or .json)' },
  url: { type: 'string', description: 'address of a running server' },
}

const pushArgs: ArgsDef = {
  ...serverArgs,
  yes: { type: 'boolean', description: 'do not ask' },
  note: { type: 'string', description: 'why; part of the revision' },
  author: {
    type: 'string',
    description: 'who; part of the revision; the user of the operating system by default',
  },
}

export const configPull: CommandDef = defineCommand({
  meta: {
    name: 'pull',
    description: 'Write the stored configuration to a file, without its secrets',
  },
  args: serverArgs,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, serverArgs, 1)
      const call = await adminOfServer(options)
      const { body } = succeeded(await call('GET', '/config/export'))
      await writeFile(fileOf(options), `${JSON.stringify(body, null, 2)}\n`)
    }),
})

export const configDiff: CommandDef = defineCommand({
  meta: {
    name: 'diff',
    description: 'Show what a push would change; exits with 1 if anything',
  },
  args: serverArgs,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, serverArgs, 1)
      const document = await loadConfig(fileOf(options), process.env)
      const { changes } = await planOf(await adminOfServer(options), document)
      process.stdout.write(formatChanges(changes))
      if (changes.length > 0) process.exitCode = 1
    }),
})

export const configPush: CommandDef = defineCommand({
  meta: { name: 'push', description: 'Make a file the stored configuration of running servers' },
  args: pushArgs,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, pushArgs, 1)
      const document = await loadConfig(fileOf(options), process.env)
      const call = await adminOfServer(options)
      const { revision, changes } = await planOf(call, document)
      process.stdout.write(formatChanges(changes))
      if (changes.length === 0) {
        process.stdout.write('nothing to change\n')
        return
      }
      if (!options.flag('yes') && !(await isConfirmed(changes.length))) {
        process.stdout.write('nothing was changed\n')
        process.exitCode = 1
        return
      }
      const note = options.text('note')
      const query = new URLSearchParams({
        via: 'cli',
        author: options.text('author') ?? userName(),
        ...(note === undefined ? {} : { note }),
      })
      const headers = { 'If-Match': `"${revision}"` }
      const answer = await call('POST', `/config/import?${query}`, { body: document, headers })
      const { revision: written } = succeeded(answer).body as Plan
      process.stdout.write(`revision ${written}\n`)
    }),
})

/** A user without an entry in the list of users has no name: containers have such users. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

function fileOf({ positionals: [path = 'engine.stored.json'] }: Options): string {
  const file = resolve(process.cwd(), path)
  if (file.endsWith('.json')) return file
  throw wrongArgument(`${path}: the stored configuration is a JSON file`)
}

interface Plan {
  readonly revision: number
  readonly changes: readonly ShownChange[]
}

async function planOf(call: CallAdmin, body: unknown): Promise<Plan> {
  const headers = { 'If-Match': '*' }
  const answer = await call('POST', '/config/import?dryRun=true', { body, headers })
  return succeeded(answer).body as Plan
}

/** @throws {Error} with the message of the server, and each fault on a line of its own. */
function succeeded(answer: AdminAnswer): AdminAnswer {
  if (answer.status < 300) return answer
  const { message } = answer.body as { readonly message?: unknown }
  throw wrongArgument(`The server answers ${answer.status}: ${message}`)
}

/** @throws {GatewayError} `invalidConfiguration` where no terminal can be asked. */
async function isConfirmed(changes: number): Promise<boolean> {
  if (!process.stdin.isTTY) throw wrongArgument('Say --yes where nobody can be asked')
  const questions = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await questions.question(
      `Apply ${changes} ${changes === 1 ? 'change' : 'changes'} to all nodes? [y/N] `,
    )
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    questions.close()
  }
}
