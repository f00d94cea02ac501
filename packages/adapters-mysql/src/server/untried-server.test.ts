import { expect, test } from 'vitest'
import { descriptionOf, type ServerDescription, untriedServer } from './untried-server.ts'

const server = (version: string, comment = '', aurora?: string): ServerDescription => ({
  version,
  comment,
  aurora,
})

test.each([
  server('10.11.14-MariaDB-0+deb12u2', 'Debian 12'),
  server('11.4.5-MariaDB', 'mariadb.org binary distribution'),
  server('11.8.9-MariaDB-ubu2404'),
  server('9.7.4-2', '(Debian)'),
  server('9.7.0', 'MySQL Community Server - GPL'),
])('$version is one that was tried', (description) => {
  expect(untriedServer(description)).toBeUndefined()
})

test.each([
  [server('8.0.11-TiDB-v8.5.0', 'TiDB Server (Apache License 2.0)'), 'TiDB (8.0.11-TiDB-v8.5.0)'],
  [server('8.0.30-Vitess', 'Version: 21.0.0'), 'Vitess (8.0.30-Vitess)'],
  [server('8.0.34-PlanetScale', ''), 'PlanetScale (8.0.34-PlanetScale)'],
  [server('8.4.3-3', 'Percona Server (GPL), Release 3'), 'Percona Server (8.4.3-3)'],
  [server('8.0.39', 'Source distribution', '3.08.0'), 'Amazon Aurora 3.08.0 (8.0.39)'],
  [server('8.4.3', 'MySQL Community Server - GPL'), 'MySQL 8.4.3'],
  [server('10.6.20-MariaDB'), 'MariaDB 10.6.20-MariaDB'],
  [server('12.1.2-MariaDB'), 'MariaDB 12.1.2-MariaDB'],
])('%j was not', (description, name) => {
  expect(untriedServer(description)).toContain(`the database is ${name}`)
  expect(untriedServer(description)).toContain('not tried')
})

test('a server that names itself in no variable is not known', () => {
  expect(descriptionOf([['Version_Comment', 'x']])).toEqual(server('', 'x'))
  expect(untriedServer(descriptionOf([]))).toContain('was not tried')
})
