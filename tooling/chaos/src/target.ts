/** What can fail, and what a request leans on. */
export type Target = 'service' | 'postgres' | 'mariadb' | 'sqlite' | 'node-a' | 'node-b'

/** Connections of the configuration, by the name that statements say. */
export type ConnectionName = 'postgres' | 'mariadb' | 'sqlite'

export const connectionNames: readonly ConnectionName[] = ['postgres', 'mariadb', 'sqlite']
