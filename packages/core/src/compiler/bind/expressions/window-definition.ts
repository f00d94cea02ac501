/** @module The content of OVER (...) and of the WINDOW clause. */
import type { Node, WindowDef } from '@pgsql/types'
import { bindError } from '../../sql/bind-error.ts'
import { resolveUnknown } from '../coercion/coerce.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, onlyFields } from '../scope/syntax-node.ts'
import type { SortKey } from '../tree/bound-query.ts'
import type { Expression, WindowFrame } from '../tree/expression.ts'
import { bindSortKeys, requireOrdering } from './sort-keys.ts'
import { bindFrame } from './window-frame.ts'

/** A window with the definitions of all its base windows filled in. */
export interface BoundWindow {
  readonly partitionBy: readonly Expression[]
  readonly orderBy: readonly SortKey[]
  readonly frame: WindowFrame | undefined
}

/**
 * Binds the window of a call. Names mean the windows of the WINDOW clause.
 *
 * @throws {GatewayError} `badRequest` for an unknown name or a definition that its base forbids.
 */
export function bindWindow(
  definition: WindowDef,
  environment: ExpressionEnvironment,
  bind: BindNode,
): BoundWindow {
  const inner: ExpressionEnvironment = { ...environment, clause: 'WINDOW', windows: 'forbidden' }
  const names = [...environment.namedWindows.keys()]
  const isNameOnly = definition.name !== undefined
  const spelled = isNameOnly
    ? namedWindow(definition.name, names, definition.location, environment)
    : definition
  const visible = isNameOnly ? names.slice(0, names.indexOf(definition.name ?? '')) : names
  return bindDefinition(spelled, visible, inner, bind)
}

/** @param visible names of the WINDOW clause that the definition may refer to: the ones before it. */
function bindDefinition(
  definition: WindowDef,
  visible: readonly string[],
  environment: ExpressionEnvironment,
  bind: BindNode,
): BoundWindow {
  onlyFields(definition, 'a window', [
    'name',
    'refname',
    'partitionClause',
    'orderClause',
    'frameOptions',
    'startOffset',
    'endOffset',
    'location',
  ])
  const own = (nodes: readonly Node[] | undefined) => nodes !== undefined && nodes.length > 0
  const base =
    definition.refname === undefined
      ? undefined
      : bindBase(definition.refname, visible, definition.location, environment, bind)
  if (base !== undefined) {
    requireExtension(definition, base, own(definition.partitionClause), own(definition.orderClause))
  }
  const partitionBy =
    base?.partitionBy ??
    (definition.partitionClause ?? []).map((node) => {
      const expression = resolveUnknown(bind(node, environment), environment)
      requireOrdering(expression, environment)
      return expression
    })
  const orderBy = own(definition.orderClause)
    ? bindSortKeys(definition.orderClause, environment, (node) => bind(node, environment))
    : (base?.orderBy ?? [])
  return { partitionBy, orderBy, frame: bindFrame(definition, orderBy, environment, bind) }
}

function bindBase(
  name: string,
  visible: readonly string[],
  position: number | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): BoundWindow {
  const definition = namedWindow(name, visible, position, environment)
  return bindDefinition(definition, visible.slice(0, visible.indexOf(name)), environment, bind)
}

function namedWindow(
  name: string | undefined,
  visible: readonly string[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): WindowDef {
  const definition = name === undefined ? undefined : environment.namedWindows.get(name)
  if (name === undefined || !visible.includes(name) || !isWindowDef(definition)) {
    throw bindError(`window "${name}" does not exist`, { sqlState: '42704', position })
  }
  return definition
}

function isWindowDef(value: unknown): value is WindowDef {
  return typeof value === 'object' && value !== null && 'frameOptions' in value
}

/** `(w ORDER BY x)` may only add clauses that `w` lacks. */
function requireExtension(
  definition: WindowDef,
  base: BoundWindow,
  hasPartition: boolean,
  hasOrder: boolean,
): void {
  const { refname, location: position } = definition
  const refuse = (message: string) => bindError(message, { sqlState: '42P20', position })
  if (hasPartition) throw refuse(`cannot override PARTITION BY clause of window "${refname}"`)
  if (hasOrder && base.orderBy.length > 0) {
    throw refuse(`cannot override ORDER BY clause of window "${refname}"`)
  }
  if (base.frame !== undefined) {
    throw refuse(`cannot copy window "${refname}" because it has a frame clause`)
  }
}
