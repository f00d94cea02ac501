/** @module Questions to a person at a terminal. */
import type { Readable, Writable } from 'node:stream'
import { wrongArgument } from '../command-line/outcome.ts'

export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

export interface Ask {
  begin(title: string): void
  /** @param check gives a message for an answer that will not do. */
  text(question: string, options: TextOptions): Promise<string>
  choose(question: string, choices: readonly Choice[]): Promise<string>
  confirm(question: string, isUsual: boolean): Promise<boolean>
  note(text: string, title: string): void
  /** Shown while `work` runs. */
  during<T>(label: string, work: Promise<T>): Promise<T>
  end(text: string): void
}

export interface TextOptions {
  readonly example: string
  readonly usual?: string | undefined
}

/** The terminal; tests give streams of their own. */
export interface Terminal {
  readonly input?: Readable
  readonly output?: Writable
}

/** @throws {GatewayError} from every question that is cancelled. */
export async function createAsk(terminal: Terminal = {}): Promise<Ask> {
  const prompts = await import('@clack/prompts')
  const given = <T>(answer: T): Exclude<T, symbol> => {
    if (typeof answer !== 'symbol') return answer as Exclude<T, symbol>
    throw wrongArgument('Stopped: nothing was written.')
  }
  return {
    begin: (title) => prompts.intro(title, terminal),
    text: async (message, { example, usual }) =>
      given(
        await prompts.text({
          message,
          placeholder: usual ?? example,
          ...(usual === undefined ? {} : { defaultValue: usual }),
          validate: (answer) =>
            usual === undefined && (answer ?? '').trim() === ''
              ? 'An answer is needed.'
              : undefined,
          ...terminal,
        }),
      ),
    choose: async (message, choices) =>
      given(await prompts.select<string>({ message, options: [...choices], ...terminal })),
    confirm: async (message, initialValue) =>
      given(await prompts.confirm({ message, initialValue, ...terminal })),
    note: (text, title) => prompts.note(text, title, terminal),
    during: async (label, work) => {
      const spinner = prompts.spinner(terminal)
      spinner.start(label)
      try {
        const result = await work
        spinner.stop(label)
        return result
      } catch (error) {
        spinner.stop(`${label}: failed`)
        throw error
      }
    },
    end: (text) => prompts.outro(text, terminal),
  }
}
