/** @module interval: in binary, microseconds, days and months. */
import { intervalText, parseInterval, readableInterval } from '@engine/core/values'
import { int4Bytes, int8Bytes } from './big-endian.ts'
import type { ValueSettings } from './cell-format.ts'
import { respellInterval } from './interval-style.ts'
import type { Respell, ValueForm } from './value-form.ts'

const sign = '[+-]?'
const pattern = new RegExp(
  `^(?=.)(?:${sign}\\d+ years?)?(?:(?:^| )${sign}\\d+ mons?)?(?:(?:^| )${sign}\\d+ days?)?(?:(?:^| )${sign}\\d\\d+:[0-5]\\d:[0-5]\\d(?:\\.\\d{0,5}[1-9])?)?$`,
)

/** Only PostgreSQL 17 and later have infinite ones. */
const infinities: ReadonlyMap<string, Buffer> = new Map([
  ['infinity', Buffer.from('7fffffffffffffff7fffffff7fffffff', 'hex')],
  ['-infinity', Buffer.from('80000000000000008000000080000000', 'hex')],
])

export const intervalForm: ValueForm = {
  isCanonical: (text) => pattern.test(text) || infinities.has(text),
  toBinary: (text) => {
    const infinity = infinities.get(text)
    if (infinity !== undefined) return infinity
    const parts = pattern.test(text) ? parseInterval(readableInterval(text)) : 'syntax'
    if (typeof parts === 'string') return undefined
    const { microseconds, days, months } = parts
    return Buffer.concat([int8Bytes(microseconds), int4Bytes(days), int4Bytes(months)])
  },
  fromBinary: (bytes) => {
    if (bytes.length !== 16) return undefined
    for (const [text, spelled] of infinities) if (spelled.equals(bytes)) return text
    const microseconds = bytes.readBigInt64BE(0)
    return intervalText({ microseconds, days: bytes.readInt32BE(8), months: bytes.readInt32BE(12) })
  },
  toSession: styled,
  fromSession: signed,
}

/**
 * In the style `sql_standard` a sign in front of everything counts for all fields: `-1 2:03` → `-1 -2:03`. With another sign in the text
 * it counts for its own field, as in the other styles.
 */
function signed({ intervalStyle }: ValueSettings): Respell | undefined {
  if (intervalStyle !== 'sql_standard') return undefined
  return (text) => {
    const isNegative = /^\s*-/.test(text) && !/[\sa-z][+-][\d.]/i.test(text.trim())
    return isNegative
      ? text.replaceAll(/(?<=[\sa-z])[\d.]/gi, (first) => ` -${first === '.' ? '0.' : first}`)
      : text
  }
}

function styled({ intervalStyle = 'postgres', isWritten }: ValueSettings): Respell | undefined {
  if (intervalStyle === 'postgres' || isWritten === true) return undefined
  return (text) => respellInterval(text, intervalStyle)
}
