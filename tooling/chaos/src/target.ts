/** Parts that can fail, and that requests depend on. */
export type Target = 'service' | 'postgres' | 'mariadb' | 'sqlite' | 'node-a' | 'node-b'

/** Connections of the configuration, by the name in statements. */
export type ConnectionName = 'postgres' | 'mariadb' | 'sqlite'

export const connectionNames: readonly ConnectionName[] = ['postgres', 'mariadb', 'sqlite']
