/** @module Creates accounts for the load, and retries until they exist. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'

export interface Member {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly token: string
}

/** Signs a user up. When the answer is lost, the account may exist: then the user signs in. */
export async function signUp(service: Service): Promise<Member | undefined> {
  const email = `${randomUUID()}@chaos.test`
  const password = `chaos ${randomUUID()}`
  const sent = await service.send('sign-up', ['service'], {
    method: 'POST',
    path: '/auth/sign-up',
    body: { email, password },
  })
  if (sent.kind !== 'answered') return signIn(service, email, password, [200, 401])
  const { status, body } = sent.answer
  if (status === 201) return { id: body.user.id, email, password, token: body.session.token }
  service.findings.add('wrong answer', `sign-up: ${status} ${JSON.stringify(body)}`)
  return undefined
}

/** @param statuses allowed statuses of the answer. */
export async function signIn(
  service: Service,
  email: string,
  password: string,
  statuses: readonly number[] = [200],
): Promise<Member | undefined> {
  const sent = await service.send('sign-in', ['service'], {
    method: 'POST',
    path: '/auth/sign-in',
    body: { email, password },
  })
  if (sent.kind !== 'answered') return undefined
  const { status, body } = sent.answer
  if (!statuses.includes(status)) {
    service.findings.add('wrong answer', `sign-in: ${status} ${JSON.stringify(body)}`)
  }
  return status === 200
    ? { id: body.user.id, email, password, token: body.session.token }
    : undefined
}

/** An existing account, even if requests fail meanwhile. */
export async function someMember(service: Service): Promise<Member> {
  for (;;) {
    const member = await signUp(service)
    if (member !== undefined) return member
    await sleep(500)
  }
}
