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
/** Ends an exchange with a server that keeps the connection busy, which the timeouts above do not. */
export const MAX_DELIVERY_MS = 45_000

export function createMailer(options: {
  settings: MailSettings
  countMail?: Counters['countMail']
  timeouts?: typeof DEFAULT_TIMEOUTS
  maxDeliveryMs?: number
}) {
  const { countMail, timeouts = DEFAULT_TIMEOUTS, maxDeliveryMs = MAX_DELIVERY_MS } = options
  const { from, ...server } = options.settings
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  /** The library is loaded on first use. Its log stays off, because it contains addresses. */
  const attempt = async (work: (transport: Transporter) => Promise<unknown>): Promise<Delivery> => {
    try {
      const nodemailer = await import('nodemailer')
      // Google's relay refuses a greeting with a host name without a dot, such as a container's.
      const safeOptions = { name: domain, maxResponseSize: 64_000, disableFileAccess: true, disableUrlAccess: true }
      await work(nodemailer.createTransport({ ...server, ...timeouts, ...safeOptions }))
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
      countMail?.(mail.purpose, delivery.outcome)
      return delivery
    },
    /** Connects and signs in, and sends nothing. Never rejects. */
    verify: async (): Promise<Delivery> => {
      const { outcome, detail } = await attempt((transport) => transport.verify())
      return { outcome: outcome === 'unknown' ? 'unreachable' : outcome, detail }
    },
    report: (): MailReport => {
      const tlsUnlessRequired = server.ignoreTLS ? 'none' : 'if-offered'
      return {
        server: `${server.host}:${server.port}`,
        sender: from.name === '' ? from.address : `${from.name} <${from.address}>`,
        tls: server.secure || server.requireTLS ? 'always' : tlsUnlessRequired,
      }
    },
  }
}

type FailedOutcome = Exclude<MailOutcome, 'sent'>

/** Exchange Online names faults of its settings by these enhanced status codes. */
const OUTCOMES_BY_ENHANCED_CODE: Readonly<Record<string, FailedOutcome>> = {
  '5.7.139': 'basic-auth-disabled',
  '5.7.30': 'basic-auth-disabled',
  '5.7.57': 'not-authenticated',
  '5.7.60': 'send-as-denied',
}

function classifyFailure(error: unknown): { outcome: FailedOutcome; detail: string } {
  const [, status, enhancedCode = ''] =
    /^([45]\d\d)[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(readTextProperty(error, 'response')) ?? []
  const originalCode = readTextProperty(error, 'originalCode')
  const isTlsFault = originalCode in CERTIFICATE_FAULTS || /^ERR_(?:SSL|TLS)_/.test(originalCode)
  const code = isTlsFault ? 'ETLS' : readTextProperty(error, 'code')
  const detail = [/^E[A-Z]+$/.test(code) ? code : 'ESOCKET', status, enhancedCode].filter(Boolean).join(' ')
  if (status === undefined) return { outcome: classifyWithoutAnswer(error, code, originalCode), detail }
  return { outcome: classifyRefusal(error, code, status, enhancedCode), detail }
}

/** A connection that broke is `unknown`: the server may have the mail, and a second one would be worse than none. */
function classifyWithoutAnswer(error: unknown, code: string, originalCode: string): FailedOutcome {
  if (code === 'ETLS') return 'refused'
  if (code === 'EAUTH') return 'credentials'
  if (code === 'EENVELOPE') return 'recipient'
  const isConnectTimeout = /^(?:CONNECT|GREETING)_TIMEOUT$/.test(readTextProperty(error, 'timeoutType'))
  const isUnreachable = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(originalCode)
  return isConnectTimeout || isUnreachable || code === 'EDNS' ? 'unreachable' : 'unknown'
}

function classifyRefusal(error: unknown, code: string, status: string, enhancedCode: string): FailedOutcome {
  const exchangeOutcome = OUTCOMES_BY_ENHANCED_CODE[enhancedCode]
  if (exchangeOutcome !== undefined) return exchangeOutcome
  if (status.startsWith('4')) return 'try-later'
  if (code === 'EAUTH' || status === '535') return 'credentials'
  // 5.1.7 and 5.1.8 concern the sender, and 5.7 a policy, for instance against relaying (RFC 3463).
  const isRecipient = readTextProperty(error, 'command') === 'RCPT TO' && !enhancedCode.startsWith('5.7.')
  return isRecipient || /^5\.1\.(?![78]$)/.test(enhancedCode) ? 'recipient' : 'refused'
}
