/** @module The definition of a unique index, bound like an expression of a client, so that both can be compared. */
import type { Node, SelectStmt } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { UniqueIndex } from '../../catalog/unique-index.ts'
import { parseStatement } from '../../sql/parse.ts'
import { bindBoolean, bindExpression } from '../expressions/bind-expression.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import { fullAccessView } from '../scope/full-access-view.ts'
import { createParameterTypes } from '../scope/parameter-types.ts'
import { columnsOf, plainEntry } from '../scope/range-table-entry.ts'
import type { NamedExpression } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { IndexMeaning, RelationId } from '../tree/bound-query.ts'
import { canonicalExpression } from './canonical-expression.ts'

/** A unique index whose expressions have a meaning here. Their columns are those of `relation`. */
export interface IndexDefinition {
  readonly index: UniqueIndex
  readonly meaning: IndexMeaning
  /** The canonical forms. */
  readonly canonical: Pick<IndexMeaning, 'expressions' | 'condition'>
}

/**
 * Columns hidden from the caller have a meaning in a definition: it is compared with what the caller wrote, and never shown.
 *
 * @returns undefined for a definition with a name or a construct that statements cannot have.
 */
export function bindIndex(
  index: UniqueIndex,
  table: Table,
  relation: RelationId,
  context: StatementContext,
): IndexDefinition | undefined {
  try {
    const { targetList = [], whereClause } = syntaxOf(index)
    const environment = definitionEnvironment(table, relation, context)
    const expressions = targetList.map((node) => bindExpression(expressionOf(node), environment))
    const condition = whereClause && bindBoolean(whereClause, environment)
    return {
      index,
      meaning: { relation, expressions, condition },
      canonical: {
        expressions: expressions.map(canonicalExpression),
        condition: condition && canonicalExpression(condition),
      },
    }
  } catch (error) {
    if (error instanceof GatewayError && isAboutText(error)) return undefined
    throw error
  }
}

/** The definition as `select <parts> where <condition>`. */
function syntaxOf({ parts, condition }: UniqueIndex): SelectStmt {
  const where = condition === undefined ? '' : ` where ${condition.native}`
  const { statement } = parseStatement(`select ${parts.map(({ native }) => native).join()}${where}`)
  if ('SelectStmt' in statement) return statement.SelectStmt
  throw new GatewayError('internal', 'an index without expressions')
}

function expressionOf(node: Node): Node {
  if ('ResTarget' in node && node.ResTarget.val !== undefined) return node.ResTarget.val
  throw new GatewayError('internal', 'an index with an empty expression')
}

function definitionEnvironment(
  table: Table,
  relation: RelationId,
  context: StatementContext,
): ReturnType<typeof clauseEnvironment> {
  const { connection } = context
  const view = fullAccessView(connection)
  const columns = withFoldedNames(columnsOf(relation, table.columns))
  const scope = createScope({
    outer: undefined,
    view,
    sources: [plainEntry(undefined, columns, relation)],
  })
  const own: StatementContext = {
    ...context,
    view,
    types: connection.types,
    parameters: createParameterTypes(connection.types),
    // In a definition, a qualifier of a type is the schema itself.
    schemaNamed: (schema) => schema,
    timeZone: undefined,
  }
  return clauseEnvironment(own, scope, 'ON CONFLICT')
}

/** SQLite ignores the case of names, and keeps a definition as it was written. */
function withFoldedNames(columns: readonly NamedExpression[]): readonly NamedExpression[] {
  const names = new Set(columns.map(({ name }) => name))
  const folded = columns
    .map((column) => ({ ...column, name: column.name.toLowerCase() }))
    .filter(({ name }) => !names.has(name))
  return [...columns, ...folded]
}

/** An error about the text, not about a limit of the plan or a fault of the engine. */
function isAboutText({ sqlState = '' }: GatewayError): boolean {
  return sqlState.startsWith('42') || sqlState.startsWith('22') || sqlState === '0A000'
}
