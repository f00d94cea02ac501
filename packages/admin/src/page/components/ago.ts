const units: readonly (readonly [ms: number, letter: string])[] = [
  [365 * 86_400_000, 'y'],
  [30 * 86_400_000, 'mo'],
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
]

/** `just now`, `5 min ago`, `in 3 d`. Milliseconds since 1970. */
export function ago(atMs: number, nowMs: number): string {
  const distance = Math.abs(nowMs - atMs)
  const unit = units.find(([ms]) => distance >= ms)
  if (unit === undefined) return atMs > nowMs + 1_000 ? 'in a moment' : 'just now'
  const text = `${Math.floor(distance / unit[0])} ${unit[1]}`
  return atMs > nowMs ? `in ${text}` : `${text} ago`
}

/** `2 d 3 h`, `4 min`, `12 s` */
export function duration(seconds: number): string {
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  if (first < 0) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, letter]) => `${count} ${letter}`)
    .join(' ')
}

/** 24 hours, so that it is short everywhere. */
export function clockTime(at: string | number, withSeconds: boolean): string {
  return new Date(at).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(withSeconds ? { second: '2-digit' } : {}),
  })
}
