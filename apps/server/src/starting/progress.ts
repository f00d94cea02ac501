/** @module One line for each step of a start, so that a person sees what takes long. */
import type { Paint, TextOutput } from '../terminal/terminal.ts'

export interface Progress {
  /** A new step begins; the one before has ended. */
  step(text: string): void
  end(): void
}

/** A step that lasts writes again after each of these milliseconds. */
const restlessMs = 1_700

export const noProgress: Progress = { step: () => undefined, end: () => undefined }

/** @param clock milliseconds that only grow. */
export function createProgress(output: TextOutput, paint: Paint, clock: () => number): Progress {
  let timer: NodeJS.Timeout | undefined
  const end = () => clearInterval(timer)
  const line = (text: string) => void output.write(`${paint('dim', `  ${text}`)}\n`)
  return {
    step: (text) => {
      end()
      line(text)
      const startMs = clock()
      timer = setInterval(() => {
        line(`… ${Math.round((clock() - startMs) / 1_000)} s`)
      }, restlessMs).unref()
    },
    end,
  }
}
