import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  /** Addresses of the envelope: the real recipients. */
  readonly recipients: readonly string[]
  readonly sender: string
  readonly subject: string
  readonly text: string
  readonly html: string | undefined
  readonly messageId: string
  /** Every header line of the message, names in lower case. */
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  /** The content as received. */
  readonly raw: string
  /** It came over TLS. */
  readonly isEncrypted: boolean
}

export interface MailServerOptions {
  /** Default: a free one. */
  readonly port?: number
  /** Offer STARTTLS, with an untrusted certificate. Default false. */
  readonly startTls?: boolean
  /** Asks for this user and password. */
  readonly credentials?: { readonly user: string; readonly password: string }
  /** SMTP reply to the content of the message with this number (from 1); undefined accepts it. */
  readonly refuse?: (count: number) => number | undefined
  /** Accepts connections and sends nothing. */
  readonly isSilent?: boolean
}

export interface MailServer {
  readonly port: number
  /** `smtp://127.0.0.1:2525` */
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** Contents that were sent, including refused ones. */
  readonly offered: () => number
  /** Waits until this number of mails has arrived. @returns all of them. */
  received(count: number): Promise<readonly ReceivedMail[]>
  close(): Promise<void>
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { port = 0, startTls = false, credentials, refuse, isSilent = false } = options
  const mails: ReceivedMail[] = []
  let count = 0
  let arrived = Promise.withResolvers<void>()

  const keep = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    count += 1
    const reply = refuse?.(count)
    if (reply !== undefined) {
      throw Object.assign(new Error(`refused with ${reply}`), { responseCode: reply })
    }
    mails.push(await parsed(Buffer.concat(chunks), session))
    arrived.resolve()
    arrived = Promise.withResolvers()
  }
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 100,
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disabledCommands: startTls ? [] : ['STARTTLS'],
    onAuth: ({ username, password }, _, done) => {
      const isRight = username === credentials?.user && password === credentials?.password
      done(isRight ? null : new Error('wrong password'), { user: username })
    },
    onConnect: (_, done) => {
      if (!isSilent) done()
    },
    onData: (stream, session, done) => {
      keep(stream, session).then(() => done(), done)
    },
  })
  // A client that disconnects early is not an error of a test.
  server.on('error', () => undefined)
  const listener = server.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  const taken = (listener.address() as AddressInfo).port
  return {
    port: taken,
    url: `smtp://127.0.0.1:${taken}`,
    mails,
    offered: () => count,
    received: async (wanted) => {
      while (mails.length < wanted) await arrived.promise
      return mails
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function parsed(raw: Buffer, session: SMTPServerSession): Promise<ReceivedMail> {
  const { subject = '', text = '', html, messageId = '', headers } = await PostalMime.parse(raw)
  const { mailFrom, rcptTo } = session.envelope
  return {
    recipients: rcptTo.map(({ address }) => address),
    sender: mailFrom === false ? '' : mailFrom.address,
    subject,
    text,
    html,
    messageId,
    headers: headers.map(({ key, value }) => ({ key, value })),
    raw: raw.toString('utf8'),
    isEncrypted: session.secure,
  }
}
