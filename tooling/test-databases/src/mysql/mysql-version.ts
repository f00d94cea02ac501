import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { type MysqlVendor, mysqlVendors, vendorOf } from './mysql-vendors.ts'

/** The version of a running server, in its own words: `10.11.14-MariaDB-0+deb12u2`. */
export async function mysqlVersion(url: string): Promise<string> {
  const connection = await createConnection(url)
  try {
    const [rows] = await connection.query<RowDataPacket[]>('select version() as version')
    return String(rows[0]?.['version'])
  } finally {
    await connection.end()
  }
}

/**
 * Checks that a URL of the environment names a server of the vendor that its variable is for.
 *
 * @throws {Error} when it is of the other vendor; the message has both variables.
 */
export async function requireVendor(url: string, vendor: MysqlVendor): Promise<void> {
  const version = await mysqlVersion(url)
  const found = vendorOf(version)
  if (found === vendor) return
  const { name, urlVariable } = mysqlVendors[found]
  const wanted = mysqlVendors[vendor]
  throw new Error(
    `${wanted.urlVariable} names a ${name} (${version}), not a ${wanted.name}; ${urlVariable} is for it`,
  )
}
