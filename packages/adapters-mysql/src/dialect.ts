/** @module The dialect of MariaDB and MySQL without its driver: for programs that plan statements without sending them. */
export { compile } from './compile.ts'
export type { Flavor } from './flavor.ts'
export type { MysqlColumnNative } from './native-column.ts'
