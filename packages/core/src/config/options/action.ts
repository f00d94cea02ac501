/** @module Actions: typed functions on the server that callers may run. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Kysely } from 'kysely'
import type { Caller, CallerFields } from '../../foundation/caller.ts'
import type { Log } from '../../foundation/log.ts'
import type { ActionAccounts } from './action-accounts.ts'

/** The second argument of `run`, besides its input. */
export interface ActionContext {
  /** The caller; its `fields` can also be read directly: `user.email`. */
  readonly user: Caller & CallerFields
  /** Tables are `<connection>.<table>`; runs through the engine with system rights. */
  // biome-ignore lint/suspicious/noExplicitAny: tables are those of the user's connections
  readonly db: Kysely<any>
  /** Invitations. Every method throws where the engine has no accounts of its own (`auth`). */
  readonly accounts: ActionAccounts
  /** Aborted when the caller disconnects or time is up. */
  readonly signal: AbortSignal
  readonly log: Log
}

/** An action as a user writes it: zod 4, zod 3 or any Standard Schema for input and output. */
export interface ActionDefinition<
  Input extends StandardSchemaV1 = StandardSchemaV1,
  Output extends StandardSchemaV1 = StandardSchemaV1,
> {
  readonly description?: string
  /** Roles that may run it; `*` is every authenticated caller. */
  readonly roles: readonly string[]
  readonly input: Input
  readonly output?: Output
  /** Milliseconds; `limits.queryTimeout` by default. */
  readonly timeout?: number
  run(
    context: ActionContext,
    input: StandardSchemaV1.InferOutput<Input>,
  ):
    | Promise<StandardSchemaV1.InferInput<Output> | undefined>
    | StandardSchemaV1.InferInput<Output>
    | undefined
}

/**
 * Infers types from the schemas; returns its argument.
 *
 * @example
 * const placeOrder = defineAction({
 *   roles: ['customer'],
 *   input: z.object({ product: z.int(), count: z.int().default(1) }),
 *   output: z.object({ order: z.int() }),
 *   run: async ({ db, user }, { product, count }) => {
 *     const row = { customer_id: user.customer_id, product, count }
 *     const { id } = await db.insertInto('main.orders').values(row).returning('id').executeTakeFirstOrThrow()
 *     return { order: id }
 *   },
 * })
 */
export function defineAction<Input extends StandardSchemaV1, Output extends StandardSchemaV1>(
  action: ActionDefinition<Input, Output>,
): ActionDefinition<Input, Output> {
  return action
}
