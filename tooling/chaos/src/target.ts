/** Parts that can fail, and that requests depend on. */
export type Target = 'service' | 'postgres' | 'mariadb' | 'mysql' | 'sqlite' | 'node-a' | 'node-b'

/** Connections of the configuration, by the name in statements. */
export type ConnectionName = 'postgres' | 'mariadb' | 'mysql' | 'sqlite'

export const connectionNames: readonly ConnectionName[] = ['postgres', 'mariadb', 'mysql', 'sqlite']
