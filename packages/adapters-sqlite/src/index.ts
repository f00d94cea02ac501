/** @module SQLite: dialect printer, driver, introspection and error mapping. */
export {}
