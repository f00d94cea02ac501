import { spawn, fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { SignJWT } from 'jose'
import { createBenchDatabase } from './bench-database.ts'
import { pointSelect, pageSelect, tenantKeys, tenant } from './statements.ts'
const db = await createBenchDatabase()
const secret = 'x'.repeat(40)
const token = await new SignJWT({ roles: ['customer'], tenant_id: tenant }).setProtectedHeader({ alg: 'HS256' }).setSubject('ada').setExpirationTime('1h').sign(new TextEncoder().encode(secret))
const file = process.argv[2] ?? 'engine-server'
const child = fork(`src/load/${file}.ts`, file === 'engine-server' ? [db.url, secret] : [db.url], { execArgv: ['--conditions=@engine/source', '--cpu-prof', '--cpu-prof-dir=/tmp/prof'], env: { ...process.env, NODE_ENV: 'production' } })
const [m] = await once(child, 'message') as any
const sql = process.argv[3] === 'W2' ? pageSelect : pointSelect
const go = (duration: number) => autocannon({ url: `http://127.0.0.1:${m.port}/data`, connections: 32, duration, requests: tenantKeys(100).map(k => ({ method: 'POST' as const, headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` }, body: JSON.stringify({ sql, params: process.argv[3] === 'W2' ? [k, 100] : [k], method: 'all' }) })) })
const r = await go(6)
console.log(r['2xx'], r.non2xx)
child.disconnect(); await once(child, 'exit'); await db.stop()
