/**
 * @module Named values as columns of a LATERAL subquery. Such a subquery has no FROM, and so is not merged into the query around
 * it: each value is evaluated once for each row. It depends on the table `w` before it, for two reasons: without any outer column
 * the server would evaluate it when it plans the statement, also where the statement never reaches it, and only once for all
 * rows, also if it is volatile.
 */
import { commaList, keyword, type Sql, sql } from '@engine/core/adapter'
import { binaryCollation, type PrintContext } from '../../print-context.ts'
import type { NamedValue } from './named-value.ts'

/** The tables in FROM of a let-binding, and the value that is calculated from them. */
interface Binding {
  readonly tables: ReadonlySet<Sql>
  readonly body: Sql
}

/** By the printed text. */
const bindings = new WeakMap<Sql, Binding>()

/** The server joins 61 tables. */
const mostTables = 50

/**
 * `(select (v2.x1 * v2.x1) from (select 1 as k) as w2, lateral (select (a + b) as x1 where w2.k = 1) as v2)`
 *
 * A value that is such a text itself is not nested: its tables precede the new one, and its body becomes the value.
 *
 * @param id of the aliases v and w.
 */
export function lateralBinding(
  values: readonly NamedValue[],
  body: Sql,
  id: number,
  context: PrintContext,
): Sql {
  const [alias, gate] = [keyword(`v${id}`), keyword(`w${id}`)]
  // A table occurs once, also if several values depend on it.
  const tables = new Set<Sql>()
  const columns = values.map((each, index) => {
    const inner = bindings.get(each.value)
    const isJoined = inner !== undefined && tables.size + inner.tables.size + 2 <= mostTables
    if (isJoined) for (const table of inner.tables) tables.add(table)
    const value = isJoined ? inner.body : each.value
    return sql`${columnOf({ ...each, value }, gate, context)} as ${keyword(`x${index + 1}`)}`
  })
  tables.add(sql`(select 1 as k) as ${gate}`)
  tables.add(sql`lateral (select ${commaList(columns)} where ${gate}.k = 1) as ${alias}`)
  const text = sql`(select ${body} from ${commaList([...tables])})`
  bindings.set(text, { tables, body })
  return text
}

/** One value as a column of tables that precede its use in FROM. */
export function lateralColumn(
  { value, kind }: NamedValue,
  id: number,
  context: PrintContext,
): { readonly tables: readonly Sql[]; readonly column: Sql } {
  const [alias, gate] = [keyword(`v${id}`), keyword(`w${id}`)]
  const inner = bindings.get(value)
  const column = columnOf({ value: inner?.body ?? value, kind }, gate, context)
  return {
    tables: [
      ...(inner?.tables ?? []),
      sql`(select 1 as k) as ${gate}`,
      sql`lateral (select ${column} as x1 where ${gate}.k = 1) as ${alias}`,
    ],
    column: sql`${alias}.x1`,
  }
}

/**
 * A text with the type LONGTEXT: the server estimates the length of some, and cuts them at it. The second arm is never evaluated:
 * it only has the type.
 */
function columnOf({ value, kind }: NamedValue, gate: Sql, context: PrintContext): Sql {
  const long = (text: Sql) =>
    sql`if(${gate}.k = 1, ${text}, json_unquote(json_array(${gate}.k)) collate ${binaryCollation(context)})`
  switch (kind) {
    case 'text':
      return long(value)
    case 'bytes':
      return long(sql`hex(${value})`)
    default:
      return value
  }
}
