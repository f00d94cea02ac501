/** @module Names in SQL text, and lists of them, such as `search_path`. */

/** Like `quote_identifier`: quotes a name only where SQL would read it differently without quotes. */
export function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : quoteAlways(name)
}

export function quoteAlways(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * `"$user", public` → its names, those without quotes in lower case.
 *
 * @returns undefined for a text that is not a list of names.
 */
export function parseNameList(text: string): readonly string[] | undefined {
  if (text.trim() === '') return []
  const names: string[] = []
  const item = /\s*(?:"((?:[^"]|"")*)"|([^\s",]+))\s*(,|$)/y
  let separator: string | undefined = ','
  while (separator === ',') {
    const match = item.exec(text)
    if (match === null) return undefined
    const [, quoted, plain] = match
    names.push(quoted === undefined ? (plain ?? '').toLowerCase() : quoted.replaceAll('""', '"'))
    separator = match[3]
  }
  return names
}

/** Words that are not names without quotes. */
const reserved: ReadonlySet<string> = new Set(
  (
    'all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast ' +
    'char character check coalesce collate collation column concurrently constraint create cross current_catalog ' +
    'current_date current_role current_schema current_time current_timestamp current_user dec decimal default ' +
    'deferrable desc distinct do else end except exists extract false fetch float for foreign freeze from full grant ' +
    'greatest group grouping having ilike in initially inner inout int integer intersect interval into is isnull join ' +
    'lateral leading least left like limit localtime localtimestamp national natural nchar none normalize not notnull ' +
    'null nullif numeric offset on only or order out outer overlaps overlay placing position precision primary real ' +
    'references returning right row select session_user setof similar smallint some substring symmetric table ' +
    'tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic ' +
    'verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse ' +
    'xmlpi xmlroot xmlserialize xmltable'
  ).split(' '),
)
