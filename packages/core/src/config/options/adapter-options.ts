import type { z } from 'zod'

/**
 * The check of the options that an adapter has besides those of every connection: an object of zod 4, such as
 * `z.strictObject({ threads: z.int().positive().default(4) })`. Unknown keys are refused in any case.
 *
 * `Values` is what the adapter gets: the options with their defaults.
 */
export type AdapterOptions<Values = unknown> = z.ZodObject & z.ZodType<Values>

/** What opens connections, with the check of its options. Absent: it has none. */
export interface WithAdapterOptions {
  readonly options?: AdapterOptions | undefined
}
