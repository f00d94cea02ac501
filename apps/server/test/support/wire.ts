/** @module Clients of the wire protocol, as node-postgres makes them. */
import pg from 'pg'

/** How a client connects. */
export interface WireLogin {
  /** `127.0.0.1:5433` */
  readonly address: string
  readonly user?: string
  readonly password?: string
  /** PEM of the authority that signed the server's certificate; without it the connection is not encrypted. */
  readonly ca?: string
}

/** A connected client. `ended` resolves with the reason of its end: an error of the server, or undefined. */
export interface WireClient extends pg.Client {
  readonly ended: Promise<Error | undefined>
}

/** @throws the server's error for a refused client: a `pg.DatabaseError` with `code`. */
export async function connectWire({
  address,
  user = 'anyone',
  password,
  ca,
}: WireLogin): Promise<WireClient> {
  const { hostname, port } = new URL(`postgres://${address}`)
  const client = new pg.Client({
    host: hostname,
    port: Number(port),
    user,
    database: 'shop',
    ...(password === undefined ? {} : { password }),
    ...(ca === undefined ? {} : { ssl: { ca, servername: 'localhost' } }),
  })
  const ended = new Promise<Error | undefined>((resolve) => {
    let failure: Error | undefined
    client.on('error', (error) => {
      failure ??= error
    })
    client.on('end', () => resolve(failure))
  })
  await client.connect()
  return Object.assign(client, { ended })
}

/** Connects while `use` runs. */
export async function withWire<T>(
  login: WireLogin,
  use: (client: WireClient) => Promise<T>,
): Promise<T> {
  const client = await connectWire(login)
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** SQLSTATE of the refusal; `connected` when there is none. */
export async function refusal(login: WireLogin): Promise<string> {
  try {
    await withWire(login, async () => undefined)
    return 'connected'
  } catch (error) {
    return codeOf(error)
  }
}

/** SQLSTATE of an error of the server. */
export function codeOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code ?? 'none'
  throw error
}

/** Rows of a query as lists. */
export async function rowsOf(
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly unknown[][]> {
  const { rows } = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })
  return rows
}
