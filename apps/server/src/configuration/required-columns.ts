import type { Column, Table } from '@engine/core/catalog'

/** Columns that every new row needs a value for: no default, no NULL, and no trigger that may fill them. */
export function requiredColumns({ columns, triggerColumns }: Table): readonly Column[] {
  return columns.filter(
    ({ nullable, hasDefault, generated, ordinal }) =>
      !nullable && !hasDefault && generated === 'no' && triggerColumns?.has(ordinal) !== true,
  )
}
