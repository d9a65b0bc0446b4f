import 'server-only'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import { isLoopbackHost } from '@/server/safe-settings'

export type MailSettings = {
  host: string
  port: number
  /** TLS from the first byte (`smtps`). */
  secure: boolean
  /** Without STARTTLS nothing is sent. */
  requireTls: boolean
  /** This very machine: nobody reads on the way, and its certificate seldom has its name. */
  ignoreTls: boolean
  auth: { user: string; pass: string } | null
  from: { name: string; address: string }
}

/** Submission with STARTTLS, and with TLS from the start (RFC 6409, RFC 8314). */
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

/** `smtp://user:password@host:587`, or `smtps`; credentials in their encoded form; the one option is `requireTLS=true`. */
export function isSmtpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value)
  const isAddress = /^smtps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && hash === ''
  const isOption = search === '' || search === '?requireTLS=true'
  return isAddress && isOption && (username === '') === (password === '') && isDecodable(username + password)
}

/** Percent-encoded, and no line or text could be ended with it. */
export function isDecodable(text: string): boolean {
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

/** Both as the variables have them. STARTTLS is demanded unless it is this machine, or plain text is allowed. */
export function mailSettings(url: string, from: string, { mayBePlain }: { mayBePlain: boolean }): MailSettings {
  const { protocol, hostname, port, username, password, search } = new URL(url)
  const secure = protocol === 'smtps:'
  const isHere = isLoopbackHost(hostname)
  const isDemanded = search !== ''
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? PORTS[secure ? 'smtps:' : 'smtp:'] : Number(port),
    secure,
    requireTls: !secure && (isDemanded || !(isHere || mayBePlain)),
    ignoreTls: !secure && isHere && !isDemanded,
    auth: username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    from: fromOf(from),
  }
}
