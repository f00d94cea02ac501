import { z } from 'zod'

/** Parameters of a list: how many entries, and where the previous page ended. */
export const pageInput: {
  readonly limit: z.ZodType<number>
  readonly cursor: z.ZodOptional<z.ZodType<string>>
} = {
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** Opaque to clients: the number of earlier entries. */
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'is no cursor of this list')
    .optional(),
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Cursor of the next page; null at the end. */
  readonly next: string | null
}

/** Reads one entry more than is shown, to know whether there are more. */
export async function readPage<Item>(
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  read: (range: { readonly limit: number; readonly offset: number }) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const offset = cursor === undefined ? 0 : Number(cursor)
  const found = await read({ limit: limit + 1, offset })
  const next = found.length > limit ? String(offset + limit) : null
  return { items: found.slice(0, limit), next }
}
