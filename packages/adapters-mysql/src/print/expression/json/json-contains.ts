/**
 * @module `@>` of jsonb. The server's json_contains() also finds values deeper inside arrays, so this code implements
 * PostgreSQL's rules.
 */
import { keyword, type Sql, sql } from '@engine/core/print'
import { nullSql, type PrintContext, tableText } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { letValues } from '../binding/let-binding.ts'
import { keyPath } from './json-path.ts'
import { listArgument } from './json-table.ts'
import { isSameJson } from './json-text.ts'
import { jsonExtract, jsonType } from './server-json.ts'

/** The most levels of nested objects and arrays; deeper parts are refused at run time. */
const mostLevels = 4

export function jsonContains(
  whole: Sql,
  part: Sql,
  context: PrintContext,
  canBeNamed: boolean,
): Sql {
  const values = [
    { value: whole, kind: 'text' },
    { value: part, kind: 'text' },
  ] as const
  return letValues(values, context, canBeNamed, (one = nullSql, other = nullSql) => {
    // An array contains a scalar, on the outermost level only.
    const [ofOne, ofOther] = [jsonType(one, context), jsonType(other, context)]
    const scalar = sql`${ofOne} = 'ARRAY' and ${ofOther} not in ('ARRAY', 'OBJECT')`
    const listed = level(one, sql`concat('[', ${other}, ']')`, context, 1)
    return sql`case when isnull(${one}) or isnull(${other}) then null when ${scalar} then ${listed} else ${level(one, other, context, mostLevels)} end`
  })
}

/** Both arguments are short, and not NULL. */
function level(whole: Sql, part: Sql, context: PrintContext, left: number): Sql {
  const same = isSameJson(whole, part, context)
  const [ofWhole, ofPart] = [jsonType(whole, context), jsonType(part, context)]
  if (left === 0) {
    return sql`case when ${ofPart} not in ('OBJECT', 'ARRAY') then ${same} when ${ofWhole} <> ${ofPart} then 0 when json_length(${part}) = 0 then 1 else ${raiseState('0A000')} end`
  }
  const [key, item, candidate] = [context, context, context].map((each) =>
    keyword(`j${each.nextId()}`),
  )
  if (key === undefined || item === undefined || candidate === undefined) {
    throw new Error('a name is missing')
  }
  const path = keyPath(sql`${key}.k`)
  const memberOf = (document: Sql) => jsonExtract(document, path, context)
  const member = named(memberOf(whole), memberOf(part), context, left)
  const missing = sql`exists (select 1 from json_table(json_keys(${part}), '$[*]' columns (k ${tableText(context)} path '$')) as ${key} where not coalesce(${member}, 0))`
  const element = named(
    itemAt(whole, candidate, context),
    itemAt(part, item, context),
    context,
    left,
  )
  const unmatched = sql`exists (select 1 from json_table(${listArgument(part, context)}, '$[*]' columns (n for ordinality)) as ${item} where not exists (select 1 from json_table(${listArgument(whole, context)}, '$[*]' columns (n for ordinality)) as ${candidate} where ${element}))`
  return sql`case ${ofPart} when 'OBJECT' then ${ofWhole} = 'OBJECT' and not ${missing} when 'ARRAY' then ${ofWhole} = 'ARRAY' and not ${unmatched} else ${same} end`
}

function named(whole: Sql, part: Sql, context: PrintContext, left: number): Sql {
  const values = [
    { value: whole, kind: 'text' },
    { value: part, kind: 'text' },
  ] as const
  return letValues(
    values,
    context,
    true,
    (one = nullSql, other = nullSql) =>
      sql`if(isnull(${one}), 0, ${level(one, other, context, left - 1)})`,
  )
}

function itemAt(document: Sql, alias: Sql, context: PrintContext): Sql {
  return jsonExtract(document, sql`concat('$[', ${alias}.n - 1, ']')`, context)
}
