/** @module PostgreSQL's rules for a WITH query that refers to itself. */
import type { CommonTableExpr, SelectStmt } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'

/**
 * The UNION of a self-referring WITH query; undefined when it does not refer to itself.
 *
 * @throws {GatewayError} `badRequest` (42P19) where its form or the place of its reference is not allowed.
 */
export function recursiveUnion(common: CommonTableExpr): SelectStmt | undefined {
  const { ctename: name = '', ctequery, location } = common
  const refuse = (message: string) => bindError(message, { sqlState: '42P19', position: location })
  if (!refersTo(ctequery, name)) return undefined
  const select = ctequery && 'SelectStmt' in ctequery ? ctequery.SelectStmt : undefined
  if (select === undefined) {
    throw refuse(`recursive query "${name}" must not contain data-modifying statements`)
  }
  if (select.op !== 'SETOP_UNION') {
    throw refuse(
      `recursive query "${name}" does not have the form non-recursive-term UNION [ALL] recursive-term`,
    )
  }
  requirePlainUnion(select, location)
  const place = (where: string) =>
    refuse(`recursive reference to query "${name}" must not appear ${where}`)
  if (refersTo(select.larg, name)) throw place('within its non-recursive term')
  if (refersTo(select.withClause, name)) throw unsupported('this recursive query', location)
  const references = selfReferences(select.rarg, name, undefined)
  const misplaced = references.find((reference) => reference !== undefined)
  if (misplaced !== undefined) throw place(misplaced)
  if (references.length > 1) throw place('more than once')
  return select
}

function requirePlainUnion(select: SelectStmt, position: number | undefined): void {
  const extras = [
    ['ORDER BY', select.sortClause],
    ['OFFSET', select.limitOffset],
    ['LIMIT', select.limitCount],
    ['FOR UPDATE/SHARE', select.lockingClause],
  ] as const
  for (const [name, clause] of extras) {
    if (clause === undefined) continue
    throw bindError(`${name} in a recursive query is not implemented`, {
      sqlState: '0A000',
      position,
    })
  }
}

function refersTo(tree: unknown, name: string): boolean {
  return selfReferences(tree, name, undefined).length > 0
}

/** The place of a forbidden reference, as the end of a message; undefined where a reference is allowed. */
type Place = string | undefined

type Fields = Readonly<Record<string, unknown>>

/** The place of every reference to the WITH query `name`; a nested WITH may define the same name again. */
function selfReferences(tree: unknown, name: string, place: Place): readonly Place[] {
  if (typeof tree !== 'object' || tree === null) return []
  if (Array.isArray(tree)) return tree.flatMap((item) => selfReferences(item, name, place))
  const node = tree as Fields
  if (isFields(node['RangeVar'])) return isReference(node['RangeVar'], name) ? [place] : []
  if (isFields(node['SubLink'])) {
    return referencesInFields(node['SubLink'], name, () => place ?? 'within a subquery')
  }
  if (isFields(node['JoinExpr'])) {
    const { jointype } = node['JoinExpr']
    return referencesInFields(node['JoinExpr'], name, (side) => place ?? joinPlace(jointype, side))
  }
  const { op, all } = node
  return referencesInFields(node, name, (side) => place ?? setPlace(op, all, side))
}

function referencesInFields(
  fields: Fields,
  name: string,
  placeOf: (field: string) => Place,
): readonly Place[] {
  const inWith = isFields(fields['withClause'])
    ? referencesInWith(fields['withClause'], name, placeOf('withClause'))
    : { references: [], isShadowed: false }
  if (inWith.isShadowed) return inWith.references
  const others = Object.entries(fields).filter(([field]) => field !== 'withClause')
  return [
    ...inWith.references,
    ...others.flatMap(([field, value]) => selfReferences(value, name, placeOf(field))),
  ]
}

function referencesInWith(clause: Fields, name: string, place: Place) {
  const commons = (Array.isArray(clause['ctes']) ? clause['ctes'] : []).flatMap((node) =>
    isFields(node) && isFields(node['CommonTableExpr']) ? [node['CommonTableExpr']] : [],
  )
  const isTaken = commons.some((common) => common['ctename'] === name)
  if (isTaken && clause['recursive'] === true) return { references: [], isShadowed: true }
  const references: Place[] = []
  for (const common of commons) {
    references.push(...selfReferences(common['ctequery'], name, place))
    if (common['ctename'] === name) return { references, isShadowed: true }
  }
  return { references, isShadowed: false }
}

function isReference(relation: Fields, name: string): boolean {
  return relation['schemaname'] === undefined && relation['relname'] === name
}

function joinPlace(type: unknown, side: string): Place {
  const isNullable =
    type === 'JOIN_FULL' ||
    (type === 'JOIN_LEFT' && side === 'rarg') ||
    (type === 'JOIN_RIGHT' && side === 'larg')
  return isNullable ? 'within an outer join' : undefined
}

function setPlace(operator: unknown, all: unknown, side: string): Place {
  if (operator === 'SETOP_INTERSECT' && all === true) return 'within INTERSECT'
  return operator === 'SETOP_EXCEPT' && side === 'rarg' ? 'within EXCEPT' : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
