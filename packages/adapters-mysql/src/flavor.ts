/** @module Which server it is: MariaDB and MySQL share a protocol, not a dialect. */

export interface Flavor {
  readonly kind: 'mariadb' | 'mysql'
  /** `10.11.6` is 101106, `8.4.3` is 80403. */
  readonly version: number
}
