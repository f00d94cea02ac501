import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'

const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

let program: Program

beforeEach(() => {
  program = createProgram()
  program.folder.write(
    'engine.config.json',
    JSON.stringify({
      connections: { main: { url: 'main.db', create: true } },
      auth: { secret: 'a secret of at least thirty-two bytes' },
    }),
  )
})

afterEach(() => program.close())

async function signIn(http: string, email: string): Promise<Response> {
  return fetch(`${http}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'U*U' }),
  })
}

test('users of a file sign in to the server with what they had', async () => {
  program.folder.write(
    'users.ndjson',
    `\ufeff${JSON.stringify({ email: 'ada@example.com', passwordHash: bcrypt, name: 'Ada' })}\r\n\r\n${JSON.stringify({ email: 'bob@example.com', passwordHash: bcrypt })}\n`,
  )
  const { code, stdout } = await program.run(['users', 'import', 'users.ndjson'])
  expect(JSON.parse(stdout)).toEqual({ created: 2, updated: 0, skipped: 0, refused: 0 })
  expect(code).toBe(0)
  const again = await program.run(['users', 'import', 'users.ndjson'])
  expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, skipped: 2 })
  expect(again.code).toBe(0)
  const server = program.start(['--port', '0'])
  const http = await server.ready()
  const answer = await signIn(http, 'ada@example.com')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ user: { name: 'Ada' } })
})

test('a wrong line is reported, without its hash, and does not stop the others', async () => {
  program.folder.write(
    'users.csv',
    [
      'email,name,passwordHash,emailVerified,roles,createdAt',
      `ada@example.com,"Lovelace, Ada",${bcrypt},true,"editor, admin",2020-01-01T00:00:00Z`,
      `bob@example.com,Bob,${bcrypt.slice(0, 40)},,,`,
      `carol@example.com,"Carol
of two lines",${bcrypt},,,`,
      `dave@example.com,Dave,${bcrypt},perhaps,,`,
      `eve@example.com,,,0,,`,
    ].join('\r\n'),
  )
  const { code, stdout, stderr } = await program.run(['users', 'import', 'users.csv'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toEqual({ created: 2, updated: 0, skipped: 0, refused: 3 })
  expect(stderr.split('\n').filter((line) => line.startsWith('line '))).toEqual([
    'line 3: passwordHash must be a hash of bcrypt, scrypt, PBKDF2 or Argon2.',
    'line 5: name must not contain control characters.',
    'line 6: emailVerified must be true or false.',
  ])
  expect(stderr).not.toContain('$2a$')
  const updated = await program.run(['users', 'import', 'users.csv', '--update'])
  expect(JSON.parse(updated.stdout)).toMatchObject({ updated: 2, refused: 3 })
})

test('broken records are reported, and those after them as far as that can be known', async () => {
  program.folder.write(
    'users.csv',
    `email,passwordHash\nada@example.com,${bcrypt}\nbob@example.com\ncarol@example.com,${bcrypt}\neve@example.com,"${bcrypt}" x\nfay@example.com,${bcrypt}\n`,
  )
  const csv = await program.run(['users', 'import', 'users.csv'])
  expect(csv.code).toBe(1)
  expect(JSON.parse(csv.stdout)).toMatchObject({ created: 2, refused: 2 })
  expect(csv.stderr).toMatch(/^line 3: The record has another number of cells/m)
  expect(csv.stderr).toMatch(/^line 5: The file is no CSV from here on/m)
  const good = JSON.stringify({ email: 'dave@example.com', passwordHash: bcrypt })
  program.folder.write('users.jsonl', `{"email": "ada\n${good}`)
  const json = await program.run(['users', 'import', 'users.jsonl'])
  expect(json.stderr).toMatch(/^line 1: The line is not JSON\.$/m)
  expect(JSON.parse(json.stdout)).toMatchObject({ created: 1, refused: 1 })
})

test.each([
  [['users', 'import'], 'Say which file'],
  [['users', 'import', 'users.xml'], 'must end in'],
  [['users', 'import', 'users.csv'], 'ENOENT'],
  [['users', 'import', 'users.csv', '--updat'], '--updat'],
])('%j is a wrong command line', async (args, message) => {
  const { code, stderr, stdout } = await program.run(args)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
  expect(stdout).toBe('')
})
