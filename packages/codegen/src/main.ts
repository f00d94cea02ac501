#!/usr/bin/env node
/** @module The program `engine-codegen`. */
import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { type ArgsDef, type CommandDef, defineCommand, renderUsage, runMain } from 'citty'
import { argumentDefinitions } from './command/arguments.ts'
import { run } from './command/run.ts'
import { version } from './version.ts'

const main = defineCommand({
  meta: {
    name: 'engine-codegen',
    version,
    description: 'Write TypeScript from the schema of a running engine',
  },
  args: argumentDefinitions,
  run: async ({ rawArgs }) => {
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
    process.exitCode = await run(rawArgs, {
      // biome-ignore lint/style/noProcessEnv: the program reads its environment only here
      token: process.env['ENGINE_SCHEMA_TOKEN'] || undefined,
      fetch,
      print: (text) => void process.stdout.write(text),
      say: (line) => void process.stderr.write(`${line}\n`),
      sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
      signal: stop.signal,
    })
  },
})

/** Prints the help: with colours at a terminal alone. */
async function showUsage<Args extends ArgsDef>(command: CommandDef<Args>): Promise<void> {
  const text = await renderUsage(command)
  const isTerminal = process.stdout.isTTY === true
  process.stdout.write(`${isTerminal ? text : stripVTControlCharacters(text)}\n`)
}

await runMain(main, { showUsage })
