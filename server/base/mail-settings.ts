import { isMailAddress } from '@/lib/contacts/reply-mail'
import { isLoopbackHost } from './loopback'

export type MailSettings = ReturnType<typeof parseMailSettings>

/** Accepts `smtp(s)://user:password@host:587`, percent-encoded, with `requireTLS=true` or `false` as only option. */
export function isSmtpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value)
  if (!/^smtps?:$/.test(protocol) || hostname === '' || !/^\/?$/.test(pathname) || hash !== '') return false
  if (!/^(?:\?requireTLS=(?:true|false))?$/.test(search) || (username === '') !== (password === '')) return false
  try {
    return [username, password].every((part) => !/[\0\r\n]/.test(decodeURIComponent(part)))
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

/** Returns nodemailer's options. STARTTLS is required unless the host is local or the URL says otherwise. */
export function parseMailSettings(url: string, from: string) {
  const { protocol, hostname, port, username, password, search } = new URL(url)
  const secure = protocol === 'smtps:'
  const isLocal = isLoopbackHost(hostname)
  const requireTLS = !secure && (search === '?requireTLS=true' || (search === '' && !isLocal))
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    // The ports of submission are 465 with TLS from the start (RFC 8314), and 587 with STARTTLS (RFC 6409).
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS,
    // TLS towards this machine is ignored, because nobody can listen there and certificates rarely match.
    ignoreTLS: !secure && isLocal && !requireTLS,
    auth: username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    from: parseFrom(from),
  }
}
