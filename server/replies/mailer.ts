import 'server-only'
import type { Counters } from '@/server/base/counters'
import { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import type SMTPConnection from 'nodemailer/lib/smtp-connection/index.js'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { MailOutcome, MailReport } from '@/lib/contract/feed-status'
import { isLoopbackHost } from '@/server/base/safe-settings'

export type Mailer = ReturnType<typeof createMailer>

/** The same `key` gives the same Message-ID, so that receivers can deduplicate. */
export type Mail = {
  to: string
  subject: string
  text: string
  key: string
  purpose: 'reply' | 'test' | 'link'
  replyTo?: string | undefined
}

/** `unsure`: the connection broke after the message was handed over, so it may have been sent. */
export type MailFailure = 'unreachable' | 'refused' | 'timed-out' | 'recipient' | 'unsure'

/** `detail` is an error code and a status of the server, never its text, which repeats addresses. */
export type Delivery = { ok: true } | { ok: false; kind: MailFailure; detail: string }

export function outcomeOf({ kind, detail }: Exclude<Delivery, { ok: true }>): Exclude<MailOutcome, 'sent'> {
  return kind !== 'unsure' && / 4\d\d$/.test(detail) ? 'try-later' : kind
}

const DEFAULT_TIMEOUTS = { connectMs: 10_000, greetingMs: 10_000, silentMs: 20_000, overallMs: 45_000 }
export type MailTimeouts = typeof DEFAULT_TIMEOUTS

type MailerOptions = { settings: MailSettings; now: () => number; timeouts?: MailTimeouts }

/** Queues, stores and logs nothing. */
export function createMailer({ settings, now, timeouts = DEFAULT_TIMEOUTS }: MailerOptions) {
  return {
    send: async (mail: Mail): Promise<Delivery> => {
      if (!isMailAddress(mail.to)) return { ok: false, kind: 'recipient', detail: 'EENVELOPE' }
      const message = { body: await composeMail(mail, settings, new Date(now())), to: envelopeAddress(mail.to) }
      return deliver(await connection(settings, timeouts), message, { settings, timeouts })
    },
    check: async (): Promise<Delivery> => deliver(await connection(settings, timeouts), null, { settings, timeouts }),
    report: (): MailReport => {
      const { host, port, secure, requireTls, ignoreTls, from } = settings
      const tls = secure || requireTls ? 'always' : ignoreTls ? 'none' : 'if-offered'
      return {
        server: `${host}:${port}`,
        from: from.name === '' ? from.address : `${from.name} <${from.address}>`,
        tls,
      }
    },
  }
}

async function composeMail(mail: Mail, { from }: MailSettings, date: Date): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js')
  const { to, text, key, purpose, replyTo } = mail
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const composer = new MailComposer({
    from,
    to: { name: '', address: to },
    ...(replyTo !== undefined && isMailAddress(replyTo) && { replyTo: { name: '', address: replyTo } }),
    subject: inOneLine(mail.subject),
    // A lone CR is read as a line end by some servers, and a dot after it as the end of the mail.
    text: text.replaceAll(/\r\n?/g, '\n'),
    date,
    messageId: `<${key}@${domain}>`,
    // Suppresses out-of-office replies (RFC 3834).
    ...(purpose !== 'reply' && { headers: { 'Auto-Submitted': 'auto-generated' } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** A domain with å has an ASCII form that every server accepts (RFC 5890); the local part has none. */
function envelopeAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at))
}

/** Against header injection. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** Loaded on first use. The library's own log stays off: it contains addresses. */
async function connection(settings: MailSettings, timeouts: MailTimeouts): Promise<SMTPConnection> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection/index.js')
  const { host, port, secure, requireTls, ignoreTls } = settings
  return new Connection({
    host,
    port,
    secure,
    requireTLS: requireTls,
    ignoreTLS: ignoreTls,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silentMs,
    dnsTimeout: timeouts.connectMs,
    logger: false,
    debug: false,
  })
}

/** Far more than one mail needs: the library would read an endless answer again and again. */
const MAX_RESPONSE_BYTES = 256_000
const WATCH_EVERY_MS = 100

type Message = { body: Buffer; to: string }
type DeliveryContext = { settings: MailSettings; timeouts: MailTimeouts }

/** Connects, signs in, and hands over the message; with null only the first two. Never rejects. */
function deliver(smtp: SMTPConnection, message: Message | null, { settings, timeouts }: DeliveryContext) {
  return new Promise<Delivery>((resolve) => {
    let isTextSent = false
    const finish = (delivery: Delivery) => {
      clearTimeout(timer)
      clearInterval(watch)
      // Closing emits `end` again; the first result counts.
      resolve(delivery)
      if (delivery.ok) smtp.quit()
      else smtp.close()
    }
    // A connection that breaks after the text was sent may have delivered it; a refusal has not.
    const fail = (error: unknown) => finish(failureOf(error, isTextSent))
    const timer = setTimeout(() => fail({ code: 'ETIMEDOUT' }), timeouts.overallMs)
    const watch = setInterval(() => {
      const { _socket: socket } = smtp
      if (socket && socket.bytesRead > MAX_RESPONSE_BYTES) fail({ code: 'EPROTOCOL' })
    }, WATCH_EVERY_MS)
    smtp.on('error', fail)
    smtp.on('end', () => fail({ code: 'ECONNECTION' }))
    const submit = () => {
      if (message === null) return finish({ ok: true })
      const body = readOnce(message.body, () => (isTextSent = true))
      const envelope = { from: settings.from.address, to: [message.to] }
      smtp.send(envelope, body, (error) => finish(error ? failureOf(error) : { ok: true }))
    }
    smtp.connect((error) => {
      if (error) return fail(error)
      if (settings.auth === null) return submit()
      smtp.login(settings.auth, (refused) => (refused ? finish(failureOf(refused)) : submit()))
    })
  })
}

/** Read only once the server has agreed to take the text. */
function readOnce(message: Buffer, onRead: () => void): Readable {
  return new Readable({
    read() {
      onRead()
      this.push(message)
      this.push(null)
    },
  })
}

function failureOf(error: unknown, isGiven = false): Delivery {
  const fields: Partial<Record<string, unknown>> = typeof error === 'object' && error !== null ? { ...error } : {}
  const { command, responseCode } = fields
  const status = typeof responseCode === 'number' && responseCode > 0 ? responseCode : null
  // A refusal of DATA is about this mail, like a refusal after it.
  const smtpCode = fields.code === 'EENVELOPE' && command === 'DATA' ? 'EMESSAGE' : String(fields.code ?? '')
  const code = isUntrusted(error) ? 'ETLS' : smtpCode
  const detail = [/^E[A-Z]+$/.test(code) ? code : 'ESOCKET', status].filter((part) => part !== null).join(' ')
  // A server that refuses and hangs up has refused.
  const afterText = status !== null && status >= 400 ? 'refused' : 'unsure'
  return { ok: false, kind: isGiven ? afterText : kindOf(code, command, status), detail }
}

function kindOf(code: string, command: unknown, status: number | null): MailFailure {
  if (command === 'RCPT TO') return 'recipient'
  if (code === 'ETIMEDOUT') return 'timed-out'
  const isRefusal = ['EAUTH', 'EENVELOPE', 'EMESSAGE', 'EPROTOCOL', 'ETLS'].includes(code) || status !== null
  return isRefusal ? 'refused' : 'unreachable'
}

/** An untrusted certificate, or no TLS at all; the library has no code for either. */
function isUntrusted(error: unknown): boolean {
  return error instanceof Error && (/certificate/i.test(error.message) || 'library' in error)
}

export type MailSettings = {
  host: string
  port: number
  secure: boolean
  /** Send nothing without STARTTLS. */
  requireTls: boolean
  /** On this very machine: nobody can listen, and certificates rarely match. */
  ignoreTls: boolean
  auth: { user: string; pass: string } | null
  from: { name: string; address: string }
}

/** Submission with STARTTLS, and with TLS from the start (RFC 6409, RFC 8314). */
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

/** `smtp://user:password@host:587`, or `smtps`; credentials percent-encoded; the only option is `requireTLS=true`. */
export function isSmtpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value)
  const isAddress = /^smtps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && hash === ''
  const isOption = /^(?:\?requireTLS=(?:true|false))?$/.test(search)
  return isAddress && isOption && (username === '') === (password === '') && isDecodable(username + password)
}

