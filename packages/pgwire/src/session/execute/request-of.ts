/** @module A client's text as a request to the engine: one object for one text, in every session. */
import type { SessionStatement, SessionTimeZone } from '@engine/core/session'
import type { SettingFacts } from '../settings/setting-facts.ts'
import type { ClientStatement } from '../statements/client-statement.ts'

/** Plans are cached by the identity of the object: texts are not compared. */
const requests = new WeakMap<ClientStatement, readonly SessionStatement[]>()

/** Search paths, time zones and types in which clients may differ. */
const mostVariants = 8

const none: readonly number[] = []

/** @param parameterOids in the engine's numbering of types */
export function requestOf(
  {
    searchPath,
    timeZone,
    textSearch,
  }: Pick<SettingFacts, 'searchPath' | 'timeZone' | 'textSearch'>,
  statement: ClientStatement,
  parameterOids: readonly number[] = none,
): SessionStatement {
  const known = requests.get(statement) ?? []
  const found = known.find(
    (request) =>
      request.timeZone?.name === timeZone?.name &&
      request.textSearch === textSearch &&
      isSame(request.searchPath, searchPath) &&
      isSame(request.parameterOids, parameterOids),
  )
  if (found !== undefined) return found
  const { sql } = statement
  const request: SessionStatement = { sql, parameterOids, searchPath, timeZone, textSearch }
  requests.set(statement, [request, ...known.slice(0, mostVariants - 1)])
  return request
}

const variants = new WeakMap<SessionStatement, Map<string, SessionStatement>>()

/**
 * A statement prepared with another time zone, other styles or another text search configuration than the current ones: its literals keep their values, and it is computed
 * with the current settings.
 */
export function computedNow(
  request: SessionStatement,
  { timeZone: now, textSearch }: Pick<SettingFacts, 'timeZone' | 'textSearch'>,
): SessionStatement {
  const { timeZone } = request
  const key = `${settingsKey(now)}\0${textSearch ?? ''}`
  if (`${settingsKey(timeZone)}\0${request.textSearch ?? ''}` === key) return request
  const known = variants.get(request) ?? new Map<string, SessionStatement>()
  variants.set(request, known)
  const found = known.get(key)
  if (found !== undefined) return found
  const computed = { computedIn: now?.computedIn, styles: now?.styles }
  const zone =
    settingsKey(timeZone) === settingsKey(now) ? timeZone : { ...(timeZone ?? inUtc), ...computed }
  const variant = { ...request, timeZone: zone, textSearch }
  if (known.size >= mostVariants) known.clear()
  known.set(key, variant)
  return variant
}

function settingsKey(timeZone: SessionTimeZone | undefined): string {
  const { computedIn = '', styles } = timeZone ?? {}
  return styles === undefined ? computedIn : Object.values(styles.settings).join()
}

const inUtc: Pick<SessionTimeZone, 'name' | 'withOffset'> = {
  name: '',
  withOffset: (_typeOid, text) => text,
}

function isSame<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a === b || (a.length === b.length && a.every((item, i) => item === b[i]))
}
