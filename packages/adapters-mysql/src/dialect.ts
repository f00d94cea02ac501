/** @module The dialect of MariaDB and MySQL without its driver: for programs that plan statements without sending them. */
export { compile } from './compile.ts'
export type { MysqlColumnNative } from './introspection/native-column.ts'
export type { Flavor } from './server/flavor.ts'
