/** @module The kind of server: MariaDB and MySQL share a protocol, but not a dialect. */

/** The kind and version of a server. */
export interface Flavor {
  readonly kind: 'mariadb' | 'mysql'
  /** `10.11.6` is 101106, `8.4.3` is 80403. */
  readonly version: number
}
