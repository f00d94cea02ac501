/** @module The two vendors of servers that speak MySQL's protocol. */

/** `mariadb` is MariaDB; `mysql` is MySQL itself, and what is built from it. */
export type MysqlVendor = 'mariadb' | 'mysql'

/** Facts about the servers of one vendor. */
export interface MysqlVendorFacts {
  /** As in the names of tests. */
  readonly name: 'MariaDB' | 'MySQL'
  /** Environment variable with the URL of a running server. */
  readonly urlVariable: string
  /** Environment variable with the directory of its programs. */
  readonly binVariable: string
  /** Names of the server program, best first: MariaDB also offers the name of MySQL. */
  readonly programs: readonly string[]
  /** What a message advises to install. */
  readonly package: string
  /** Collation that most servers of the vendor have; it ignores case. */
  readonly collation: string
  /** Compares by bytes; trailing blanks are significant. */
  readonly byteCollation: string
}

export const mysqlVendors: Readonly<Record<MysqlVendor, MysqlVendorFacts>> = {
  mariadb: {
    name: 'MariaDB',
    urlVariable: 'TEST_MARIADB_URL',
    binVariable: 'TEST_MARIADB_BIN',
    programs: ['mariadbd', 'mysqld'],
    package: 'mariadb-server',
    collation: 'utf8mb4_general_ci',
    byteCollation: 'utf8mb4_nopad_bin',
  },
  mysql: {
    name: 'MySQL',
    urlVariable: 'TEST_MYSQL_URL',
    binVariable: 'TEST_MYSQL_BIN',
    programs: ['mysqld'],
    package: 'mysql-server-core',
    collation: 'utf8mb4_0900_ai_ci',
    byteCollation: 'utf8mb4_0900_bin',
  },
}

/** All vendors, in the order in which tests run on them. */
export const allMysqlVendors: readonly MysqlVendor[] = ['mariadb', 'mysql']

/** @param version as `select version()` or `mysqld --version` gives it */
export function vendorOf(version: string): MysqlVendor {
  return version.includes('MariaDB') ? 'mariadb' : 'mysql'
}
