/** `lower() is not supported on libSQL (position 8)` → `lower()` */
export function refusalReason(message: string): string {
  return message
    .replace(/ \(position \d+\)/, '')
    .replace(/ (?:is|are) not supported(?: on .*)?$/, '')
}
