import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GatewayError } from '../../foundation/errors.ts'
import type { Fault } from '../../foundation/faults.ts'
import { configurationOptions } from './configuration-options.ts'
import type { RegisteredAdapters } from './connection-source.ts'
import { parseConfig } from './parse-config.ts'

const connections = { main: 'shop.db' }
const secret = 'a secret of at least thirty-two bytes'

/** The faults of a configuration, each as `path: message`. */
function faultsOf(config: unknown, adapters: RegisteredAdapters = {}): readonly string[] {
  try {
    parseConfig(config, adapters)
    return []
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { faults } = error.details as { readonly faults: readonly Fault[] }
    return faults.map(({ path, message }) => `${path}: ${message}`)
  }
}

test('defaults are filled in and units converted', () => {
  expect(parseConfig({ connections })).toMatchObject({
    masterKey: undefined,
    auth: undefined,
    jwt: { clockSkewSeconds: 0 },
    limits: {
      maxRows: 10_000,
      maxRelationDepth: 5,
      maxFilterNesting: 10,
      maxFilterConditions: 100,
      maxRequestBodyBytes: 1_048_576,
      queryTimeoutMs: 30_000,
    },
  })
  const limits = { maxRows: 5, maxRequestBodySize: '2kb', queryTimeout: 100 }
  expect(parseConfig({ connections, limits }).limits).toMatchObject({
    maxRows: 5,
    maxRequestBodyBytes: 2_048,
    queryTimeoutMs: 100,
  })
})

test('callers without roles are users, and roles may come from a nested claim', () => {
  expect(parseConfig({ connections, auth: { secret } }).auth).toMatchObject({
    secrets: [secret],
    roles: { default: ['user'], claim: ['roles'], inToken: false },
  })
  const roles = { default: [], claim: 'realm_access.roles' }
  expect(parseConfig({ connections, auth: { secret, roles } }).auth).toMatchObject({
    roles: { default: [], claim: ['realm_access', 'roles'] },
  })
})

