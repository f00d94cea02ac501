/** @module Copies of values and texts that stay small, whatever a client sends. */

/** Characters of one text inside a value, and of a value as a whole. */
const bounds = { text: 1_000, value: 8_000, depth: 32 }

interface Budget {
  left: number
}

/**
 * A copy of a JSON value, with long parts cut: texts end in `…[+12]`, lists and objects in an entry of that kind. Numbers that a
 * double cannot represent become texts of their digits.
 */
export function boundedValue(value: unknown): unknown {
  return copy(value, { left: bounds.value }, 0)
}

/**
 * Text after `limit` is left out and counted. The cut is never inside an e-mail address or a telephone number: a possible
 * beginning of one is removed, too. The result does not keep the original text in memory.
 */
export function boundedText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = Math.max(lastDelimiter(text, limit) + 1, limit - longestWord, 0)
  return `${ownCopy(text.slice(0, end))}…[+${text.length - end}]`
}

/** No e-mail address is longer; see RFC 5321, 4.5.3.1. */
const longestWord = 320

/** Characters that occur neither in an address nor in a number. */
const delimiters = new Set([...',;\'"<>={}|\n'])

function lastDelimiter(text: string, before: number): number {
  let index = before - 1
  while (index > before - longestWord && !delimiters.has(text[index] ?? ',')) index -= 1
  return index
}

function copy(value: unknown, budget: Budget, depth: number): unknown {
  switch (typeof value) {
    case 'string': {
      const text = boundedText(value, Math.min(bounds.text, Math.max(0, budget.left)))
      budget.left -= text.length
      return text
    }
    case 'number':
    case 'boolean':
      budget.left -= 8
      return value
    case 'bigint':
      return copy(String(value), budget, depth)
    case 'object':
      if (value === null) return null
      return depth < bounds.depth ? copyObject(value, budget, depth + 1) : '…'
    default:
      return undefined
  }
}

function copyObject(value: object, budget: Budget, depth: number): unknown {
  budget.left -= 2
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`
  if (value instanceof Date) return copy(dateText(value), budget, depth)
  const digits = rawDigits(value)
  if (digits !== undefined) return copy(digits, budget, depth)
  if (Array.isArray(value)) return copyList(value, budget, depth)
  const entries = Object.entries(value)
  const kept: [string, unknown][] = []
  for (const [key, item] of entries) {
    if (budget.left <= 0) {
      kept.push(['…', `[+${entries.length - kept.length}]`])
      break
    }
    const name = boundedText(key, 100)
    budget.left -= name.length
    kept.push([name, copy(item, budget, depth)])
  }
  return Object.fromEntries(kept)
}

function copyList(list: readonly unknown[], budget: Budget, depth: number): unknown[] {
  const kept: unknown[] = []
  for (const item of list) {
    if (budget.left <= 0) {
      kept.push(`…[+${list.length - kept.length}]`)
      break
    }
    budget.left -= 1
    kept.push(copy(item, budget, depth) ?? null)
  }
  return kept
}

function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString()
}

const { isRawJSON } = JSON as unknown as { readonly isRawJSON: (value: unknown) => boolean }

/** @see https://github.com/tc39/proposal-json-parse-with-source */
function rawDigits(value: object): string | undefined {
  if (!isRawJSON(value)) return undefined
  return (value as { readonly rawJSON: string }).rawJSON
}

/** A slice keeps the whole text in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
