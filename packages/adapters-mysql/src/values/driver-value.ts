/** What mysql2 reads, set up as here: big integers, decimals, dates and documents are text. */
export type DriverValue = number | string | Buffer | null
