/** @module A stream that a person may be reading. */
import { styleText } from 'node:util'

/** The part of standard error and standard output that is needed here. */
export interface TextOutput extends Pick<NodeJS.WritableStream, 'write'> {
  readonly isTTY?: boolean
}

export type Style = 'bold' | 'dim' | 'cyan' | 'green' | 'yellow' | 'red'

/** Colours a text. */
export type Paint = (style: Style, text: string) => string

/** Colours on a terminal, none elsewhere; `NO_COLOR` and `FORCE_COLOR` decide otherwise. */
export function paintOn(output: TextOutput): Paint {
  return (style, text) => styleText(style, text, { stream: output as NodeJS.WritableStream })
}

/** Whether a person who develops is reading it: never a file of logs. */
export function isDeveloperAt(output: TextOutput, environment: NodeJS.ProcessEnv): boolean {
  return output.isTTY === true && environment['NODE_ENV'] !== 'production'
}
