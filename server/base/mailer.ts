import 'server-only'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { MailOutcome, MailReport, MailTestAnswer } from '@/lib/contract/feed-status'
import type { Counters } from './counters'
import { CERTIFICATE_FAULTS, readTextProperty } from './errors'
import { isLoopbackHost } from './safe-settings'

/** The same `key` gives the same Message-ID, so that receivers can deduplicate. */
export type Mail = {
  to: string
  subject: string
  text: string
  key: string
  purpose: 'reply' | 'test' | 'link'
  replyTo?: string | undefined
}

/** `detail` has the library's code and the server's status, never the server's text, which repeats addresses. */
export type Delivery = MailTestAnswer

const DEFAULT_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
/** Also ends an exchange with a server that keeps the connection busy and never comes to an answer. */
export const MAX_DELIVERY_MS = 45_000

export function createMailer(options: {
  settings: MailSettings
  count?: Counters['countMail']
  timeouts?: typeof DEFAULT_TIMEOUTS
  maxDeliveryMs?: number
}) {
  const { count, timeouts = DEFAULT_TIMEOUTS, maxDeliveryMs: longestMs = MAX_DELIVERY_MS } = options
  const { from, ...server } = options.settings
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  /** The library is loaded on first use. Its own log stays off, because it contains addresses. */
  const createTransport = async () => {
    const nodemailer = await import('nodemailer')
    // Google's relay refuses a greeting by a name without a dot, as a container has one.
    const more = { name: domain, maxResponseSize: 64_000, disableFileAccess: true, disableUrlAccess: true }
    return nodemailer.createTransport({ ...server, ...timeouts, ...more })
  }
  const deliver = async ({ to, subject, text, key, purpose, replyTo }: Mail): Promise<Delivery> => {
    if (!isMailAddress(to)) return { outcome: 'recipient', detail: 'EENVELOPE' }
    try {
      const transport = await createTransport()
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        ...(replyTo !== undefined && isMailAddress(replyTo) && { replyTo: { name: '', address: replyTo } }),
        subject,
        // A lone CR is read as a line end by some servers, and a dot after it as the end of the mail.
        text: text.replaceAll(/\r\n?/g, '\n'),
        messageId: `<${key}@${domain}>`,
        // Suppresses out-of-office replies (RFC 3834).
        ...(purpose !== 'reply' && { headers: { 'Auto-Submitted': 'auto-generated' } }),
        signal: AbortSignal.timeout(longestMs),
      })
      return { outcome: 'sent', detail: '' }
    } catch (error) {
      return classifyFailure(error)
    }
  }
  return {
    /** Never rejects. */
    send: async (mail: Mail): Promise<Delivery> => {
      const delivery = await deliver(mail)
      count?.(mail.purpose, delivery.outcome)
      return delivery
    },
    /** Connects and signs in, and sends nothing. Never rejects. */
    verify: async (): Promise<Delivery> => {
      try {
        await (await createTransport()).verify()
        return { outcome: 'sent', detail: '' }
      } catch (error) {
        const { outcome, detail } = classifyFailure(error)
        return { outcome: outcome === 'unknown' ? 'unreachable' : outcome, detail }
      }
    },
    report: (): MailReport => {
      const tls = server.secure || server.requireTLS ? 'always' : server.ignoreTLS ? 'none' : 'if-offered'
      const name = from.name === '' ? from.address : `${from.name} <${from.address}>`
      return { server: `${server.host}:${server.port}`, sender: name, tls }
    },
  }
}

type FailedOutcome = Exclude<MailOutcome, 'sent'>

/** Enhanced status codes by which Exchange Online says what is wrong with its settings. */
const BY_ENHANCED_CODE: Readonly<Record<string, FailedOutcome>> = {
  '5.7.139': 'basic-auth-disabled',
  '5.7.30': 'basic-auth-disabled',
  '5.7.57': 'not-authenticated',
  '5.7.60': 'send-as-denied',
}

/**
 * A server that refuses has not taken the mail, whenever it does so. The library does not say whether a connection broke before
 * or after the server had the text: only what fails while connecting, or before anything is sent, is certain; the rest is
 * unknown, because a second mail would be worse.
 */
function classifyFailure(error: unknown): { outcome: FailedOutcome; detail: string } {
  const [, status, enhanced = ''] = /^([45]\d\d)[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(readTextProperty(error, 'response')) ?? []
  const original = readTextProperty(error, 'originalCode')
  // An untrusted certificate, or no TLS at all.
  const isUntrusted = original in CERTIFICATE_FAULTS || /^ERR_(?:SSL|TLS)_/.test(original)
  const code = isUntrusted ? 'ETLS' : readTextProperty(error, 'code')
  const classify = (): FailedOutcome => {
    if (status === undefined) {
      if (code === 'ETLS') return 'refused'
      if (code === 'EAUTH') return 'credentials'
      if (code === 'EENVELOPE') return 'recipient'
      if (['CONNECT_TIMEOUT', 'GREETING_TIMEOUT'].includes(readTextProperty(error, 'timeoutType'))) return 'timed-out'
      const isAway = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(original)
      return code === 'EDNS' || isAway ? 'unreachable' : 'unknown'
    }
    const byCode = BY_ENHANCED_CODE[enhanced]
    if (byCode !== undefined) return byCode
    if (status.startsWith('4')) return 'try-later'
    if (code === 'EAUTH' || status === '535') return 'credentials'
    // 5.1.7 and 5.1.8 are about the sender; 5.7 is a policy, as where the server does not relay (RFC 3463).
    const isRecipient = readTextProperty(error, 'command') === 'RCPT TO' && !enhanced.startsWith('5.7.')
    return isRecipient || /^5\.1\.(?![78]$)/.test(enhanced) ? 'recipient' : 'refused'
  }
  const detail = [/^E[A-Z]+$/.test(code) ? code : 'ESOCKET', status, enhanced].filter(Boolean).join(' ')
  return { outcome: classify(), detail }
}

/** `smtp://user:password@host:587`, or `smtps`; credentials percent-encoded; the only option is `requireTLS=true`. */
export function isSmtpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value)
  const isAddress = /^smtps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && hash === ''
  const isOption = /^(?:\?requireTLS=(?:true|false))?$/.test(search)
  try {
    const hasLineEnd = /[\0\r\n]/.test(decodeURIComponent(username + password))
    return isAddress && isOption && (username === '') === (password === '') && !hasLineEnd
  } catch {
    return false
  }
}

export function isMailFrom(value: string): boolean {
  return isMailAddress(parseFrom(value).address)
}

function parseFrom(value: string): { name: string; address: string } {
  const [, name, address] = /^([^<>\p{C}]{1,100}?)\s*<([^<>]+)>$/u.exec(value.trim()) ?? []
  if (name === undefined || address === undefined) return { name: '', address: value.trim() }
  return { name: name.replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

export type MailSettings = ReturnType<typeof parseMailSettings>

/** From the two settings, as the library names them. STARTTLS is required unless the host is local or `?requireTLS=false` says otherwise. */
export function parseMailSettings(url: string, from: string) {
  const { protocol, hostname, port, username, password, search } = new URL(url)
  const secure = protocol === 'smtps:'
  const isHere = isLoopbackHost(hostname)
  const isDemanded = search === '?requireTLS=true'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    // Submission with STARTTLS, and with TLS from the start (RFC 6409, RFC 8314).
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && (isDemanded || !(isHere || search !== '')),
    // On this very machine nobody can listen, and certificates rarely match.
    ignoreTLS: !secure && isHere && !isDemanded,
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    from: parseFrom(from),
  }
}
