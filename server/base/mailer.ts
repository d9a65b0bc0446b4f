import type { Transporter } from 'nodemailer'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { MailOutcome, MailReport, MailTestAnswer } from '@/lib/contract/service-report'
import type { Counters } from './counters'
import { CERTIFICATE_FAULTS, readTextProperty } from './error-codes'
import type { MailSettings } from './mail-settings'

/** Mails of one `key` have one Message-ID, so that receivers can deduplicate. */
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
/** Also ends an exchange with a server that keeps the connection busy but never answers. */
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
  /** The library is loaded on first use. Its log stays off, because it contains addresses. */
  const attempt = async (work: (transport: Transporter) => Promise<unknown>): Promise<Delivery> => {
    try {
      const nodemailer = await import('nodemailer')
      // Google's relay refuses a greeting by a name without a dot, such as that of a container.
      const safety = { name: domain, maxResponseSize: 64_000, disableFileAccess: true, disableUrlAccess: true }
      await work(nodemailer.createTransport({ ...server, ...timeouts, ...safety }))
      return { outcome: 'sent', detail: '' }
    } catch (error) {
      return classifyFailure(error)
    }
  }
  const deliver = async ({ to, subject, text, key, purpose, replyTo }: Mail): Promise<Delivery> => {
    if (!isMailAddress(to)) return { outcome: 'recipient', detail: 'EENVELOPE' }
    const message = {
      from,
      to: { name: '', address: to },
      replyTo: replyTo !== undefined && isMailAddress(replyTo) ? { name: '', address: replyTo } : undefined,
      subject,
      // Some servers read a lone CR as a line end, and a dot after it as the end of the mail.
      text: text.replaceAll(/\r\n?/g, '\n'),
      messageId: `<${key}@${domain}>`,
      // Suppresses out-of-office replies (RFC 3834).
      headers: purpose === 'reply' ? undefined : { 'Auto-Submitted': 'auto-generated' },
    }
    return attempt((transport) => transport.sendMail({ ...message, signal: AbortSignal.timeout(maxDeliveryMs) }))
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
      const { outcome, detail } = await attempt((transport) => transport.verify())
      return { outcome: outcome === 'unknown' ? 'unreachable' : outcome, detail }
    },
    report: (): MailReport => {
      const unlessRequired = server.ignoreTLS ? 'none' : 'if-offered'
      return {
        server: `${server.host}:${server.port}`,
        sender: from.name === '' ? from.address : `${from.name} <${from.address}>`,
        tls: server.secure || server.requireTLS ? 'always' : unlessRequired,
      }
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

function classifyFailure(error: unknown): { outcome: FailedOutcome; detail: string } {
  const [, status, enhanced = ''] =
    /^([45]\d\d)[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(readTextProperty(error, 'response')) ?? []
  const original = readTextProperty(error, 'originalCode')
  // The certificate is untrusted, or the server offers no TLS at all.
  const isUntrusted = original in CERTIFICATE_FAULTS || /^ERR_(?:SSL|TLS)_/.test(original)
  const code = isUntrusted ? 'ETLS' : readTextProperty(error, 'code')
  const detail = [/^E[A-Z]+$/.test(code) ? code : 'ESOCKET', status, enhanced].filter(Boolean).join(' ')
  if (status === undefined) return { outcome: classifyWithoutAnswer(error, code, original), detail }
  return { outcome: classifyRefusal(error, code, status, enhanced), detail }
}

/** A connection that broke is `unknown`: the server may have the mail, and a second one would be worse than none. */
function classifyWithoutAnswer(error: unknown, code: string, original: string): FailedOutcome {
  if (code === 'ETLS') return 'refused'
  if (code === 'EAUTH') return 'credentials'
  if (code === 'EENVELOPE') return 'recipient'
  const hasNotBegun = /^(?:CONNECT|GREETING)_TIMEOUT$/.test(readTextProperty(error, 'timeoutType'))
  const isAway = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(original)
  return hasNotBegun || isAway || code === 'EDNS' ? 'unreachable' : 'unknown'
}

function classifyRefusal(error: unknown, code: string, status: string, enhanced: string): FailedOutcome {
  const byCode = BY_ENHANCED_CODE[enhanced]
  if (byCode !== undefined) return byCode
  if (status.startsWith('4')) return 'try-later'
  if (code === 'EAUTH' || status === '535') return 'credentials'
  // 5.1.7 and 5.1.8 are about the sender; 5.7 is a policy, as where the server does not relay (RFC 3463).
  const isRecipient = readTextProperty(error, 'command') === 'RCPT TO' && !enhanced.startsWith('5.7.')
  return isRecipient || /^5\.1\.(?![78]$)/.test(enhanced) ? 'recipient' : 'refused'
}