describe('connections', () => {
  test('the kind of database follows from the URL', () => {
    const settings = parseConfig({
      connections: { a: 'postgres://db/x', b: 'postgresql://db/x', c: './x.sqlite', d: 'file:x' },
    })
    const kinds = [...settings.connections.values()].map(({ kind }) => kind)
    expect(kinds).toEqual(['postgres', 'postgres', 'sqlite', 'sqlite'])
  })

  test('an object around the URL has options', () => {
    const main = {
      url: 'postgres://db/x',
      pool: { max: 3 },
      readOnly: true,
      schema: 'shop',
      tables: { include: ['orders'], exclude: ['secrets'] },
      relationships: {
        orders: {
          customer: { rename: 'buyer' },
          items: { table: 'order_items', type: 'one-to-many', from: 'id', to: ['order_id'] },
        },
      },
    }
    expect(parseConfig({ connections: { main } }).connections.get('main')).toMatchObject({
      poolMax: 3,
      readOnly: true,
      schema: 'shop',
      include: ['orders'],
      exclude: ['secrets'],
      relationships: main.relationships,
    })
  })

  test('types of columns come from the rows, unless declarations or the configuration say them', () => {
    const main = { url: 'shop.db', types: 'declared', columnTypes: { orders: { total: 'bigint' } } }
    const settings = parseConfig({ connections: { main, other: 'other.db' } }).connections
    expect(settings.get('main')).toMatchObject({ types: 'declared', columnTypes: main.columnTypes })
    expect(settings.get('other')).toMatchObject({ types: 'inferred', columnTypes: {} })
    const files = { directory: 'files', types: 'declared' }
    expect(parseConfig({ connections: { files } }).connections.get('files')).toMatchObject({
      types: 'declared',
    })
  })

  test('an adapter has options of its own', () => {
    const options = z.strictObject({
      threads: z.int().positive().default(4),
      mode: z.enum(['fast', 'safe']).optional(),
    })
    const connect = Object.assign(() => undefined, { options })
    const adapters = { '@acme/duckdb': { name: 'duckdb', schemes: ['duckdb'], connect } }
    const main = { url: 'duckdb:shop', mode: 'fast', readOnly: true }
    const parse = (connection: object) =>
      parseConfig({ connections: { main: connection } }, adapters)
    expect(parse(main).connections.get('main')).toMatchObject({
      kind: 'duckdb',
      readOnly: true,
      adapterOptions: { mode: 'fast' },
    })
    const faultsWith = (connection: object) =>
      faultsOf({ connections: { main: { ...main, ...connection } } }, adapters)
    expect(faultsWith({ threads: 0, mode: 'slow' })).toEqual([
      expect.stringMatching(/^connections\.main\.threads: /),
      expect.stringMatching(/^connections\.main\.mode: /),
    ])
    expect(faultsWith({ thread: 2, readonly: true })).toEqual([
      'connections.main.thread: unknown key; did you mean "threads"?',
      'connections.main.readonly: unknown key; did you mean "readOnly"?',
    ])
    expect(configurationOptions(adapters)).toContain('connections.<name>.threads')
    expect(configurationOptions()).not.toContain('connections.<name>.threads')
  })

  test('a registered adapter without options has none, and those of another are not checked yet', () => {
    const connections = { main: { url: 'shop.db', threads: 4 } }
    expect(faultsOf({ connections }, { '@engine/adapters-sqlite': () => undefined })).toEqual([
      'connections.main.threads: unknown key',
    ])
    expect(parseConfig({ connections }).connections.get('main')?.adapterOptions).toEqual({
      threads: 4,
    })
  })

  test('PostgreSQL leaves no type open', () => {
    const main = { url: 'postgres://db/x', types: 'declared', columnTypes: {} }
    expect(faultsOf({ connections: { main } })).toEqual([
      expect.stringContaining('connections.main.types: the database has a type for every column'),
      expect.stringContaining('connections.main.columnTypes: the database has'),
    ])
  })

  test.each([
    'Main',
    '1st',
    'my-shop',
    'public',
    'information_schema',
    'pg_catalog',
    'a'.repeat(64),
    '__proto__',
  ])('the name %j is refused', (name) => {
    const named = JSON.parse(JSON.stringify({ connections: {} }), (key, value) =>
      key === 'connections' ? Object.fromEntries([[name, 'shop.db']]) : value,
    )
    expect(faultsOf(named)).toEqual([expect.stringContaining(`connections.${name}: a name has`)])
  })

  test.each<[string, unknown, string]>([
    [
      'no URL of a database',
      'redis://user:password@cache',
      'connections.main: expects postgres://',
    ],
    ['an empty text', '', 'connections.main.url: '],
    ['a number', 5, 'connections.main: expects a URL, a path or an object'],
    ['an object without URL', {}, 'connections.main.url: expected string'],
    [
      'a misspelt option',
      { url: 'x.db', scheme: 'a' },
      'connections.main.scheme: unknown key; did',
    ],
    ['a wrong size', { url: 'x.db', pool: { max: 0 } }, 'connections.main.pool.max: '],
    [
      'half a relation',
      { url: 'x.db', relationships: { a: { b: { table: 'c', type: 'one-to-one', from: 'id' } } } },
      'connections.main.relationships.a.b.to: expects a column',
    ],
  ])('%s is refused', (_, main, fault) => {
    const adapters = { '@engine/adapters-sqlite': () => undefined }
    expect(faultsOf({ connections: { main } }, adapters)).toEqual([expect.stringContaining(fault)])
  })

  test('a password never shows in a fault', () => {
    const faults = faultsOf({ connections: { main: 'redis://user:password@cache' } })
    expect(faults.join()).not.toContain('password')
  })
})

test('everything that is wrong is named at once', () => {
  const config = {
    connections: { main: 5, Other: 'x.db' },
    masterKey: 'kéy',
    auth: { secret: '', rols: {} },
    jwt: { algorithms: ['none'] },
    permissions: [{ table: 'main.orders', roles: ['a'], selekt: {} }],
    limits: { maxRow: 1, maxRows: 0, maxRelationDepth: 0, maxRequestBodySize: 'huge' },
    perm: {},
  }
  const paths = faultsOf(config).map((fault) => fault.split(': ')[0])
  expect(new Set(paths)).toEqual(
    new Set([
      'connections.main',
      'connections.Other',
      'masterKey',
      'auth.secret',
      'auth.rols',
      'jwt.algorithms.0',
      'permissions.0.selekt',
      'permissions.0',
      'limits.maxRow',
      'limits.maxRows',
      'limits.maxRelationDepth',
      'limits.maxRequestBodySize',
      'perm',
    ]),
  )
})

test('a misspelt key is met with the right one of its place', () => {
  expect(faultsOf({ connections, limits: { maxRow: 1 } })).toEqual([
    'limits.maxRow: unknown key; did you mean "maxRows"?',
  ])
  expect(faultsOf({ conections: connections })).toContain(
    'conections: unknown key; did you mean "connections"?',
  )
})

test.each([undefined, null, [], 'shop.db'])('%j is no configuration', (config) => {
  expect(faultsOf(config)).toEqual(['configuration: is no object'])
})

