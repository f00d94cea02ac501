/**
 * @module Named values as columns of a LATERAL subquery. Such a subquery has no FROM, and so is not merged into the query around
 * it: each value is evaluated once for each row. It depends on the table `w` before it, for two reasons: without any outer column
 * the server would evaluate it when it plans the statement, also where the statement never reaches it, and only once for all
 * rows, also if it is volatile.
 */
import { commaList, keyword, rewriteSql, type Sql, sql } from '@engine/core/print'
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
 * A value that is such a text itself, or has one in a place that is always evaluated, is not nested: its tables precede the new
 * one, and its body takes its place. The server takes 63 queries inside each other.
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
    const value = withJoined(each.value, tables)
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
  const tables = new Set<Sql>()
  const column = columnOf({ value: withJoined(value, tables), kind }, gate, context)
  tables.add(sql`(select 1 as k) as ${gate}`)
  tables.add(sql`lateral (select ${column} as x1 where ${gate}.k = 1) as ${alias}`)
  return { tables: [...tables], column: sql`${alias}.x1` }
}

/** The value with the bindings in it replaced by their bodies; their tables are added to `tables`, as far as there is room. */
function withJoined(value: Sql, tables: Set<Sql>): Sql {
  if (!hasBinding(value)) return value
  return rewriteSql(value, (part) => {
    const inner = bindings.get(part)
    if (inner === undefined) return hasBinding(part) ? undefined : part
    if (tables.size + inner.tables.size + 2 > mostTables) return part
    for (const table of inner.tables) tables.add(table)
    return inner.body
  })
}

/** Of fragments with parts. */
const known = new WeakMap<Sql, boolean>()

/** Is it a binding, or has it one that is evaluated whenever the fragment is? */
function hasBinding(fragment: Sql): boolean {
  if (bindings.has(fragment)) return true
  if (fragment.pieces.length < 2) return fragment.pieces.some(isPartWithBinding)
  const found = known.get(fragment)
  if (found !== undefined) return found
  const isStrict = !fragment.pieces.some(
    (piece) => typeof piece === 'string' && chooses.test(piece),
  )
  const answer = isStrict && fragment.pieces.some(isPartWithBinding)
  known.set(fragment, answer)
  return answer
}

function isPartWithBinding(piece: Sql['pieces'][number]): boolean {
  return typeof piece === 'object' && 'pieces' in piece && hasBinding(piece)
}

/** Words of expressions that do not evaluate all of their operands, and of queries. */
const chooses =
  /\b(?:case|when|if|ifnull|nullif|coalesce|elt|and|or|in|any|all|exists|select|from)\b/i

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
    case 'document':
      return sql`cast(${value} as json)`
    case 'bytes':
      return long(sql`hex(${value})`)
    default:
      return value
  }
}
