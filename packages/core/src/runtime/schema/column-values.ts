/** @module The only values of a column, where its type or its checks list them. */
import type { ColumnDescription } from '@engine/contract'
import type { Column, ListedValue } from '../../compiler/catalog/catalog.ts'
import { classOf, lengthOfType } from '../../compiler/print/type-class.ts'
import type { SqlType } from '../../compiler/sql-types/sql-type.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import { noTypmod } from '../../compiler/sql-types/typmod.ts'

/** `enum` or `set` of a column's description: of an array, the values of its elements. */
export function columnValues(
  types: TypeSystem,
  { type, listed }: Pick<Column, 'type' | 'listed'>,
): Pick<ColumnDescription, 'enum' | 'set'> {
  if (listed?.kind === 'several') return { set: listed.values.map(String) }
  const { element, isArray } = elementOf(types, type)
  const values = (isArray ? undefined : listed?.values) ?? valuesOfType(types, element)
  const known = fitting(types, element, values ?? [])
  return known.length === 0 ? {} : { enum: known }
}

function elementOf(
  types: TypeSystem,
  type: SqlType,
): { readonly element: SqlType; readonly isArray: boolean } {
  const oid = types.elementTypeOid(type.oid)
  const isArray = oid !== undefined && types.wireKind(type.oid).kind === 'array'
  return { element: isArray ? { ...type, oid } : type, isArray }
}

/** Labels of an enum, or values that a check of a domain lists; those of a domain before those of its base. */
function valuesOfType(types: TypeSystem, { oid }: SqlType): readonly ListedValue[] | undefined {
  const type = types.typeByOid(oid)
  const own = type?.listedValues ?? type?.enumLabels
  if (own !== undefined || type?.baseOid === undefined) return own
  return valuesOfType(types, { oid: type.baseOid, typmod: noTypmod })
}

/** The values as they are on the wire; none where one of them is not a value of the type, or is changed by it. */
function fitting(
  types: TypeSystem,
  type: SqlType,
  values: readonly ListedValue[],
): readonly ListedValue[] {
  const base = baseOf(types, type)
  switch (classOf(types, base.oid)) {
    case 'int2':
    case 'int4': {
      const numbers = values.map((value) => (value === '' ? Number.NaN : Number(value)))
      return numbers.every(Number.isSafeInteger) ? numbers : []
    }
    case 'bpchar': {
      // Blanks pad a shorter value.
      const length = lengthOfType(base)
      const isWhole = (value: ListedValue) =>
        typeof value === 'string' && Array.from(value).length === length
      return values.every(isWhole) ? values : []
    }
    case 'text':
      return values.every((value) => typeof value === 'string') ? values : []
    default: {
      // Of most other types, a value has several spellings.
      const { kind, name } = types.typeByOid(base.oid) ?? {}
      return kind === 'enum' || name === 'citext' ? values.map(String) : []
    }
  }
}

function baseOf(types: TypeSystem, type: SqlType): SqlType {
  const { baseOid, baseTypmod = noTypmod } = types.typeByOid(type.oid) ?? {}
  return baseOid === undefined ? type : baseOf(types, { oid: baseOid, typmod: baseTypmod })
}
