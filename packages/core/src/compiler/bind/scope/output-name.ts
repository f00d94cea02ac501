import type { Node, ResTarget } from '@pgsql/types'
import type { Expression } from '../tree/expression.ts'

/** PostgreSQL's name for a column without a derivable name. */
export const unnamedColumn = '?column?'

/**
 * The name of a result column as PostgreSQL gives it: the client's, else that of the column, function or construct.
 *
 * @param bound the same expression bound: the name of a scalar subquery is that of its column.
 */
export function outputName(target: ResTarget, bound: Expression): string {
  if (target.name !== undefined) return target.name
  return target.val === undefined ? unnamedColumn : derivedName(target.val, bound)
}

/** The name of an expression without an alias. */
export function derivedName(node: Node, bound?: Expression): string {
  return figureName(node, bound)?.name ?? unnamedColumn
}

/** A weak name is replaced by that of the enclosing construct: `(case ... end)::text` is called "text", `id::text` stays "id". */
interface FiguredName {
  readonly name: string
  readonly isWeak: boolean
}

/** @see PostgreSQL's `FigureColname` */
function figureName(node: Node, bound: Expression | undefined): FiguredName | undefined {
  if ('ColumnRef' in node) return strong(lastName(node.ColumnRef.fields))
  if ('FuncCall' in node) return strong(lastName(node.FuncCall.funcname))
  if ('A_Indirection' in node) {
    const field = lastName(node.A_Indirection.indirection)
    return field === undefined ? inner(node.A_Indirection.arg, subscripted(bound)) : strong(field)
  }
  if ('A_Expr' in node) return node.A_Expr.kind === 'AEXPR_NULLIF' ? strong('nullif') : undefined
  if ('CollateClause' in node) return inner(node.CollateClause.arg, bound)
  if ('TypeCast' in node) {
    return orWeak(inner(node.TypeCast.arg, bound), lastName(node.TypeCast.typeName?.names))
  }
  if ('CaseExpr' in node) {
    const otherwise = bound?.kind === 'case' ? bound.otherwise : undefined
    return orWeak(inner(node.CaseExpr.defresult, otherwise), 'case')
  }
  if ('SubLink' in node) return subqueryName(node.SubLink.subLinkType, bound)
  if ('SQLValueFunction' in node) return strong(momentName(node.SQLValueFunction.op))
  if ('MinMaxExpr' in node) {
    return strong(node.MinMaxExpr.op === 'IS_LEAST' ? 'least' : 'greatest')
  }
  const [kind = ''] = Object.keys(node)
  return strong(constructNames.get(kind))
}

const constructNames: ReadonlyMap<string, string> = new Map([
  ['A_ArrayExpr', 'array'],
  ['CoalesceExpr', 'coalesce'],
  ['GroupingFunc', 'grouping'],
  ['RowExpr', 'row'],
])

function inner(node: Node | undefined, bound: Expression | undefined): FiguredName | undefined {
  return node === undefined ? undefined : figureName(node, withoutCasts(bound))
}

function withoutCasts(bound: Expression | undefined): Expression | undefined {
  return bound?.kind === 'cast' || bound?.kind === 'collate' ? withoutCasts(bound.operand) : bound
}

/** The expression before the subscripts. */
function subscripted(bound: Expression | undefined): Expression | undefined {
  const plain = withoutCasts(bound)
  const isPart = plain?.kind === 'subscript' || plain?.kind === 'arraySection'
  return isPart ? subscripted(plain.operand) : plain
}

function strong(name: string | undefined): FiguredName | undefined {
  return name === undefined ? undefined : { name, isWeak: false }
}

function orWeak(
  figured: FiguredName | undefined,
  name: string | undefined,
): FiguredName | undefined {
  if (figured?.isWeak === false || name === undefined) return figured
  return { name, isWeak: true }
}

/** The last part that is a name; a star or subscript is not a name. */
function lastName(nodes: readonly Node[] | undefined): string | undefined {
  const names = (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []))
  return names.at(-1)
}

function subqueryName(kind: string | undefined, bound: Expression | undefined) {
  switch (kind) {
    case 'EXISTS_SUBLINK':
      return strong('exists')
    case 'ARRAY_SUBLINK':
      return strong('array')
    case 'EXPR_SUBLINK':
      return strong(bound?.kind === 'subquery' ? bound.query.columns[0]?.name : undefined)
    default:
      return undefined
  }
}

/** `SVFOP_CURRENT_TIMESTAMP_N` → `current_timestamp` */
function momentName(operation: string | undefined): string | undefined {
  return operation
    ?.replace(/^SVFOP_/, '')
    .replace(/_N$/, '')
    .toLowerCase()
}
