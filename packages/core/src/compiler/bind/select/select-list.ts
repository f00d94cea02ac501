/** @module The list between SELECT (or RETURNING) and FROM. */
import type { Node, ResTarget } from '@pgsql/types'
import type { Steps } from '../../../foundation/steps.ts'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { resolveUnknown } from '../coercion/coerce.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { bindAllFields } from '../expressions/bind-field.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { derivedName, outputName, unnamedColumn } from '../scope/output-name.ts'
import type { NamedExpression } from '../scope/scope.ts'
import { nameParts } from '../scope/syntax-node.ts'
import type { OutputColumn } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'

/**
 * The items of a select list, stars expanded. They are bound on demand, since GROUP BY may refer to some of them before the
 * others can be bound.
 */
export interface SelectList {
  /** Names as far as they are available without binding; types are `unknown` until bound. */
  readonly length: number
  nameOf(index: number): string
  /** Bound in the environment of the first call. */
  expression(index: number, environment: ExpressionEnvironment): Expression
  /** Gives an item that is still untyped the type text, permanently. */
  resolve(index: number, environment: ExpressionEnvironment): Expression
}

interface Item {
  readonly target: ResTarget
  bound: Expression | undefined
  name: string | undefined
}

/** The most columns that a row of PostgreSQL can have. */
const maxItems = 1664

/** @param starEnvironment what `(value).*` is bound in */
export function createSelectList(
  targets: readonly Node[] | undefined,
  starEnvironment: ExpressionEnvironment,
): SelectList {
  const items = (targets ?? []).flatMap((node) => {
    if (!('ResTarget' in node)) throw unsupported('this select list', undefined)
    return expand(node.ResTarget, starEnvironment)
  })
  if (items.length > maxItems) {
    throw bindError(`target lists can have at most ${maxItems} entries`, {
      sqlState: '54011',
      position: undefined,
    })
  }
  const itemAt = (index: number): Item => {
    const item = items[index]
    if (item === undefined) throw new Error(`there is no select item ${index}`)
    return item
  }
  const expression = (index: number, environment: ExpressionEnvironment): Expression => {
    const item = itemAt(index)
    if (item.bound !== undefined) return item.bound
    const { val, location } = item.target
    if (val === undefined) throw unsupported('this select list', location)
    item.bound = bindExpression(val, environment)
    item.name = outputName(item.target, item.bound)
    return item.bound
  }
  return {
    length: items.length,
    nameOf: (index) => {
      const { name, target } = itemAt(index)
      return name ?? target.name ?? (target.val ? derivedName(target.val) : unnamedColumn)
    },
    expression,
    resolve: (index, environment) => {
      const resolved = resolveUnknown(expression(index, environment), environment)
      itemAt(index).bound = resolved
      return resolved
    },
  }
}

/** One item, or the items that a star expands to. */
function expand(target: ResTarget, environment: ExpressionEnvironment): readonly Item[] {
  const columns = columnsOf(target, environment)
  return (
    columns?.map(({ name, expression }) => ({ target, bound: expression, name })) ?? [
      { target, bound: undefined, name: undefined },
    ]
  )
}

function columnsOf(
  { val, location }: ResTarget,
  environment: ExpressionEnvironment,
): readonly NamedExpression[] | undefined {
  const parts = starParts(val)
  if (parts !== undefined) return environment.scope.star(parts, location)
  return val !== undefined && 'A_Indirection' in val
    ? bindAllFields(val.A_Indirection, environment, bindExpression)
    : undefined
}

/** `["t"]` of `t.*`; undefined for anything but a star. */
function starParts(node: Node | undefined): readonly string[] | undefined {
  if (node === undefined || !('ColumnRef' in node)) return undefined
  const { fields = [], location } = node.ColumnRef
  const last = fields.at(-1)
  if (last === undefined || !('A_Star' in last)) return undefined
  return nameParts(fields.slice(0, -1), 'this star', location)
}

/** Binds all items, each in a step. */
export function* columnsOfList(
  list: SelectList,
  environment: ExpressionEnvironment,
): Steps<readonly OutputColumn[]> {
  const columns: OutputColumn[] = []
  for (let i = 0; i < list.length; i += 1) {
    const { type } = list.expression(i, environment)
    columns.push({ name: list.nameOf(i), type })
    yield
  }
  return columns
}
