/** @module A connection as a configuration has it, and as a form has it. */
import { mayHoldSecret, secretName } from '../../drafts/secrets.ts'

export type Options = Readonly<Record<string, unknown>>

/** A URL or path, or options with one. */
export type ConnectionValue = string | Options

export interface ConnectionForm {
  readonly url: string
  readonly isReadOnly: boolean
  readonly poolMax: string
  /** JSON: all other options. */
  readonly more: string
}

interface ConnectionDraft {
  readonly form: ConnectionForm
  readonly ownName: string
  readonly revision?: number
}

/** Edits of a connection that were kept; undefined where they are none. */
export function connectionDraftIn(value: unknown): ConnectionDraft | undefined {
  const { form, ownName, revision } = value as Partial<ConnectionDraft>
  if (typeof form !== 'object' || form === null || typeof ownName !== 'string') return undefined
  const { url, isReadOnly, poolMax, more } = form
  const isForm =
    [url, poolMax, more].every((text) => typeof text === 'string') &&
    typeof isReadOnly === 'boolean'
  if (!isForm) return undefined
  return { form, ownName, ...(typeof revision === 'number' ? { revision } : {}) }
}

export function mayHoldPassword({ url, more }: ConnectionForm): boolean {
  return [url, more].some((text) => secretName.test(text) || mayHoldSecret(text))
}

export function urlOf(value: ConnectionValue): string {
  if (typeof value === 'string') return value
  return String(value['url'] ?? value['directory'] ?? '')
}

export function formOf(value: ConnectionValue | undefined): ConnectionForm {
  const options = value === undefined ? {} : typeof value === 'string' ? { url: value } : value
  const { url, readOnly, pool, ...others } = options as Options
  const { max, ...morePool } = (pool ?? {}) as Options
  const more = { ...others, ...(Object.keys(morePool).length === 0 ? {} : { pool: morePool }) }
  return {
    url: typeof url === 'string' ? url : '',
    isReadOnly: readOnly === true,
    poolMax: max === undefined ? '' : String(max),
    more: Object.keys(more).length === 0 ? '' : JSON.stringify(more, null, 2),
  }
}

/** @throws {Error} saying which part is wrong. */
export function connectionOf({ url, isReadOnly, poolMax, more }: ConnectionForm): ConnectionValue {
  const others = optionsFrom(more)
  const number = /^\d{1,9}$/.test(poolMax.trim()) ? Number(poolMax) : poolMax.trim()
  const pool = {
    ...((others['pool'] as Options | undefined) ?? {}),
    ...(poolMax.trim() === '' ? {} : { max: number }),
  }
  const { pool: _, ...rest } = others
  const options = {
    ...(url.trim() === '' ? {} : { url: url.trim() }),
    ...rest,
    ...(isReadOnly ? { readOnly: true } : {}),
    ...(Object.keys(pool).length === 0 ? {} : { pool }),
  }
  const [only, ...further] = Object.keys(options)
  return only === 'url' && further.length === 0 ? url.trim() : options
}

function optionsFrom(text: string): Options {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Options
  } catch {
    // The message below says it better.
  }
  throw new Error('More options must be a JSON object: { "schema": "shop" }')
}
