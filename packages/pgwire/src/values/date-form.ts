/** @module date, time, timetz, timestamp and timestamptz: in binary, counts since 2000. */
import { offsetText, oids, timeText } from '@engine/core/values'
import { int4Bytes, int8Bytes } from './big-endian.ts'
import {
  dateInOrder,
  dateInStyle,
  timeInUtcOffset,
  timeOfNow,
  timestampInSessionZone,
  timestampInStyle,
  timestampInUtc,
} from './session-zone.ts'
import {
  dayIn,
  maxOffset,
  microsecondsIn,
  microsecondsPerDay,
  type Timestamp,
  textOfDay,
  textOfTimestamp,
  timestampIn,
  utcTimestampIn,
  zonedTimeIn,
  zonedTimestampIn,
} from './timestamp.ts'
import type { ValueForm } from './value-form.ts'

/** Days from 1970 to 2000. */
const epochDay = 10_957
/** 4714-11-24 BC: Julian day 0. */
const firstDay: number = epochDay - 2_451_545
/** 5874898-01-01 */
const endOfDates = 2_147_483_494 - 2_451_545 + epochDay
/** 294277-01-01 */
const endOfTimestamps = 106_751_983 + epochDay

const mostInt4 = 0x7fff_ffff
const leastInt4 = -0x8000_0000
const mostInt8: bigint = 2n ** 63n - 1n
const leastInt8: bigint = -(2n ** 63n)

function isInfinite(text: string): boolean {
  return text === 'infinity' || text === '-infinity'
}

export const dateForm: ValueForm = {
  isCanonical: (text) => dayIn(text) !== undefined || isInfinite(text),
  toBinary: (text) => {
    if (isInfinite(text)) return int4Bytes(text === 'infinity' ? mostInt4 : leastInt4)
    const day = dayIn(text)
    if (day === undefined || day < firstDay || day >= endOfDates) return undefined
    return int4Bytes(day - epochDay)
  },
  fromBinary: (bytes) => {
    if (bytes.length !== 4) return undefined
    const count = bytes.readInt32BE(0)
    if (count === mostInt4) return 'infinity'
    if (count === leastInt4) return '-infinity'
    const day = count + epochDay
    return day < firstDay || day >= endOfDates ? undefined : textOfDay(day)
  },
  toSession: dateInStyle,
  fromSession: dateInOrder(oids.date),
}

export const timeForm: ValueForm = {
  isCanonical: (text) => microsecondsIn(text) !== undefined,
  toBinary: (text) => {
    const microseconds = microsecondsIn(text)
    return microseconds === undefined ? undefined : int8Bytes(BigInt(microseconds))
  },
  fromBinary: (bytes) => (bytes.length === 8 ? timeOf(bytes) : undefined),
  fromSession: timeOfNow,
}

/** The offset is counted westwards in binary. */
export const timetzForm: ValueForm = {
  isCanonical: (text) => zonedTimeIn(text) !== undefined,
  toBinary: (text) => {
    const time = zonedTimeIn(text)
    if (time === undefined) return undefined
    return Buffer.concat([int8Bytes(BigInt(time.microseconds)), int4Bytes(-time.offset)])
  },
  fromBinary: (bytes) => {
    if (bytes.length !== 12) return undefined
    const time = timeOf(bytes)
    const offset = 0 - bytes.readInt32BE(8)
    if (time === undefined || Math.abs(offset) >= maxOffset) return undefined
    return time + offsetText(offset)
  },
  fromSession: timeInUtcOffset,
}

function timeOf(bytes: Buffer): string | undefined {
  const microseconds = bytes.readBigInt64BE(0)
  const isTime = microseconds >= 0n && microseconds <= BigInt(microsecondsPerDay)
  return isTime ? timeText(Number(microseconds)) : undefined
}

export const timestampForm: ValueForm = {
  isCanonical: (text) => timestampIn(text) !== undefined || isInfinite(text),
  toBinary: (text) => timestampBytes(text, timestampIn(text)),
  fromBinary: (bytes) => timestampText(bytes, undefined),
  toSession: timestampInStyle,
  fromSession: dateInOrder(oids.timestamp),
}

export const timestamptzForm: ValueForm = {
  isCanonical: (text) => utcTimestampIn(text) !== undefined || isInfinite(text),
  toBinary: (text) => timestampBytes(text, zonedTimestampIn(text)),
  fromBinary: (bytes) => timestampText(bytes, 0),
  toSession: timestampInSessionZone,
  fromSession: timestampInUtc,
}

/** Days from 2000 within which microseconds are exact in a number. */
const exactDays = 100_000

function timestampBytes(text: string, timestamp: Timestamp | undefined): Buffer | undefined {
  if (timestamp === undefined) {
    return isInfinite(text) ? int8Bytes(text === 'infinity' ? mostInt8 : leastInt8) : undefined
  }
  if (timestamp.day < firstDay || timestamp.day >= endOfTimestamps) return undefined
  const days = timestamp.day - epochDay
  if (Math.abs(days) > exactDays) {
    return int8Bytes(BigInt(days) * BigInt(microsecondsPerDay) + BigInt(timestamp.microseconds))
  }
  const microseconds = days * microsecondsPerDay + timestamp.microseconds
  const high = Math.floor(microseconds / 0x1_0000_0000)
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeInt32BE(high, 0)
  bytes.writeUInt32BE(microseconds - high * 0x1_0000_0000, 4)
  return bytes
}

function timestampText(bytes: Buffer, offset: number | undefined): string | undefined {
  if (bytes.length !== 8) return undefined
  const count = bytes.readBigInt64BE(0)
  if (count === mostInt8) return 'infinity'
  if (count === leastInt8) return '-infinity'
  const perDay = BigInt(microsecondsPerDay)
  const days = (count - (((count % perDay) + perDay) % perDay)) / perDay
  const day = Number(days) + epochDay
  if (day < firstDay || day >= endOfTimestamps) return undefined
  return textOfTimestamp({ day, microseconds: Number(count - days * perDay) }, offset)
}
