export type RawSettings = Partial<Record<string, string>>

/** The addresses of this machine are defined by RFC 6761 (6.3), RFC 1122 (3.2.1.3) and RFC 4291 (2.5.3). */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && isLoopbackHost(new URL(address).hostname)
}

export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

/** Words of example settings. A secret with such a word, or of few different characters, was not generated. */
const PLACEHOLDER =
  /change.?(?:me|this|it)|replace.?(?:me|this)|your\W?\w*(?:secret|key)|placeholder|secret|password|example|keyboard/i
const MIN_DISTINCT = 10

type KnownSetting = { name: string; isProduction: boolean }

/** Describes settings that are well formed and still dangerous, never by their values. */
export function findDangers(settings: RawSettings, known: readonly KnownSetting[]): string[] {
  const { LEADS_API_URL, NEXTAUTH_URL, NEXTAUTH_SECRET = '', DATA_KEY = '' } = settings
  const isPublic = NEXTAUTH_URL !== undefined && !isLoopback(NEXTAUTH_URL)
  const names = Object.keys(settings)
  // A misspelt name such as LEADS_API_ULR is refused, because Intag would start as a demo.
  const dangers = names
    .filter((name) => /^LEADS_?API_/i.test(name.trim()) && !known.some((setting) => setting.name === name))
    .map((name) => `${name} is not a setting: docs/settings.md lists them`)
  if (LEADS_API_URL === undefined) {
    // Without its address an installation would open as a demo, whose passwords everybody knows.
    const production = names.filter(
      (name) =>
        /^(?:OIDC|BOOTSTRAP)_/.test(name) || known.some((setting) => setting.name === name && setting.isProduction),
    )
    if (isPublic) production.push('NEXTAUTH_URL')
    if (production.length > 0)
      dangers.push(`LEADS_API_URL is missing (needed with ${production.join(', ')}; the demo starts without them)`)
  } else if (!isDatabaseSafe(settings.DATABASE_URL, settings.PGHOST))
    dangers.push(
      'DATABASE_URL must demand TLS (sslmode=verify-full) unless it is this machine (or, in a network of containers alone, say sslmode=disable)',
    )
  const explainGuess = (name: string) => `${name} can be guessed: make one with openssl rand -base64 32`
  const isPlaceholder = PLACEHOLDER.test(NEXTAUTH_SECRET) || new Set(NEXTAUTH_SECRET).size < MIN_DISTINCT
  if (NEXTAUTH_SECRET.length >= 16 && isPlaceholder) dangers.push(explainGuess('NEXTAUTH_SECRET'))
  const key = Buffer.from(DATA_KEY.split(',')[0] ?? '', 'base64')
  if (isPublic && key.length === 32 && new Set(key).size < MIN_DISTINCT) dangers.push(explainGuess('DATA_KEY'))
  return dangers
}

/** Reads the address as `pg` does: the last `host` and `sslmode` win, and a host that begins with / is a socket. */
function isDatabaseSafe(address = '', defaultHost = 'localhost'): boolean {
  if (!URL.canParse(address) || !/^postgres/i.test(address)) return true
  const { hostname, searchParams } = new URL(address)
  const host = searchParams.getAll('host').at(-1) || decodeURIComponent(hostname) || defaultHost
  if (host.startsWith('/') || isLoopbackHost(host)) return true
  const mode = searchParams.getAll('sslmode').at(-1) ?? ''
  // With `uselibpqcompat`, `sslmode=require` accepts any certificate.
  const isChecked = mode === 'require' && !searchParams.has('uselibpqcompat')
  return isChecked || ['verify-ca', 'verify-full', 'disable'].includes(mode)
}
