/** @module DateStyle: how dates are written, and in which order an ambiguous one is read. */
import type { DateOrder } from '@engine/core/values'
import type { DateOutput } from '../../values/date-style.ts'
import { invalidValue } from './setting-error.ts'

/**
 * `iso, dmy` → `ISO, DMY`; a part that is not given keeps its value, and the style German has the order DMY unless another is given.
 *
 * @throws {GatewayError} 22023 for other words, and for two styles or two orders.
 */
export function normalizeDateStyle(value: string, current: string): string {
  if (value.trim() === '') return current
  const words = value
    .toLowerCase()
    .split(',')
    .map((word) => word.trim().replaceAll('"', ''))
    .filter((word) => word !== 'default')
  const styles = new Set(words.map(styleOf).filter((style) => style !== undefined))
  const orders = new Set(words.map(orderOf).filter((order) => order !== undefined))
  const isKnown = words.every((word) => (styleOf(word) ?? orderOf(word)) !== undefined)
  if (!isKnown || styles.size > 1 || orders.size > 1) throw invalidValue('DateStyle', value)
  const hasDefaults = /\bdefault\b/i.test(value)
  const { style: lastStyle, order: lastOrder } = dateStyleIn(hasDefaults ? 'ISO, MDY' : current)
  const [style = lastStyle] = styles
  const [order = styles.has('German') ? 'DMY' : lastOrder] = orders
  return `${style}, ${order}`
}

/** The parts of a normalized value: `SQL, DMY`. */
export function dateStyleIn(value: string): {
  readonly style: DateOutput
  readonly order: DateOrder
} {
  const [style = '', order = ''] = value.split(', ')
  return {
    style: styleOf(style.toLowerCase()) ?? 'ISO',
    order: orderOf(order.toLowerCase()) ?? 'MDY',
  }
}

function styleOf(word: string): DateOutput | undefined {
  if (word.startsWith('postgres')) return 'Postgres'
  return styleNames.get(word)
}

const styleNames: ReadonlyMap<string, DateOutput> = new Map([
  ['iso', 'ISO'],
  ['sql', 'SQL'],
  ['german', 'German'],
])

function orderOf(word: string): DateOrder | undefined {
  if (word === 'ymd') return 'YMD'
  if (word === 'dmy' || word.startsWith('euro')) return 'DMY'
  return word === 'mdy' || word === 'us' || word.startsWith('noneuro') ? 'MDY' : undefined
}
