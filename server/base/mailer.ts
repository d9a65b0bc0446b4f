import 'server-only'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { MailOutcome, MailReport, MailTestAnswer } from '@/lib/contract/service-report'
import type { Counters } from './counters'
import { CERTIFICATE_FAULTS, readTextProperty } from './errors'
import { isLoopbackHost } from './safe-settings'

/** Mails of the same `key` have the same Message-ID, so that receivers can deduplicate. */
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
/** The longest that a delivery may take (ms). It also ends an exchange with a server that keeps the connection busy but never answers. */
export const MAX_DELIVERY_MS = 45_000

export function createMailer(options: {
  settings: MailSettings
  count?: Counters['countMail']
  timeouts?: typeof DEFAULT_TIMEOUTS
  maxDeliveryMs?: number
}) {
  const { count, timeouts = DEFAULT_TIMEOUTS, maxDeliveryMs = MAX_DELIVERY_MS } = options
  const { from, ...server } = options.settings
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  /** The library is loaded on first use. Its own log stays off, because it contains addresses. */
  const createTransport = async () => {
    const nodemailer = await import('nodemailer')
    // Google's relay refuses a greeting by a name without a dot, such as that of a container.
    const safety = { name: domain, maxResponseSize: 64_000, disableFileAccess: true, disableUrlAccess: true }
    return nodemailer.createTransport({ ...server, ...timeouts, ...safety })
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
        signal: AbortSignal.timeout(maxDeliveryMs),
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

/** Exchange Online names faults of its settings by these enhanced status codes. */
const BY_ENHANCED_CODE: Readonly<Record<string, FailedOutcome>> = {
  '5.7.139': 'basic-auth-disabled',
  '5.7.30': 'basic-auth-disabled',
  '5.7.57': 'not-authenticated',
  '5.7.60': 'send-as-denied',
}

/**
 * A refusal means that the server has not taken the mail. nodemailer does not tell whether a broken connection was lost
 * before or after the server had the text, so only failures to connect, and those before anything is sent, are certain.
 * Everything else is `unknown`, because sending a second mail would be worse.
 */
function classifyFailure(error: unknown): { outcome: FailedOutcome; detail: string } {
  const [, status, enhanced = ''] =
    /^([45]\d\d)[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(readTextProperty(error, 'response')) ?? []
  const original = readTextProperty(error, 'originalCode')
  // The certificate is untrusted, or the server offers no TLS at all.
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

/** Accepts `smtp(s)://user:password@host:587`, credentials percent-encoded. The only option is `requireTLS=true` or `false`. */
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

/** Parses the two settings into nodemailer's options. STARTTLS is required unless the host is local or `?requireTLS=false` is set. */
export function parseMailSettings(url: string, from: string) {
  const { protocol, hostname, port, username, password, search } = new URL(url)
  const secure = protocol === 'smtps:'
  const isLocal = isLoopbackHost(hostname)
  const requiresTls = search === '?requireTLS=true'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    // The ports are those of submission with TLS from the start (RFC 8314), and with STARTTLS (RFC 6409).
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && (requiresTls || !(isLocal || search !== '')),
    // TLS is not tried on localhost: nobody can listen there, and certificates rarely match.
    ignoreTLS: !secure && isLocal && !requiresTls,
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    from: parseFrom(from),
  }
}
