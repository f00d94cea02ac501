/** @module Variables of a file `.env`. */
import { randomBytes } from 'node:crypto'
import { parseEnv } from 'node:util'

/** 256 random bits, as text. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The name for the URL: a variable that has another value stays as it is. */
export function urlVariable(
  url: string,
  known: Readonly<Record<string, string | undefined>>,
): string {
  return known['DATABASE_URL'] === undefined || known['DATABASE_URL'] === url
    ? 'DATABASE_URL'
    : 'ENGINE_DATABASE_URL'
}

/**
 * Adds variables that the text does not set; those that it sets stay.
 *
 * @returns the text; the same where nothing is missing.
 */
export function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  const known = parseEnv(text)
  const missing = Object.entries(variables).filter(([name]) => known[name] === undefined)
  if (missing.length === 0) return text
  const begin = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `${begin}${missing.map(([name, value]) => `${name}=${quoted(value)}\n`).join('')}`
}

/** A `#` begins a comment where there are no quotes. */
function quoted(value: string): string {
  if (/^[\w:/@.%?&=+,;~!*()-]*$/.test(value)) return value
  return value.includes("'") ? `"${value}"` : `'${value}'`
}
