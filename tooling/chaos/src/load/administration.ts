/** @module Requests that an administrator's page and a load balancer send regularly. */
import type { Random } from '@engine/fixtures'
import type { Target } from '../target.ts'
import { expectStatus, type Service, type Worker } from './service.ts'

const everything: readonly Target[] = ['service', 'postgres', 'mariadb', 'mysql', 'sqlite']

export function createAdministration(service: Service, random: Random): Worker {
  const { masterKey } = service
  const asked = [
    { path: '/admin/api/status', needs: ['service'], field: 'audit' },
    { path: '/admin/api/audit?limit=5', needs: ['service'], field: 'entries' },
    { path: '/admin/api/sessions?limit=5', needs: ['service'], field: 'sessions' },
    { path: '/health/live', needs: [], field: 'status' },
    { path: '/health/ready', needs: everything, field: 'status' },
  ] as const
  return {
    name: 'administration',
    step: async () => {
      const { path, needs, field } = random.pick(asked)
      const isHealth = path.startsWith('/health')
      const node = random.pick(service.nodes)
      const name = `GET ${path.replace(/\?.*/, '')}`
      const token = isHealth ? undefined : masterKey
      const sent = await service.send(name, needs, { method: 'GET', path, token }, node)
      if (!expectStatus(service, sent, name, 200) || sent.kind !== 'answered') return
      if (sent.answer.body[field] === undefined) {
        service.findings.add('wrong answer', `${name} without ${field}`)
      }
    },
  }
}
