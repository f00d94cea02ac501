/** @module MySQL and MariaDB behind the engine: dialect printer, driver, introspection, error mapping. */
export {}
