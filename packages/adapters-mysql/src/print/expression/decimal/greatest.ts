import { commaList, type Sql, sql } from '@engine/core/print'
import { call, nullSql, type PrintContext } from '../../print-context.ts'
import { letValues } from '../binding/let-binding.ts'
import type { NamedValue } from '../binding/named-value.ts'

/** The most values for which each is compared with every other. */
const mostRotated = 6

/** The server's own function is NULL if any argument is: each NULL is replaced by another argument. */
export function greatestOf(
  values: readonly NamedValue[],
  isGreatest: boolean,
  context: PrintContext,
  canBeNamed: boolean,
): Sql {
  const [first] = values
  if (first !== undefined && values.length === 1) return first.value
  return letValues(values, context, canBeNamed, (...names) => {
    if (names.length <= mostRotated || first === undefined)
      return greatest(rotated(names), isGreatest)
    const present = { value: coalesced(names), kind: first.kind }
    return letValues([present], context, canBeNamed, (other = nullSql) =>
      greatest(
        names.map((name) => coalesced([name, other])),
        isGreatest,
      ),
    )
  })
}

function rotated(values: readonly Sql[]): readonly Sql[] {
  return values.map((_, index) => coalesced([...values.slice(index), ...values.slice(0, index)]))
}

function coalesced(values: readonly Sql[]): Sql {
  return sql`coalesce(${commaList(values)})`
}

function greatest(values: readonly Sql[], isGreatest: boolean): Sql {
  return isGreatest ? call('greatest', ...values) : call('least', ...values)
}
