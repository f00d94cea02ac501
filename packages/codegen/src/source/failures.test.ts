import { expect, test } from 'vitest'
import { networkFailure } from './failures.ts'

const url = new URL('https://data.example.com/schema')

test.each([
  ['ECONNREFUSED', 'Nothing answers at https://data.example.com.'],
  ['ENOTFOUND', 'There is no host called data.example.com.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS names a file'],
  ['CERT_HAS_EXPIRED', 'The certificate of data.example.com has expired.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is one of another host.'],
  ['EPIPE', 'https://data.example.com/schema cannot be read: broken'],
])('%s, as fetch tells it', (code, message) => {
  const cause = Object.assign(new Error('broken'), { code })
  expect(networkFailure(new TypeError('fetch failed', { cause }), url)).toContain(message)
})
