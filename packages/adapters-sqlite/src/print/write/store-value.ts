/** @module Converts values from the form of expressions to the stored form of a column, without relying on its affinity. */
import type { Column } from '@engine/core/catalog'
import type { Sql } from '@engine/core/print'
import type { Affinity } from '../../introspection/native-column.ts'
import { call, classOfType, type PrintContext } from '../print-context.ts'
import { nativeOf } from '../read-stored.ts'

export function storedForm(column: Column, value: Sql, context: PrintContext): Sql {
  const kept = proposedForm(column, value, context)
  // SQLite allows NULL in some primary keys, and makes it "the next number" in a rowid.
  const { storesNull, isRowidAlias } = nativeOf(column)
  return storesNull === true || isRowidAlias === true ? call('not_null', kept) : kept
}

/** The same for a value that is only read: a NULL stays NULL. */
export function proposedForm(column: Column, value: Sql, context: PrintContext): Sql {
  const affinity = affinityOf(column)
  const isNumeric = affinity === 'numeric' || affinity === 'integer' || affinity === 'real'
  switch (classOfType(column.type, context)) {
    case 'numeric':
      return isNumeric ? call('dec_store', value) : value
    case 'text':
    case 'bpchar':
    case 'json':
    case 'jsonb':
      // Text that looks like a number would become one.
      return isNumeric ? call('text_store', value) : value
    default:
      return value
  }
}

function affinityOf(column: Column): Affinity {
  return nativeOf(column).affinity ?? 'numeric'
}
