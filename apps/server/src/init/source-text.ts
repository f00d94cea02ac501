/** @module Values as TypeScript, laid out as formatters do. Names come from a database: any text is possible. */

const width = 100

/** A text in single quotes. */
export function literal(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `'${escaped}'`
}

/** A text for a comment: on one line. */
export function inComment(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('*/', '* /')
}

/** TypeScript that is printed as it is. */
export interface Code {
  readonly code: string
}

/**
 * A value of texts, numbers, lists, objects and `Code`.
 *
 * @param indent columns before the first line, and before the lines after it.
 * @param lead characters before the value on its first line.
 */
export function valueText(value: unknown, indent: number, lead: number): string {
  const flat = flatText(value)
  if (indent + lead + flat.length < width) return flat
  const inner = ' '.repeat(indent + 2)
  const close = ' '.repeat(indent)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return `[\n${filled(value.map(literal), inner).join('\n')}\n${close}]`
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${valueText(item, indent + 2, 0)},`)
    return `[\n${items.join('\n')}\n${close}]`
  }
  if (isObject(value)) {
    const items = Object.entries(value).map(([name, item]) => {
      const key = `${keyText(name)}: `
      return `${inner}${key}${valueText(item, indent + 2, key.length)},`
    })
    return `{\n${items.join('\n')}\n${close}}`
  }
  return flat
}

/** As many items on a line as there is room for. */
function filled(items: readonly string[], begin: string): readonly string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last === undefined || last.length + item.length + 2 > width) lines.push(`${begin}${item},`)
    else lines[lines.length - 1] = `${last} ${item},`
  }
  return lines
}

export function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : literal(name)
}

function flatText(value: unknown): string {
  if (typeof value === 'string') return literal(value)
  if (Array.isArray(value)) return `[${value.map(flatText).join(', ')}]`
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([name, item]) => `${keyText(name)}: ${flatText(item)}`,
    )
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
  }
  return isCode(value) ? value.code : String(value)
}

function isCode(value: unknown): value is Code {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    Object.keys(value).length === 1
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isCode(value)
}
