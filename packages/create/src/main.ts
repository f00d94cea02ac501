#!/usr/bin/env node
/** @module The program of `npm create @engine`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, relative, resolve } from 'node:path'
import { isCancel, text } from '@clack/prompts'
import { createFolder } from './create-folder.ts'
import { packageManager } from './package-manager.ts'
import { help, readWords } from './read-words.ts'

const usual = 'engine-server'
// biome-ignore lint/style/noProcessEnv: the program reads its environment only here
const manager = packageManager(process.env['npm_config_user_agent'])

try {
  process.exitCode = await main()
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}

async function main(): Promise<number> {
  const { folder: named, installs, isHelp, rest } = readWords(process.argv.slice(2))
  if (isHelp) {
    process.stdout.write(help)
    return 0
  }
  const folder = named ?? (await askFolder(rest))
  if (folder === undefined) return 2
  const { path, files } = createFolder(resolve(folder))
  const place = relative(process.cwd(), path) || '.'
  say(`Written to ${place}: ${files.join(', ')}`)
  const init = `${manager.runs} engine-server init`
  if (!installs) {
    say(`\n  cd ${place}\n  ${manager.name} install\n  ${init}\n`)
    return 0
  }
  say(`Installing with ${manager.name}.`)
  const status = await run(manager.name, ['install'], path)
  if (status !== 0) {
    say(
      `\n${manager.name} install ended with ${status}. When it works:\n\n  cd ${place}\n  ${init}\n`,
    )
    return 1
  }
  const server = join(path, 'node_modules', '@engine', 'server', 'dist', 'main.js')
  return run(process.execPath, [server, 'init', path, ...rest], process.cwd())
}

/** @returns undefined when the question is cancelled. */
async function askFolder(words: readonly string[]): Promise<string | undefined> {
  if (!process.stdin.isTTY || words.includes('--yes')) return usual
  const answer = await text({
    message: 'A new folder: what is it called?',
    placeholder: usual,
    defaultValue: usual,
  })
  return isCancel(answer) ? undefined : answer
}

/** @returns its exit code. */
async function run(program: string, words: readonly string[], cwd: string): Promise<number> {
  const isScript = process.platform === 'win32' && program !== process.execPath
  const child = spawn(program, words, { cwd, stdio: 'inherit', shell: isScript })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
