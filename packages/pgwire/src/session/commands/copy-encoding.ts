/** @module The encoding of the lines of COPY: its option ENCODING, or that of the session. */
import type { ClientEncoding } from '../../encodings/client-encoding.ts'
import type { SessionSettings } from '../settings/session-settings.ts'
import type { CopyOptions } from '../statements/client-statement.ts'

/** Undefined is UTF-8. */
export function encodingOfCopy(
  { encoding }: CopyOptions,
  settings: SessionSettings,
): ClientEncoding | undefined {
  return encoding === undefined ? settings.clientEncoding() : encoding.client
}

/** Lines → the bytes of COPY … TO STDOUT; data that are bytes already stay as they are. */
export function copyBytes(
  data: string | Uint8Array,
  encoding: ClientEncoding | undefined,
): Uint8Array {
  if (typeof data !== 'string') return data
  return encoding === undefined ? Buffer.from(data) : encoding.encode(data)
}
