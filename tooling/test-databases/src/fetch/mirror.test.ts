import { expect, test } from 'vitest'
import { mirrorOf } from './mirror.ts'

test('the mirror of a deb822 file, not the one of security updates', () => {
  const text = `# made by an image
Types: deb
URIs: http://deb.example/debian-security
Suites: bookworm-security
Components: main

Types: deb
# http://snapshot.example
URIs: http://deb.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`
  expect(mirrorOf([{ name: 'debian.sources', text }])).toBe('http://deb.example/debian')
})

test('the mirror of a classic file', () => {
  const text = `#deb http://off.example/debian bookworm main
deb-src http://source.example/debian bookworm main
deb http://security.example/debian-security bookworm-security main
deb http://old-security.example/ bookworm/updates main
deb [arch=amd64 signed-by=/a/b.gpg] http://deb.example/debian bookworm main contrib
`
  expect(mirrorOf([{ name: 'sources.list', text }])).toBe('http://deb.example/debian')
})

test('the repository of another project is no mirror', () => {
  const text = 'deb https://apt.example/repo stable stable\n'
  expect(mirrorOf([{ name: 'other.list', text }])).toBeUndefined()
  expect(mirrorOf([])).toBeUndefined()
})
