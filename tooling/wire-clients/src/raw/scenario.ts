import type { Need } from '../wire-check.ts'

/** Messages of a client, and the expected answers of a server. */
export interface Scenario {
  readonly name: string
  readonly messages: readonly Uint8Array[]
  /** One text for each time the server is ready: its messages, separated by ` ; `. */
  readonly answers: readonly string[]
  readonly needs: Need | undefined
}

export function scenario(
  name: string,
  messages: readonly Uint8Array[],
  answers: readonly string[],
  needs?: Need,
): Scenario {
  return { name, messages, answers, needs }
}
