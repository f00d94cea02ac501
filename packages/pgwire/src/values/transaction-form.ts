/** @module Types that tell of transactions and of places of rows: snapshots and tid. */
import { int4Bytes, int8Bytes } from './big-endian.ts'
import type { ValueForm } from './value-form.ts'

/** pg_snapshot and txid_snapshot: `10:20:10,14`; in binary the number of running transactions comes first. */
export const snapshotForm: ValueForm = {
  toBinary: (text) => {
    const [, least, end, running] = /^(\d{1,19}):(\d{1,19}):(\d+(?:,\d+)*|)$/.exec(text) ?? []
    if (least === undefined || end === undefined || running === undefined) return undefined
    const list = running === '' ? [] : running.split(',')
    const numbers = [least, end, ...list].map(BigInt)
    if (numbers.some((number) => number >= 2n ** 63n)) return undefined
    return Buffer.concat([int4Bytes(list.length), ...numbers.map(int8Bytes)])
  },
  fromBinary: (bytes) => {
    if (bytes.length < 20 || bytes.length !== 20 + bytes.readInt32BE(0) * 8) return undefined
    const numberAt = (position: number) => bytes.readBigInt64BE(position)
    const running = Array.from({ length: bytes.readInt32BE(0) }, (_, i) => numberAt(20 + i * 8))
    return `${numberAt(4)}:${numberAt(12)}:${running.join(',')}`
  },
}

/** tid: `(block,item)`, 32 and 16 bits. */
export const rowPlaceForm: ValueForm = {
  toBinary: (text) => {
    const [, block, item] = /^\((\d{1,10}),(\d{1,5})\)$/.exec(text) ?? []
    if (Number(block) > 0xffff_ffff || Number(item) > 0xffff) return undefined
    if (block === undefined || item === undefined) return undefined
    const bytes = Buffer.alloc(6)
    bytes.writeUInt32BE(Number(block), 0)
    bytes.writeUInt16BE(Number(item), 4)
    return bytes
  },
  fromBinary: (bytes) =>
    bytes.length === 6 ? `(${bytes.readUInt32BE(0)},${bytes.readUInt16BE(4)})` : undefined,
}
