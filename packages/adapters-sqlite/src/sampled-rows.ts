/** A loop over rows that take no time checks for one of so many, on average, whether it must stop. A power of two. */
export const sampledRows = 32
