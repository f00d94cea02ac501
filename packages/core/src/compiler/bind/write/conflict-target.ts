/** @module The target of ON CONFLICT, and the unique indexes that it means: PostgreSQL's rule of inference. */
import type { IndexElem, InferClause, Node } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { NamedSql } from '../../catalog/unique-index.ts'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { bindBoolean, bindExpression } from '../expressions/bind-expression.ts'
import { columnNames } from '../scope/column-names.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type {
  ConflictIndex,
  ConflictPart,
  ConflictTarget,
  RelationId,
} from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { hasPart } from '../tree/query-level.ts'
import { sameExpression } from '../tree/same-expression.ts'
import { visitExpression } from '../tree/visit-query.ts'
import { canonicalExpression } from './canonical-expression.ts'
import { isImplied } from './implied-condition.ts'
import { bindIndex, type IndexDefinition } from './index-definition.ts'

/** The existing row, and the names for it. */
export interface ExistingRow {
  readonly relation: RelationId
  readonly scope: Scope
}

/** One part of a target, as the client wrote it. */
interface TargetPart {
  readonly expression: Expression
  readonly collation: string | undefined
  readonly operatorClass: string | undefined
}

/** `(lower(email) collate "C", k) where deleted_at is null` */
interface WantedIndex {
  readonly parts: readonly TargetPart[]
  readonly condition: Expression | undefined
}

/**
 * All columns of a target must be readable: an index is named by its expressions and a condition that implies its own, so a caller
 * can name none over a column that is hidden from them.
 *
 * @throws {GatewayError} `badRequest` (42P10) when there is no such index.
 */
export function bindConflictTarget(
  infer: InferClause,
  table: Table,
  existing: ExistingRow,
  context: StatementContext,
): ConflictTarget {
  if (hasSubquery(infer))
    throw unsupported('a subquery in the target of ON CONFLICT', infer.location)
  const environment = clauseEnvironment(context, existing.scope, 'ON CONFLICT')
  const wanted: WantedIndex = {
    parts: (infer.indexElems ?? []).map((node) =>
      bindPart(node, infer, table, existing, environment),
    ),
    condition:
      infer.whereClause && canonicalExpression(bindBoolean(infer.whereClause, environment)),
  }
  const key = plainKey(wanted, table)
  const definitions = (table.uniqueIndexes ?? []).map((index) =>
    bindIndex(index, table, existing.relation, context),
  )
  const readable = context.view.readable(table)
  const indexes = definitions.filter(
    (each) => each !== undefined && isOverReadable(each, readable) && isMeant(each, wanted),
  )
  const [first, ...others] = indexes.filter((each) => each !== undefined)
  const isPartial = indexes.some((each) => each?.index.condition !== undefined)
  if (key !== undefined && !isPartial) return { columns: key, index: undefined }
  if (first !== undefined) {
    const count = (key === undefined ? 1 : 2) + others.length
    return { columns: columnsIn(wanted), index: conflictIndex(wanted, [first, ...others], count) }
  }
  if (table.viewWrites !== undefined) {
    const target = 'a target of ON CONFLICT that is no key which the view shows'
    throw unsupported(`${target} ("${table.name}")`, infer.location)
  }
  throw noSuchIndex(infer, wanted, table, definitions.includes(undefined), context)
}

/** Nothing reads a table to find an index. */
function hasSubquery(syntax: unknown): boolean {
  if (typeof syntax !== 'object' || syntax === null) return false
  return 'SubLink' in syntax || Object.values(syntax).some(hasSubquery)
}

function bindPart(
  node: Node,
  { location }: InferClause,
  table: Table,
  { relation }: ExistingRow,
  environment: ExpressionEnvironment,
): TargetPart {
  if (!('IndexElem' in node)) throw unsupported('this target of ON CONFLICT', location)
  const { IndexElem: part } = node
  return {
    expression:
      part.expr === undefined
        ? columnNamed(part, table, relation, location, environment)
        : canonicalExpression(bindExpression(part.expr, environment)),
    collation: lastName(part.collation),
    operatorClass: lastName(part.opclass),
  }
}

/** The name without its schema. */
function lastName(names: readonly Node[] | undefined): string | undefined {
  const last = names?.at(-1)
  return last !== undefined && 'String' in last ? last.String.sval : undefined
}

function columnNamed(
  { name = '' }: IndexElem,
  table: Table,
  relation: RelationId,
  position: number | undefined,
  { context }: ExpressionEnvironment,
): Expression {
  const readable = context.view.readable(table)
  const column = table.columns.find((candidate) => candidate.name === name)
  if (column === undefined || (readable !== 'all' && !readable.has(column.ordinal))) {
    const known = columnNames(table, readable)
    throw context.view.unknownColumn({ name, table, position, known })
  }
  return { kind: 'column', relation, column: column.ordinal, type: column.type }
}

