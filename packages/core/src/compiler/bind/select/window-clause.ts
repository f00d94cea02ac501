import type { Node, WindowDef } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { bindWindow } from '../expressions/window-definition.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { Expression } from '../tree/expression.ts'

/**
 * The windows of a WINDOW clause by name, in order. They are bound where they are used.
 *
 * @throws {GatewayError} `badRequest` (42P20) when two have the same name.
 */
export function namedWindows(nodes: readonly Node[] | undefined): ReadonlyMap<string, WindowDef> {
  const windows = new Map<string, WindowDef>()
  for (const node of nodes ?? []) {
    if (!('WindowDef' in node)) throw unsupported('this WINDOW clause', undefined)
    const { name = '', location } = node.WindowDef
    if (windows.has(name)) {
      throw bindError(`window "${name}" is already defined`, {
        sqlState: '42P20',
        position: location,
      })
    }
    windows.set(name, node.WindowDef)
  }
  return windows
}

/** Checks the expressions of windows that no call uses: they must be valid too. */
export function checkWindows(
  windows: ReadonlyMap<string, WindowDef>,
  environment: ExpressionEnvironment,
): readonly Expression[] {
  return [...windows].flatMap(([name, { location }]) => {
    const reference: WindowDef = location === undefined ? { name } : { name, location }
    const { partitionBy, orderBy } = bindWindow(reference, environment, bindExpression)
    return [...partitionBy, ...orderBy.map(({ expression }) => expression)]
  })
}
