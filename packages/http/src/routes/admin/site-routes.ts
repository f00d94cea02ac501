/** @module The files of the pages at `/admin`; they hold no data, so that only the address is checked. */
import { GatewayError } from '@engine/core'
import type { Context, Hono } from 'hono'
import type { AdminAccess } from '../../administrators/admin-access.ts'
import { mountOf } from '../../request/base-path.ts'
import type { Answer } from '../../response/answer.ts'
import type { RouteHandler } from '../../route-handler.ts'

/** A file, ready to be sent. */
interface SiteFile {
  readonly body: Uint8Array
  readonly contentType: string
  /** Its name changes with its content. */
  readonly isImmutable: boolean
}

/** The pages of `@engine/admin`: see `serveAdmin` there. */
export interface AdminSite {
  /**
   * @param path after `/admin`.
   * @param base the address of `/admin` itself, as browsers see it.
   */
  readonly file: (path: string, base: string) => SiteFile | undefined
}

export function addSiteRoutes(
  app: Hono,
  site: AdminSite,
  access: Pick<AdminAccess, 'checkAddress'>,
  handle: RouteHandler,
): void {
  const show = (own: string) =>
    handle((call, context): Answer => {
      access.checkAddress(call)
      const { method } = call.request
      if (method !== 'GET' && method !== 'HEAD') {
        call.responseHeaders['Allow'] = 'GET, HEAD'
        throw new GatewayError('methodNotAllowed', 'Use GET here.')
      }
      const base = `${mountOf(context, own)}/admin`
      const file = site.file(pathBelow(context, base), base)
      if (file === undefined) {
        throw new GatewayError('notFound', 'There is no such file.')
      }
      return {
        status: 200,
        body: file.body,
        headers: {
          'Content-Type': file.contentType,
          'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-store',
          'Permissions-Policy': permissionsPolicy,
        },
      }
    })
  for (const path of ['/admin', '/admin/*']) {
    const answer = show(path)
    app.all(path, (context) => answer(context))
  }
}

/** No page here needs anything of the device. */
const permissionsPolicy = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

function pathBelow(context: Context, base: string): string {
  const { path } = context.req
  return path.slice(base.length)
}
