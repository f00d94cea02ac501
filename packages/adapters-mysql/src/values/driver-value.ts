/** Values that mysql2 returns with this adapter's options: big integers, decimals, dates and documents are text. */
export type DriverValue = number | string | Buffer | null
