/** The values that drivers return: integers as bigint where they may be large, floats, texts, bytes and NULL. */
export type StoredValue = bigint | number | string | Uint8Array | null
