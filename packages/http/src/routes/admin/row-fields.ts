import { z } from 'zod'

/** Columns of a row of the user table. That the table has them is checked where the row is made. */
export const rowFields: z.ZodType<Readonly<Record<string, string | number | boolean | null>>> = z
  .record(z.string(), z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]))
  .refine((fields) => Object.keys(fields).length <= 100, { error: 'has more than 100 columns' })
