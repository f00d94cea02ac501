import { type PgType, type PgTypeKind, valuesOfConstraint } from '@engine/core/catalog'
import type { TypeRow } from './type-queries.ts'

/**
 * Enums, domains, ranges, extension types and all other types of columns that are not built into PostgreSQL, with their arrays.
 * Where several schemas use the same name, that of the first of `schemas` comes last: the bare name means it.
 *
 * @param used oids of the columns' types
 */
export function introspectedTypes(
  rows: readonly TypeRow[],
  used: ReadonlySet<string>,
  schemas: readonly string[],
): readonly PgType[] {
  const byOid = new Map(rows.map((row) => [row.oid, row]))
  const rangeOf = new Map(rows.map(({ oid, multirange }) => [multirange, oid]))
  const wanted = new Set<TypeRow>()
  const want = (oid: string | null | undefined) => {
    const row = byOid.get(oid ?? '0')
    if (row === undefined || wanted.has(row)) return
    wanted.add(row)
    const attributes = row.attributes?.map(({ type }) => type) ?? []
    const range = [row.subtype, row.multirange, rangeOf.get(row.oid)]
    for (const related of [row.element, row.array, row.base, ...range, ...attributes]) want(related)
  }
  for (const row of rows) {
    if (used.has(row.oid) || isOfGeneralUse(row)) want(row.oid)
  }
  const rank = ({ schema }: TypeRow) => {
    const place = schemas.indexOf(schema)
    return place < 0 ? 0 : schemas.length - place
  }
  return [...wanted].sort((left, right) => rank(left) - rank(right)).map(pgType)
}

/** Not the row type of a table, nor an array of one: each table adds these two. */
function isOfGeneralUse(row: TypeRow): boolean {
  if (row.schema === 'information_schema') return false
  return row.typtype === 'c' ? row.standsAlone : row.element === '0'
}

function pgType(row: TypeRow): PgType {
  const elementOid = Number(row.element)
  const arrayOid = Number(row.array)
  const isArray = row.category === 'A' && elementOid !== 0
  return {
    oid: Number(row.oid),
    name: row.name,
    schema: row.schema,
    category: row.category,
    isPreferred: row.isPreferred,
    kind: isArray ? 'base' : kindOf(row.typtype),
    isCollatable: row.isCollatable,
    isNameable: true,
    ...(isArray ? { elementOid } : {}),
    ...(arrayOid === 0 ? {} : { arrayOid }),
    ...(row.typtype === 'd'
      ? { baseOid: Number(row.base), baseTypmod: row.baseTypmod, isNotNull: row.notNull }
      : {}),
    ...(row.subtype === null ? {} : { subtypeOid: Number(row.subtype) }),
    ...(row.multirange === null ? {} : { multirangeOid: Number(row.multirange) }),
    ...(row.labels === null ? {} : { enumLabels: row.labels }),
    ...(row.sortOrders?.some((order, place) => Number(order) !== place + 1)
      ? { enumSortOrders: row.sortOrders.map(Number) }
      : {}),
    ...listedByDomain(row),
    ...(row.attributes === null
      ? {}
      : {
          attributes: row.attributes.map(({ name, type, typmod }) => ({
            name,
            oid: Number(type),
            typmod,
          })),
        }),
    ...(row.typtype === 'c' && !row.standsAlone ? { isRowType: true as const } : {}),
    ...(row.comment === null ? {} : { comment: row.comment }),
    ...(row.delimiter === ',' ? {} : { delimiter: row.delimiter }),
  }
}

/** In a check of a domain, `VALUE` is the value. */
function listedByDomain({ checks }: TypeRow): Pick<PgType, 'listedValues'> {
  const found = checks?.map((check) => valuesOfConstraint(check).get('VALUE'))
  const listedValues = found?.find((values) => values !== undefined)
  return listedValues === undefined ? {} : { listedValues }
}

function kindOf(typtype: string): PgTypeKind {
  switch (typtype) {
    case 'd':
      return 'domain'
    case 'e':
      return 'enum'
    case 'r':
      return 'range'
    case 'm':
      return 'multirange'
    default:
      return 'opaque'
  }
}
