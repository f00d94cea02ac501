/** @module Text in columns for terminals. */

/** Indents lines by two blanks. */
export function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`))
}

/** `name   text`: names padded to the longest, further lines of a text below its first. */
export function labelled(
  rows: readonly (readonly [label: string, text: string])[],
): readonly string[] {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.flatMap(([label, text]) =>
    text.split('\n').map((line, i) => `${(i === 0 ? label : '').padEnd(width)}  ${line}`.trimEnd()),
  )
}

/** A heading and its lines; nothing without lines. */
export function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...indented(lines)]
}

/** Names in a row, or `none`. */
export function names(list: readonly string[]): string {
  return list.length === 0 ? 'none' : list.join(', ')
}
