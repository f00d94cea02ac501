import { SignJWT } from 'jose'
import { tenant } from './statements.ts'

/** A token of a customer of the measured tenant. */
export function tokenOf(secret: string): Promise<string> {
  return new SignJWT({ roles: ['customer'], tenant_id: tenant })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('ada')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
}
