/** Which checks make sense. */
export interface WireSurroundings {
  /** Who answers: a real PostgreSQL, or us. */
  readonly server: 'postgres' | 'engine'
  /** Where the rows are. */
  readonly kind: 'postgres' | 'sqlite'
}

/** Where a client connects to, and what it finds there. */
export interface WireTarget extends WireSurroundings {
  readonly host: string
  readonly port: number
  readonly user: string
  /** For the engine a token or an API key. */
  readonly password: string
  readonly database: string
}

/** The target as a URL. */
export function urlOf({ host, port, user, password, database }: WireTarget): string {
  const [name, secret] = [user, password].map(encodeURIComponent)
  return `postgresql://${name}:${secret}@${host}:${port}/${encodeURIComponent(database)}`
}
