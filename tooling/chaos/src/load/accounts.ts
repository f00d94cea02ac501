/** @module Sign-up, sessions, sign-out, passwords: revoked credentials stay revoked, at both nodes. */
import { randomUUID } from 'node:crypto'
import type { Random } from '@engine/fixtures'
import { type Member, signIn, signUp } from './member.ts'
import type { Revoked } from './revoked.ts'
import { expectStatus, type Service, statement, type Worker } from './service.ts'

export async function createAccounts(
  service: Service,
  random: Random,
  revoked: Revoked,
): Promise<Worker> {
  const call = (name: string, method: string, path: string, token: string, body?: unknown) =>
    service.send(name, ['service'], { method, path, token, body })
  const read = (token: string) =>
    service.send(
      'read with a session',
      ['service', 'postgres'],
      statement(token, 'select id from postgres.counters limit 1', []),
    )

  const signOut = async ({ token }: Member) => {
    const sent = await call('sign-out', 'POST', '/auth/sign-out', token)
    if (expectStatus(service, sent, 'sign-out', 200)) await revoked.add(token)
  }
  const changePassword = async ({ email, password, token }: Member) => {
    const other = await signIn(service, email, password)
    const newPassword = `chaos ${randomUUID()}`
    const body = { currentPassword: password, newPassword }
    const sent = await call('change-password', 'POST', '/auth/change-password', token, body)
    if (!expectStatus(service, sent, 'change-password', 200)) return
    if (other !== undefined) await revoked.add(other.token)
    await signIn(service, email, password, [401])
    await signIn(service, email, newPassword)
  }
  const endBySession = async (member: Member) => {
    const sent = await service.send('end of sessions', ['service'], {
      method: 'DELETE',
      path: `/admin/api/users/${member.id}/sessions`,
      token: service.masterKey,
    })
    if (expectStatus(service, sent, 'end of sessions', 200)) await revoked.add(member.token)
  }

  return {
    name: 'accounts',
    step: async () => {
      const member = await signUp(service)
      if (member === undefined) return
      expectStatus(service, await read(member.token), 'read with a session', 200)
      const session = await call('session', 'GET', '/auth/session', member.token)
      if (expectStatus(service, session, 'session', 200) && session.kind === 'answered') {
        const { email } = session.answer.body.user
        if (email !== member.email) service.findings.add('wrong data', `session of ${email}`)
      }
      await random.pick([signOut, signOut, changePassword, endBySession])(member)
      await revoked.lookAgain(random)
    },
  }
}
