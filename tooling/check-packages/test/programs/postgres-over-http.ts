import { createGateway } from '@engine/http'

const [url = ''] = process.argv.slice(2)
const gateway = await createGateway({ connections: { main: url } }, { isDevelopment: true })
const statement = { sql: 'select $1::int + 1', params: [41], method: 'get' }
const response = await gateway.app.request('/data', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(statement),
})
console.log(response.status, await response.text())
await gateway.close()
