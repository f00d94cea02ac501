/** What SQLite stores: INTEGER (always as bigint), REAL, TEXT, BLOB and NULL. */
export type StoredValue = bigint | number | string | Uint8Array | null
