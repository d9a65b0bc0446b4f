/** A token is 32 bytes as base64url. */
const TOKEN_AFTER_HASH = /#([\w-]{43})/
const TOKEN_WITHOUT_HASH = /^(?:\?reset=?)?[*/]?([\w-]{43})/i
/** Mail programs may encode an address several times. */
const MAX_DECODINGS = 4

/** Reads `/invite#TOKEN` and `/invite?reset#TOKEN`, also as mail programs rewrite them. A cut token is empty. */
export function readInviteLink(address: string): { token: string; isReset: boolean } | null {
  const [, rest] = /^\/+invite(.*)$/i.exec(decodeRepeatedly(address).replace(/[\s\p{Cf}]/gu, '')) ?? []
  if (rest === undefined) return null
  const [, token = ''] = TOKEN_AFTER_HASH.exec(rest) ?? TOKEN_WITHOUT_HASH.exec(rest) ?? []
  if (token === '' && /^\w/.test(rest)) return null
  return { token, isReset: /^\W?reset/i.test(rest) }
}

export function toInvitePath({ token, isReset }: { token: string; isReset: boolean }): string {
  return `/invite${isReset ? '?reset' : ''}${token && `#${token}`}`
}

function decodeRepeatedly(text: string, times = 0): string {
  if (times === MAX_DECODINGS || !text.includes('%')) return text
  try {
    return decodeRepeatedly(decodeURIComponent(text), times + 1)
  } catch {
    return text
  }
}