/** Percent-encoded, and without line ends. */
function isDecodable(text: string): boolean {
  try {
    return !/[\0\r\n]/.test(decodeURIComponent(text))
  } catch {
    return false
  }
}

const NAMED = /^([^<>\p{C}]{1,100}?)\s*<([^<>]+)>$/u

export function isMailFrom(value: string): boolean {
  return isMailAddress(fromOf(value).address)
}

function fromOf(value: string): MailSettings['from'] {
  const [, name, address] = NAMED.exec(value.trim()) ?? []
  if (name === undefined || address === undefined) return { name: '', address: value.trim() }
  return { name: name.replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/** From the two settings. STARTTLS is required unless the host is local or `?requireTLS=false` says otherwise. */
export function mailSettings(url: string, from: string): MailSettings {
  const { protocol, hostname, port, username, password, search } = new URL(url)
  const secure = protocol === 'smtps:'
  const isHere = isLoopbackHost(hostname)
  const isDemanded = search === '?requireTLS=true'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? PORTS[secure ? 'smtps:' : 'smtp:'] : Number(port),
    secure,
    requireTls: !secure && (isDemanded || !(isHere || search !== '')),
    ignoreTls: !secure && isHere && !isDemanded,
    auth: username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    from: fromOf(from),
  }
}

/** The same mailer, with each mail counted by what came of it. */
export function countMails(mailer: Mailer, count: Counters['mail']): Mailer {
  return {
    ...mailer,
    send: async (mail) => {
      const delivery = await mailer.send(mail)
      count(mail.purpose, delivery.ok ? 'sent' : delivery.kind)
      return delivery
    },
  }
}