test('a master key can travel in a header', () => {
  const key = 'correct horse battery staple 0123456789'
  expect(parseConfig({ connections, masterKey: key }).masterKey).toBe(key)
  for (const masterKey of ['', 'ä'.repeat(32), `${key}\n`, ` ${key}`]) {
    expect(faultsOf({ connections, masterKey })).toEqual([expect.stringMatching(/^masterKey: /)])
  }
})

test.each<[string, object, string]>([
  ['a section with defaults', { auth: { session: { expireIn: '1h' } } }, 'expiresIn'],
  ['an item of a list', { auth: { issuers: [{ issuer: 'x', secrets: 'y' }] } }, 'secret'],
  ['a section of a section', { security: { cors: { origins: ['*'] } } }, 'origin'],
])('so is one in %s', (_, config, meant) => {
  expect(faultsOf({ connections, ...config })).toContainEqual(
    expect.stringContaining(`did you mean "${meant}"?`),
  )
})

test.each([
  'Set-Cookie',
  'content-length',
  'Transfer-Encoding',
  'Access-Control-Allow-Origin',
  'X-Request-Id',
  'Cache-Control',
])('%s is no header for every answer', (name) => {
  expect(faultsOf({ connections, security: { headers: { [name]: 'x' } } })).toEqual([
    expect.stringContaining('is a header that the server sets itself'),
  ])
})

test.each([
  ['a line end in a value', { 'X-A': 'a\r\nSet-Cookie: b' }],
  ['a line end in a name', { 'X-A\r\nX-B': 'a' }],
  ['a colon in a name', { 'X-A: b': 'a' }],
  ['letters beyond ASCII', { 'X-A': 'é' }],
])('headers for every answer cannot hold %s', (_, headers) => {
  expect(faultsOf({ connections, security: { headers } })).toHaveLength(1)
})

test.each([
  'https://app.example.com',
  'http://localhost:5173',
  'capacitor://localhost',
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
])('pages of %s may be let in', (origin) => {
  const { security } = parseConfig({ connections, security: { cors: { origin: [origin] } } })
  expect(security.cors?.origins).toEqual([origin])
})

test.each([
  'https://*.example.com',
  'https://app.example.com/',
  'https://APP.example.com',
  'https://app.example.com:443',
  'app.example.com',
  'null',
  'file://',
])('%s is no origin that a browser would send', (origin) => {
  expect(faultsOf({ connections, security: { cors: { origin: [origin] } } })).toEqual([
    'security.cors.origin.0: expects an origin such as "https://app.example.com"',
  ])
})

test('what may be of several kinds says of which', () => {
  expect(faultsOf({ connections, security: { trustProxy: true } })).toEqual([
    'security.trustProxy: expected array or number',
  ])
  expect(faultsOf({ connections, auth: { secret: [1] } })).toEqual([
    'auth.secret.0: expected string, received number',
  ])
})

test('options of accounts that need another option say so', () => {
  const faultOf = (auth: object) => faultsOf({ connections, auth: { secret, ...auth } })
  const userTable = { table: 'main.people', linkByEmail: true }
  const needed = 'needs emailVerification'
  expect(faultOf({ userTable })).toEqual([`auth.userTable.linkByEmail: ${needed}`])
  expect(faultOf({ signUp: { concealExisting: true } })).toEqual([
    `auth.signUp.concealExisting: ${needed}`,
  ])
  const parsed = parseConfig({ connections, auth: { secret, userTable, emailVerification: true } })
  expect(parsed.auth?.userTable?.linkByEmail).toBe(true)
})

test('mails come from an address', () => {
  for (const from of ['no-reply@example.com', 'Shop <no-reply@example.com>']) {
    expect(parseConfig({ connections, auth: { email: { from } } }).auth?.email).toEqual({ from })
  }
  for (const from of ['Shop', 'Shop <>', 'a@b\r\nBcc: c@d']) {
    expect(faultsOf({ connections, auth: { email: { from } } })).toEqual([
      expect.stringMatching(/^auth\.email\.from: expects an address/),
    ])
  }
})

describe('the default connection', () => {
  const two = { main: 'main.db', other: 'other.db' }

  test('is the one that is named, or the only one', () => {
    const named = { connections: two, defaultConnection: 'other' }
    expect(parseConfig(named).defaultConnection).toBe('other')
    expect(parseConfig({ connections: two }).defaultConnection).toBeUndefined()
    expect(parseConfig({ connections: { main: 'main.db' } }).defaultConnection).toBe('main')
  })

  test('exists', () => {
    expect(faultsOf({ connections: two, defaultConnection: 'others' })).toEqual([
      'defaultConnection: there is no connection "others"; did you mean "other"?',
    ])
    expect(faultsOf({ connections: two, defaultConnection: 'public' })).toEqual([
      'defaultConnection: there is no connection "public"',
    ])
    expect(faultsOf({ connections: two, defaultConnection: 1 })).toHaveLength(1)
  })
})

