import { gateway } from '../../../../server/gateway.ts'

async function handle(request: Request): Promise<Response> {
  const { app } = await gateway()
  return app.fetch(request)
}

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'
export {
  handle as DELETE,
  handle as GET,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
