/** Determines which checks apply. */
export interface WireSurroundings {
  /** The server: a real PostgreSQL, or ours. */
  readonly server: 'postgres' | 'engine'
  /** The database with the rows. */
  readonly kind: 'postgres' | 'sqlite'
}

/** Address for a client, and the content of the database. */
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
