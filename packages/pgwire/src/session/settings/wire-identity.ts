/** The identity of an authenticated client, as its startup packet names it. */
export interface WireIdentity {
  /** As in the startup packet. */
  readonly user: string
  readonly database: string
  readonly processId: number
  readonly applicationName: string
  /** Settings of the startup packet: `client_encoding`, `DateStyle`, and those of `options` with `-c`. */
  readonly settings: ReadonlyMap<string, string>
}
