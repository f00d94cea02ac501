/** @module API keys: created, used at both nodes, revoked, refused at both. */
import type { Random } from '@engine/fixtures'
import { someMember } from './member.ts'
import type { Revoked } from './revoked.ts'
import { expectStatus, type Service, statement, type Worker } from './service.ts'

export async function createApiKeys(
  service: Service,
  random: Random,
  revoked: Revoked,
): Promise<Worker> {
  const member = await someMember(service)
  const administer = (name: string, method: string, path: string, body?: unknown) =>
    service.send(name, ['service'], { method, path, token: service.masterKey, body })
  return {
    name: 'API keys',
    step: async () => {
      const body = { name: 'chaos', roles: ['user'], userId: member.id }
      const made = await administer('make a key', 'POST', '/admin/api/api-keys', body)
      if (!expectStatus(service, made, 'make a key', 201) || made.kind !== 'answered') return
      const { id, key } = made.answer.body.apiKey
      for (const node of service.nodes) {
        const sent = await service.send(
          'read with a key',
          ['service', 'mariadb'],
          statement(key, 'select id from mariadb.counters limit 1', []),
          node,
        )
        expectStatus(service, sent, 'read with a key', 200)
      }
      const sent = await administer('revoke a key', 'DELETE', `/admin/api/api-keys/${id}`)
      if (expectStatus(service, sent, 'revoke a key', 200)) await revoked.add(key)
      await revoked.lookAgain(random)
    },
  }
}
