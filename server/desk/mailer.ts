import 'server-only'
import { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import type SMTPConnection from 'nodemailer/lib/smtp-connection/index.js'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { MailOutcome, MailReport } from '@/lib/contract/feed-status'
import type { MailSettings } from './mail-settings'

export type Mailer = ReturnType<typeof createMailer>

export type MailPurpose = 'reply' | 'test' | 'digest'

/** The same `key` gives the same Message-ID, so that receivers know it again. */
export type Mail = {
  to: string
  subject: string
  text: string
  key: string
  purpose: MailPurpose
  replyTo?: string | undefined
  headers?: Record<string, string>
}

/** Why a mail was not sent, or, `unsure`, may have been: the connection broke after the server had been given it. */
export type MailFailure = 'unreachable' | 'refused' | 'timed-out' | 'recipient' | 'unsure'

/** `detail` is a code and a number of the server's answer, never its words, which repeat addresses. */
export type Delivery = { ok: true } | { ok: false; kind: MailFailure; detail: string }

/** Whose trouble it is: the server takes nobody's mail, or not this one, now (`later`) or at all (`mail`). */
export type MailTrouble = 'server' | 'later' | 'mail'

/** What may have arrived is not to be sent again, as little as what is refused for good (5xx; RFC 5321, 4.2.1). */
export function troubleOf({ kind, detail }: Exclude<Delivery, { ok: true }>): MailTrouble {
  if (kind === 'unreachable' || kind === 'timed-out') return 'server'
  // Our login, our address and what the server speaks are the same for every mail.
  if (kind === 'refused' && /^(?:EAUTH|ETLS|EPROTOCOL|EENVELOPE)\b/.test(detail)) return 'server'
  return outcomeOf({ ok: false, kind, detail }) === 'try-later' ? 'later' : 'mail'
}

/** What the server refuses for now (4xx) is to be tried again, whatever it refused. */
export function outcomeOf({ kind, detail }: Exclude<Delivery, { ok: true }>): Exclude<MailOutcome, 'sent'> {
  return kind !== 'unsure' && / 4\d\d$/.test(detail) ? 'try-later' : kind
}

const USUAL = { connectMs: 10_000, greetingMs: 10_000, silentMs: 20_000, overallMs: 45_000 }
export type MailTimeouts = typeof USUAL

type MailerOptions = { settings: MailSettings; now: () => number; timeouts?: MailTimeouts }

/** Nothing is queued, kept or logged. */
export function createMailer({ settings, now, timeouts = USUAL }: MailerOptions) {
  return {
    send: async (mail: Mail): Promise<Delivery> => {
      if (!isMailAddress(mail.to)) return { ok: false, kind: 'recipient', detail: 'EENVELOPE' }
      const message = { body: await written(mail, settings, new Date(now())), to: inEnvelope(mail.to) }
      return handOver(await connection(settings, timeouts), message, { settings, timeouts })
    },
    /** Sends nothing. */
    check: async (): Promise<Delivery> => handOver(await connection(settings, timeouts), null, { settings, timeouts }),
    report: (): MailReport => reportOf(settings),
  }
}

function reportOf({ host, port, secure, requireTls, ignoreTls, from: { name, address } }: MailSettings): MailReport {
  const tls = secure || requireTls ? 'always' : ignoreTls ? 'none' : 'if-offered'
  return { server: `${host}:${port}`, from: name === '' ? address : `${name} <${address}>`, tls }
}

async function written(mail: Mail, { from }: MailSettings, date: Date): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js')
  const { to, text, key, replyTo } = mail
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const composer = new MailComposer({
    from,
    to: { name: '', address: to },
    ...(replyTo !== undefined && isMailAddress(replyTo) && { replyTo: { name: '', address: replyTo } }),
    subject: inOneLine(mail.subject),
    // Half an end of a line on the wire is read as a whole one by some servers, and a dot after it as the end of the mail.
    text: text.replaceAll(/\r\n?/g, '\n'),
    date,
    messageId: `<${key}@${domain}>`,
    headers: headersOf(mail),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** No out-of-office reply answers what no person wrote (RFC 3834). */
function headersOf({ purpose, headers = {} }: Mail): Record<string, string> {
  const all = { ...(purpose !== 'reply' && { 'Auto-Submitted': 'auto-generated' }), ...headers }
  return Object.fromEntries(Object.entries(all).map(([name, of]) => [name, inOneLine(of)]))
}

/** A domain with å in it has another spelling, which every server takes (RFC 5890); before the @ there is none. */
function inEnvelope(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at))
}

/** What ends a line would begin another header. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** Loaded where mail is sent. The library's own log stays off: it has addresses in it. */
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

/** Far more than a server says for one mail: the library would read an endless answer again and again. */
const MOST_ANSWERED_BYTES = 256_000
const WATCH_EVERY_MS = 100

type Message = { body: Buffer; to: string }
type HandOver = { settings: MailSettings; timeouts: MailTimeouts }

/** Connects, signs in, and gives the server the message; with none only the first two. Never rejects. */
function handOver(smtp: SMTPConnection, message: Message | null, { settings, timeouts }: HandOver) {
  return new Promise<Delivery>((resolve) => {
    let isGiven = false
    const end = (delivery: Delivery) => {
      clearTimeout(timer)
      clearInterval(watch)
      // The first word counts: closing makes the connection say that it has ended.
      resolve(delivery)
      if (delivery.ok) smtp.quit()
      else smtp.close()
    }
    // What breaks by itself after the text went over the line may have been taken; what the server says no to was not.
    const broke = (error: unknown) => end(isGiven ? unsure(error) : failure(error))
    const timer = setTimeout(() => broke({ code: 'ETIMEDOUT' }), timeouts.overallMs)
    const watch = setInterval(() => {
      const { _socket: socket } = smtp
      if (socket && socket.bytesRead > MOST_ANSWERED_BYTES) broke({ code: 'EPROTOCOL' })
    }, WATCH_EVERY_MS)
    smtp.on('error', broke)
    smtp.on('end', () => broke({ code: 'ECONNECTION' }))
    const submit = () => {
      if (message === null) return end({ ok: true })
      const body = readOnce(message.body, () => (isGiven = true))
      const envelope = { from: settings.from.address, to: [message.to] }
      smtp.send(envelope, body, (error) => end(error ? failure(error) : { ok: true }))
    }
    smtp.connect((error) => {
      if (error) return broke(error)
      if (settings.auth === null) return submit()
      smtp.login(settings.auth, (refused) => (refused ? end(failure(refused)) : submit()))
    })
  })
}

/** The stream is read when the server has agreed to take the text, and not before. */
function readOnce(message: Buffer, onRead: () => void): Readable {
  return new Readable({
    read() {
      onRead()
      this.push(message)
      this.push(null)
    },
  })
}

function unsure(error: unknown): Delivery {
  const answer = numberOf(error)
  // A server that says no and hangs up has said no.
  if (answer !== null && answer >= 400) return { ok: false, kind: 'refused', detail: detailOf(error) }
  return { ok: false, kind: 'unsure', detail: detailOf(error) }
}

function failure(error: unknown): Delivery {
  return { ok: false, kind: kindOf(error), detail: detailOf(error) }
}

function kindOf(error: unknown): MailFailure {
  const { code, command } = fieldsOf(error)
  if (command === 'RCPT TO') return 'recipient'
  if (code === 'ETIMEDOUT') return 'timed-out'
  if (['EAUTH', 'EENVELOPE', 'EMESSAGE', 'EPROTOCOL', 'ETLS'].includes(code) || numberOf(error) !== null)
    return 'refused'
  return 'unreachable'
}

function detailOf(error: unknown): string {
  const { code } = fieldsOf(error)
  return [/^E[A-Z]+$/.test(code) ? code : 'ESOCKET', numberOf(error)].filter((part) => part !== null).join(' ')
}

function numberOf(error: unknown): number | null {
  const { responseCode } = fieldsOf(error)
  return typeof responseCode === 'number' && responseCode > 0 ? responseCode : null
}

function fieldsOf(error: unknown): { code: string; command: string; responseCode: unknown } {
  const given: Partial<Record<string, unknown>> = typeof error === 'object' && error !== null ? { ...error } : {}
  const { code, command, responseCode } = given
  // What is said instead of "go on" is said of this mail, as what is said after it.
  const known = code === 'EENVELOPE' && command === 'DATA' ? 'EMESSAGE' : String(code ?? '')
  return { code: isUntrusted(error) ? 'ETLS' : known, command: String(command ?? ''), responseCode }
}

/** Its certificate is not trusted, or it speaks no TLS; the library has no code for it. */
function isUntrusted(error: unknown): boolean {
  return error instanceof Error && (/certificate/i.test(error.message) || 'library' in error)
}
