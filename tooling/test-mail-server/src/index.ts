/** @module An SMTP server on this machine whose mails tests can read. */
export {
  type MailServer,
  type MailServerOptions,
  type ReceivedMail,
  startMailServer,
} from './mail-server.ts'