describe('several schemas', () => {
  const url = 'postgres://db/shop'
  const faultsWith = (connection: object) => faultsOf({ connections: { main: connection } })

  test('are a list, of PostgreSQL', () => {
    const { connections } = parseConfig({
      connections: { main: { url, schemas: ['app', 'auth'] } },
    })
    expect(connections.get('main')?.schemas).toEqual(['app', 'auth'])
    expect(faultsWith({ url, schemas: [] })).toHaveLength(1)
    expect(faultsWith({ url, schemas: 'auth' })).toEqual([
      expect.stringContaining('connections.main.schemas: expects a list of schemas such as'),
    ])
    expect(faultsWith({ url, schemas: ['a', 'a'] })).toEqual([
      'connections.main.schemas: names a schema twice',
    ])
    expect(faultsWith({ url, schemas: ['a.b'] })).toEqual([
      expect.stringContaining('expects the name of a schema, without a dot'),
    ])
    expect(faultsWith({ url: 'shop.db', schemas: ['a', 'b'] })).toEqual([
      'connections.main.schemas: only a PostgreSQL database has several schemas: leave it out',
    ])
  })

  test('are connections of one database', () => {
    const main = { url, schemas: { accounts: 'auth', main: 'public' } }
    const settings = parseConfig({ connections: { main }, defaultConnection: 'accounts' })
    expect(settings.defaultConnection).toBe('accounts')
    expect([...settings.connections.keys()]).toEqual(['main'])
    expect(settings.connections.get('main')).toMatchObject({
      schemas: ['public', 'auth'],
      members: new Map([
        ['main', 'public'],
        ['accounts', 'auth'],
      ]),
    })
    expect(parseConfig({ connections: { main } }).defaultConnection).toBeUndefined()
    expect(faultsOf({ connections: { main, accounts: 'accounts.db' } })).toEqual([
      'connections.accounts: the connection "accounts" is configured twice',
    ])
    expect(faultsWith({ url, schemas: { other: 'auth' } })).toEqual([
      'connections.main.schemas: names connections: one of them is "main" itself',
    ])
    expect(faultsWith({ url, schemas: { main: 'auth', pg_x: 'x', accounts: 'auth' } })).toEqual([
      'connections.main.schemas: names a schema twice',
    ])
    expect(faultsWith({ url, schemas: { main: 'auth', pg_x: 'x' } })).toEqual([
      expect.stringContaining('connections.main.schemas.pg_x: a name has lower-case letters'),
    ])
    expect(faultsWith({ url: 'shop.db', schemas: { main: 'a', other: 'b' } })).toHaveLength(1)
  })

  test('leave no place for one', () => {
    expect(faultsWith({ url, schema: 'app', schemas: ['app', 'auth'] })).toEqual([
      'connections.main.schema: schemas names all of them: leave out schema',
    ])
  })
})

test('channels', () => {
  const two = { main: 'postgres://localhost/shop', log: 'log.db' }
  const roles = ['clerk']
  const given = [
    { channel: 'main.orders', roles },
    { channel: 'main.a.B c', roles: ['*'], listen: false, notify: true, description: 'jobs' },
  ]
  expect(parseConfig({ connections: two, channels: given }).channels).toEqual([
    { connection: 'main', channel: 'orders', roles, listen: true, notify: false },
    { connection: 'main', channel: 'a.B c', roles: ['*'], listen: false, notify: true },
  ])
  expect(
    faultsOf({
      connections: two,
      channels: [
        { channel: 'mains.orders', roles },
        { channel: 'log.orders', roles },
        { channel: 'main.orders', roles },
        { channel: 'main.orders', roles },
        { channel: 'main.none', roles, listen: false },
      ],
    }),
  ).toEqual([
    'channels.0.channel: there is no connection "mains"; did you mean "main"?',
    'channels.1.channel: only PostgreSQL has channels: the connection "log" is sqlite',
    'channels.3.channel: "main.orders" is already in the list',
    'channels.4: allows neither listen nor notify',
  ])
  expect(
    faultsOf({
      connections: two,
      channels: [
        { channel: 'orders', roles },
        { channel: `main.${'é'.repeat(32)}`, roles },
        { channel: 'main.x', roles: [] },
        { channel: 'main.x', roles, listens: true },
      ],
    }),
  ).toEqual([
    'channels.0.channel: expects "<connection>.<channel>"',
    'channels.1.channel: expects a name of at most 63 bytes after the connection',
    expect.stringMatching(/^channels\.2\.roles: /),
    'channels.3.listens: unknown key; did you mean "listen"?',
  ])
})
