/** @module Refuses a statement that calls a function which the server does not have. */
import type { GatewayError } from '@engine/core/adapter'
import { unsupportedConstruct } from '@engine/core/tree'

/** By prefix of the functions' names. */
const constructs: readonly (readonly [pattern: RegExp, construct: string])[] = [
  [/^dec_/, 'this use of numeric values'],
  [/^float/, 'this use of floating point numbers'],
  [/^int|^positive_count|^range_offset/, 'this use of integers'],
  [/json/, 'this JSON function'],
  [/regex|^similar/, 'a regular expression'],
  [/like|lower|upper|initcap/, 'upper and lower case, and ILIKE'],
  [
    /date|time|moment|^pg_extract|zone|^pg_ts|interval|^pg_to_char|^pg_age/,
    'this function of dates',
  ],
  [/array|element/, 'this use of arrays'],
]

export function missing(name: string, database: string): GatewayError {
  const construct = constructs.find(([pattern]) => pattern.test(name))?.[1] ?? 'this function'
  return unsupportedConstruct(`${construct} (${name})`, database, undefined)
}

/** Words before a parenthesis that are not functions. */
const words: ReadonlySet<string> = new Set(
  `all and any as between by case cast check collate conflict cross cte distinct else end escape except exists
  filter following from full glob group having in indexed inner insert intersect into is join left like limit
  materialized not null nulls offset on or order outer over partition preceding range recursive references
  returning right row rows select set then union update using values when where window with within exclude
  isnull notnull text integer real blob numeric`.split(/\s+/),
)

/**
 * Checks every name in the text: a function that the server does not have was not rewritten, and is refused.
 *
 * @throws {GatewayError} `unsupported`
 */
export function requireBuiltIn(
  text: string,
  available: ReadonlySet<string>,
  database: string,
): void {
  const bare = text.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, ' ')
  for (const [, name = ''] of bare.matchAll(/([a-z_][a-z0-9_]*)\s*\(/gi)) {
    const lower = name.toLowerCase()
    const isAlias = /^[a-z]\d*$/.test(lower)
    if (!isAlias && !words.has(lower) && !available.has(lower)) {
      throw missing(lower, database)
    }
  }
}
