/** @module The SQL that checks whether a column contains the expected values, and the meaning of its result. */
import { affinityOf, type DeclaredTypeName, declaredType } from './declared-type.ts'
import type { ColumnSample } from './schema-facts.ts'

interface DeclaredColumn {
  readonly name: string
  readonly declaredType: string
}

/** One row with three values for each column. @param from a table or subquery, as SQL */
export function sampleSql(columns: readonly DeclaredColumn[], from: string): string {
  const outputs = columns.flatMap(({ name, declaredType: declaration }) => {
    const column = `"${name.replaceAll('"', '""')}"`
    const integer = `case when typeof(${column}) = 'integer' then ${column} end`
    const isOther = otherwise(declaration, column)
    return [`max(${column} is not null and (${isOther}))`, `min(${integer})`, `max(${integer})`]
  })
  return `select ${outputs.join(', ')} from ${from}`
}

/**
 * The samples of stored values in the row that the sample statement answers.
 *
 * @param values of that row; undefined where it could not be computed. Integers are bigint.
 */
export function samplesOf(
  columns: readonly DeclaredColumn[],
  values: readonly unknown[] | undefined,
): readonly ColumnSample[] {
  if (values === undefined) return columns.map(() => columnSample(false, undefined, undefined))
  return columns.map((_column, index) => {
    const [isOther, min, max] = values.slice(index * 3)
    return columnSample(isOther !== 1n, min, max)
  })
}

export function columnSample(isCanonical: boolean, min: unknown, max: unknown): ColumnSample {
  const integers = typeof min === 'bigint' && typeof max === 'bigint' ? { min, max } : undefined
  return { isCanonical, integers }
}

/** SQL that is true for a value that is not in this adapter's stored form of the type. */
function otherwise(declaration: string, column: string): string {
  const classes = (...names: readonly string[]) =>
    `typeof(${column}) not in (${names.map((name) => `'${name}'`).join(', ')})`
  const isText = affinityOf(declaration) === 'text'
  const name: DeclaredTypeName = declaredType(declaration).name
  switch (name) {
    case 'bool':
      return `${classes('integer')} or ${column} not in (0, 1)`
    case 'int2':
    case 'int4':
    case 'int8':
      return classes('integer')
    case 'float8':
      return classes('real', 'integer')
    case 'numeric':
      return isText ? classes('integer', 'real', 'text') : classes('integer', 'real')
    case 'text':
    case 'varchar':
    case 'bpchar':
      return classes('text')
    case 'jsonb':
      return classes('text', 'integer', 'real')
    case 'bytea':
      return classes('blob')
    case 'uuid':
      return `${classes('text')} or length(${column}) <> 36 or lower(${column}) <> ${column}`
    case 'date':
      return `${classes('text')} or date(${column}) is not ${column}`
    case 'time':
      return `${classes('text')} or ${otherClock(column, 'time', 8)}`
    case 'timestamp':
      return `${classes('text')} or ${otherClock(column, 'datetime', 19)}`
    case 'timestamptz':
      return `${classes('text')} or ${column} not glob '*+00'
        or ${otherClock(`substr(${column}, 1, length(${column}) - 3)`, 'datetime', 19)}`
  }
}

/** The text differs from the `normal` form of its first characters followed by one to six digits without zeros at the end. */
function otherClock(text: string, normal: 'time' | 'datetime', length: number): string {
  const clock = `substr(${text}, 1, ${length})`
  const fraction = `substr(${text}, ${length + 1})`
  return `${normal}(${clock}) is not ${clock} or ${fraction} <> '' and (
    ${fraction} not glob '.[0-9]*' or substr(${fraction}, 2) glob '*[^0-9]*'
    or ${fraction} glob '*0' or length(${fraction}) > 7)`
}
