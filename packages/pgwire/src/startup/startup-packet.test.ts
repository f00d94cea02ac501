import { expect, test } from 'vitest'
import { decodeStartupPacket } from './startup-packet.ts'

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const startup = (text: string, version = 0x0003_0000) =>
  Buffer.concat([int32(version), Buffer.from(text, 'latin1')])

test('a startup packet names its parameters and the extensions it would like', () => {
  const packet = decodeStartupPacket(
    startup('user\0ada\0options\0\0_pq_.grease\0x\0database\0shop\0\0', 0x0003_0002),
  )
  expect(packet).toEqual({
    kind: 'startup',
    protocol: 0x0003_0002,
    parameters: new Map([
      ['user', 'ada'],
      ['options', ''],
      ['database', 'shop'],
    ]),
    extensions: ['_pq_.grease'],
  })
})

test('requests for encryption and for the end of a statement have codes of their own', () => {
  expect(decodeStartupPacket(int32(80_877_103))).toMatchObject({ kind: 'tls' })
  expect(decodeStartupPacket(int32(80_877_104))).toMatchObject({ kind: 'gss' })
  expect(
    decodeStartupPacket(Buffer.concat([int32(80_877_102), int32(7), Buffer.from('abcd')])),
  ).toEqual({ kind: 'cancel', processId: 7, secret: Buffer.from('abcd') })
})

test.each([
  ['nothing behind the version', startup(''), '08P01'],
  ['no last NUL', startup('user\0ada\0'), '08P01'],
  ['a name without a value', startup('user\0\0'), '08P01'],
  ['something behind the last NUL', startup('user\0ada\0\0x'), '08P01'],
  ['no UTF-8', startup('user\0\xff\0\0'), '22021'],
  ['protocol 2', startup('user\0ada\0\0', 0x0002_0000), '0A000'],
  ['protocol 4', startup('user\0ada\0\0', 0x0004_0000), '0A000'],
  ['a request for TLS with a body', startup('x', 80_877_103), '0A000'],
  ['a secret of three bytes', startup('\0\0\0\0abc', 80_877_102), '08P01'],
  ['a secret of 257 bytes', startup(`\0\0\0\0${'a'.repeat(257)}`, 80_877_102), '08P01'],
])('%s is refused', (_, body, sqlState) => {
  expect(() => decodeStartupPacket(body)).toThrow(expect.objectContaining({ sqlState }))
})
