/** A text that is equal only for equal values of a configuration, including values that JSON cannot express. */
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
