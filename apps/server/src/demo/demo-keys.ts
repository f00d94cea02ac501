/** @module Keys for the person in front of the demo: o opens its pages, r resets it, q quits. */
import { spawn } from 'node:child_process'
import type { TextOutput } from '../terminal/terminal.ts'

/** What the keys do. */
export interface DemoActions {
  /** A new address that opens the pages signed in; undefined where they are not built. */
  createLink(): string | undefined
  /** Makes data and rules what they were. Rejects with what keeps it from that. */
  reset(): Promise<void>
  quit(): void
}

/** The part of standard input that is needed. */
export interface KeyInput extends Pick<NodeJS.ReadStream, 'on' | 'resume' | 'unref'> {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
}

/** Both sides are a terminal: a person can press keys and read what they do. */
export function hasKeys(input: KeyInput, output: TextOutput): boolean {
  return input.isTTY === true && output.isTTY === true && input.setRawMode !== undefined
}

/**
 * Reads keys until the process ends.
 *
 * @param open opens an address in the browser; rejects where there is none.
 */
export function readKeys(
  input: KeyInput,
  output: TextOutput,
  actions: DemoActions,
  open: (address: string) => Promise<void> = openInBrowser,
): void {
  const say = (text: string) => void output.write(`  ${text}\n`)
  let isResetting = false
  const press: Readonly<Record<string, () => Promise<void> | void>> = {
    o: async () => {
      const link = actions.createLink()
      if (link === undefined)
        return say('The pages are not built: pnpm --filter @engine/admin build')
      await open(link).catch(() => say(link))
    },
    r: async () => {
      if (isResetting) return
      isResetting = true
      try {
        await actions.reset()
        say('The data and the rules are as they were at the start.')
      } catch (error) {
        say(`The demo is not reset: ${error instanceof Error ? error.message : String(error)}`)
      } finally {
        isResetting = false
      }
    },
    q: () => actions.quit(),
    // A terminal in raw mode sends Ctrl-C as a character.
    '\u0003': () => actions.quit(),
  }
  input.setRawMode?.(true)
  input.on('data', (keys: Buffer) => {
    for (const key of keys.toString('latin1')) void press[key.toLowerCase()]?.()
  })
  input.resume()
  input.unref()
}

/** By platform: the program that opens an address. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** @throws {Error} where no program could be started. */
function openInBrowser(address: string): Promise<void> {
  const [program, ...options] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...options, address], { detached: true, stdio: 'ignore' })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
