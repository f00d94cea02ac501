/** @module Common parts of all generated files. */

/** First line of every file. No date: a file changes when the schema does. */
const header = '// Made by engine-codegen from GET /schema: changes are lost when it runs again.'

/** Parts of a file with blank lines between them; `undefined` leaves a part out. */
export function fileText(parts: readonly (string | undefined)[]): string {
  const [first = header, ...others] = [header, ...parts].filter((part) => part !== undefined)
  return `${[first, ...others].join('\n\n')}\n`
}
