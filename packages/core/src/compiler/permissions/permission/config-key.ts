/** A text that is equal for equal values of a configuration, and for no others: what JSON cannot spell included. */
export function configKey(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    switch (typeof part) {
      case 'bigint':
        return { $bigint: String(part) }
      case 'number':
        return Number.isFinite(part) ? part : { $number: String(part) }
      default:
        return part
    }
  })
}
