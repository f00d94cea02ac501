const numeric = /^(?:smallint|integer|bigint|numeric|real|double|decimal)\b(?!.*\[\])/

/** Values of numeric types are aligned at their last digit; those of their arrays are not. @param type of PostgreSQL. */
export function isNumericType(type: string): boolean {
  return numeric.test(type)
}
