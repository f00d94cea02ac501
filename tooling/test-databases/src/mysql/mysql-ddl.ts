import type { MysqlVendor } from './mysql-vendors.ts'

/**
 * Rewrites what MariaDB declares for a vendor. For MySQL:
 * `create table t (name varchar(9) collate utf8mb4_nopad_bin, u uuid)`
 * `create table t (name varchar(9) collate utf8mb4_0900_bin, u char(36))`
 */
export function mysqlDdl(vendor: MysqlVendor, sql: string): string {
  if (vendor === 'mariadb') return sql
  return sql
    .replaceAll('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')
    .replaceAll('utf8mb4_uca1400_ai_ci', 'utf8mb4_0900_ai_ci')
    .replaceAll(/(?<=\w )uuid\b(?!\()/g, 'char(36)')
}

/**
 * A table of the numbers 1 to `count` in its column `seq`, for FROM.
 *
 * @example
 * `insert into t select seq from ${mysqlNumbers(500)}`
 */
export function mysqlNumbers(count: number): string {
  return `json_table(concat('[0', repeat(',0', ${count - 1}), ']'), '$[*]' columns (seq for ordinality)) as numbers`
}
