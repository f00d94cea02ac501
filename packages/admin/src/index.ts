/** @module The files of the administrator's pages. Start at `serveAdmin`. */
export { type AdminSite, type ServeAdminOptions, type SiteFile, serveAdmin } from './serve-admin.ts'
