import type { StatementSettings } from '../../compiler/bind/tree/statement-settings.ts'
import type { AuthorizedStatement } from '../../compiler/permissions/authorize/authorized.ts'
import {
  needsPrecheck,
  needsRecheck,
  precheckOf,
  type Recheck,
  recheckOf,
} from '../../compiler/permissions/recheck/recheck.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { createParameterRecipe, type ParameterRecipe } from '../execute/parameter-values.ts'
import { timedPlanning } from '../limits/timed-planning.ts'

/** The settings of the write. */
interface WriteZone {
  readonly settings: StatementSettings | undefined
  /** The session is in UTC. */
  readonly isInUtc: boolean
}

/** `Adapter.compile`. */
type Compile = (statement: AuthorizedStatement) => CompiledStatement

/** See `Recheck`. */
export interface PreparedRecheck {
  readonly queries: readonly {
    readonly compiled: CompiledStatement
    readonly recipe: ParameterRecipe
  }[]
  readonly isComplete: boolean
  /** The result depends on the request alone: it is the same in every state of the database. */
  readonly isPure: boolean
}

/**
 * Compiled when it is first needed: most writes are never refused.
 *
 * @param nodes of the client's syntax tree: compiling has the same budget as its plan
 */
export function prepareRecheck(
  nodes: number,
  authorized: AuthorizedStatement,
  compile: Compile,
  zone: WriteZone,
): (() => PreparedRecheck) | undefined {
  return needsRecheck(authorized)
    ? prepared(nodes, authorized, compile, zone, recheckOf)
    : undefined
}

/** The queries before an INSERT with ON CONFLICT; undefined for every other statement. */
export function preparePrecheck(
  nodes: number,
  authorized: AuthorizedStatement,
  compile: Compile,
  zone: WriteZone,
): (() => PreparedRecheck) | undefined {
  return needsPrecheck(authorized)
    ? prepared(nodes, authorized, compile, zone, precheckOf)
    : undefined
}

function prepared(
  nodes: number,
  authorized: AuthorizedStatement,
  compile: Compile,
  zone: WriteZone,
  queriesOf: (statement: AuthorizedStatement) => Recheck,
): () => PreparedRecheck {
  const { types } = authorized.connection
  let known: PreparedRecheck | undefined
  const compiledAs = (query: AuthorizedStatement): readonly CompiledStatement[] => {
    try {
      // Marked as a write: its values are read and its errors reported like those of the write that it checks.
      return [{ ...compile(query), isWrite: true, settings: zone.settings }]
    } catch (error) {
      if (error instanceof GatewayError && error.status < 500) return []
      throw error
    }
  }
  const prepare = (): PreparedRecheck => {
    const { queries, isComplete, isPure } = queriesOf(authorized)
    const compiled = queries.flatMap(compiledAs)
    return {
      queries: compiled.map((each) => ({
        compiled: each,
        recipe: createParameterRecipe(each, types, zone.isInUtc),
      })),
      isComplete: isComplete && compiled.length === queries.length,
      isPure,
    }
  }
  return () => {
    known ??= timedPlanning({ nodes }, prepare)
    return known
  }
}
