/** @module The heading of the reference that a function is listed under. */
import { builtinTypes, type PgFunction, type PgType } from '@engine/core/catalog'

/** In the order of the page. */
export const topics = [
  'Text',
  'Numbers',
  'Dates and times',
  'JSON',
  'Arrays',
  'Bytes and bits',
  'Network addresses',
  'Ranges',
  'Geometry',
  'Full-text search',
  'Other functions',
] as const

export type Topic = (typeof topics)[number]

const types = new Map(builtinTypes.map((type) => [type.oid, type]))

/** By its name, else a date among its arguments and its result, else its first argument, else its result. */
export function topicOf({ name, argumentOids, resultOid }: PgFunction): Topic {
  if (/json/.test(name)) return 'JSON'
  if (name.startsWith('array')) return 'Arrays'
  const found = [...argumentOids, resultOid].flatMap((oid) => {
    const type = types.get(oid)
    const topic = type === undefined ? undefined : topicOfType(type)
    return topic === undefined ? [] : [topic]
  })
  return found.find((topic) => topic === 'Dates and times') ?? found[0] ?? 'Other functions'
}

/** Undefined for types that stand for any other one. */
function topicOfType({ name, category }: PgType): Topic | undefined {
  if (/^(?:any\w*)?(?:multi)?range$|range$/.test(name)) return 'Ranges'
  if (/^json/.test(name)) return 'JSON'
  if (/^ts(?:vector|query)$|^reg(?:config|dictionary)$/.test(name)) return 'Full-text search'
  if (name === 'bytea') return 'Bytes and bits'
  if (/^macaddr/.test(name)) return 'Network addresses'
  return topicsOfCategories[name.endsWith('array') ? 'A' : category]
}

/** By `pg_type.typcategory`. */
const topicsOfCategories: Readonly<Record<string, Topic>> = {
  A: 'Arrays',
  B: 'Numbers',
  D: 'Dates and times',
  G: 'Geometry',
  I: 'Network addresses',
  N: 'Numbers',
  R: 'Ranges',
  S: 'Text',
  T: 'Dates and times',
  V: 'Bytes and bits',
}