/** The columns of a key over all rows, which any condition fits. */
function plainKey({ parts }: WantedIndex, table: Table): readonly number[] | undefined {
  const ordinals = parts.map(({ expression, collation, operatorClass }) => {
    const isUsual = collation === undefined || collation === 'default'
    return expression.kind === 'column' && isUsual && operatorClass === undefined
      ? expression.column
      : undefined
  })
  const wanted = new Set(ordinals)
  const keys = table.viewWrites?.keys ?? [table.primaryKey, ...table.uniqueKeys]
  const isKey = keys.some(
    (key) => key.length === wanted.size && key.every((ordinal) => wanted.has(ordinal)),
  )
  return isKey ? [...wanted].filter((ordinal) => ordinal !== undefined) : undefined
}

/** A condition may be implied by one of its alternatives, without a word of the columns in the others. */
function isOverReadable(
  { meaning: { expressions, condition } }: IndexDefinition,
  readable: 'all' | ReadonlySet<number>,
): boolean {
  if (readable === 'all') return true
  return columnsOf([...expressions, condition]).isSubsetOf(readable)
}

/** Each part of the index is one of the target's, and the other way round; the target's condition implies that of the index. */
function isMeant(definition: IndexDefinition, { parts, condition }: WantedIndex): boolean {
  const own = definition.canonical.condition
  return (
    definition.index.parts.every((_, place) =>
      parts.some((part) => isSamePart(definition, place, part)),
    ) &&
    parts.every((part) => placeOf(definition, part) >= 0) &&
    (own === undefined || isImplied(own, condition))
  )
}

function placeOf(definition: IndexDefinition, part: TargetPart): number {
  return definition.index.parts.findIndex((_, place) => isSamePart(definition, place, part))
}

function isSamePart(
  { index, canonical }: IndexDefinition,
  place: number,
  { expression, collation, operatorClass }: TargetPart,
): boolean {
  const own = canonical.expressions[place]
  const part = index.parts[place]
  return (
    own !== undefined &&
    sameExpression(own, expression) &&
    isNameOf(collation, part?.collation) &&
    isNameOf(operatorClass, part?.operatorClass)
  )
}

/** A target without one fits every index. */
function isNameOf(name: string | undefined, own: NamedSql | undefined): boolean {
  return name === undefined || name.toLowerCase() === own?.name.toLowerCase()
}

function columnsIn({ parts, condition }: WantedIndex): readonly number[] {
  return [...columnsOf([...parts.map((part) => part.expression), condition])]
}

function columnsOf(expressions: readonly (Expression | undefined)[]): Set<number> {
  const columns = new Set<number>()
  for (const expression of expressions) {
    if (expression === undefined) continue
    visitExpression(expression, {
      expression: (part) => void (part.kind === 'column' && columns.add(part.column)),
    })
  }
  return columns
}

/** @param count of the indexes that the target means, a key over all rows included: all of them are watched. */
function conflictIndex(
  { parts }: WantedIndex,
  [first, ...others]: readonly [IndexDefinition, ...IndexDefinition[]],
  count: number,
): ConflictIndex {
  return {
    parts: parts.map((part): ConflictPart => {
      const own = first.index.parts[placeOf(first, part)]
      if (own === undefined) throw new GatewayError('internal', 'a target without its index')
      return {
        ...own,
        namesCollation: part.collation !== undefined,
        namesOperatorClass: part.operatorClass !== undefined,
      }
    }),
    conditions: [first, ...others].flatMap(({ index }) => index.condition ?? []),
    count,
    meaning: count === 1 && first.index.isLikeStatements === true ? first.meaning : undefined,
  }
}

function noSuchIndex(
  { location: position }: InferClause,
  wanted: WantedIndex,
  table: Table,
  hasUnknown: boolean,
  { view }: StatementContext,
): Error {
  if (hasParameter(wanted)) {
    return unsupported('a parameter in the target of ON CONFLICT (write a literal)', position)
  }
  const hasExpression = wanted.parts.some(({ expression }) => expression.kind !== 'column')
  if (hasExpression && table.uniqueIndexes === undefined) {
    return unsupported('an expression as the target of ON CONFLICT on this database', position)
  }
  if (table.partitionOf !== undefined) {
    return unsupported('ON CONFLICT with a key that the partitioned table does not have', position)
  }
  if (hasUnknown && view.readable(table) === 'all') {
    const what = 'a unique index with a definition that statements cannot have'
    return unsupported(`ON CONFLICT on a table that has ${what}, with this target`, position)
  }
  return bindError(
    'there is no unique or exclusion constraint matching the ON CONFLICT specification',
    { sqlState: '42P10', position },
  )
}

function hasParameter({ parts, condition }: WantedIndex): boolean {
  return [...parts.map((part) => part.expression), condition].some(
    (expression) =>
      expression !== undefined && hasPart(expression, ({ kind }) => kind === 'parameter'),
  )
}
