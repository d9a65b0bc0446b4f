import { isLoopback, isLoopbackHost } from './loopback'

export type RawSettings = Partial<Record<string, string>>

/** A secret with a word of example settings, or with few different characters, was not generated. */
const PLACEHOLDER_WORD =
  /change.?(?:me|this|it)|replace.?(?:me|this)|your\W?\w*(?:secret|key)|placeholder|secret|password|example|keyboard/i
const MIN_DISTINCT_VALUES = 10

type KnownSetting = { name: string; isProduction: boolean }

/** Describes settings that are well formed but dangerous, never by their values, which may be secret. */
export function findDangers(settings: RawSettings, knownSettings: readonly KnownSetting[]): string[] {
  const { LEADS_API_URL, NEXTAUTH_URL, NEXTAUTH_SECRET = '', DATA_KEY = '' } = settings
  const isPublic = NEXTAUTH_URL !== undefined && !isLoopback(NEXTAUTH_URL)
  const names = Object.keys(settings)
  // A misspelt name such as LEADS_API_ULR is refused, because Intag would start as a demo.
  const dangers = names
    .filter((name) => /^LEADS_?API_/i.test(name.trim()) && !knownSettings.some((setting) => setting.name === name))
    .map((name) => `${name} is not a setting: docs/settings.md lists them`)
  if (LEADS_API_URL === undefined) {
    // Without its address an installation would open as a demo, whose passwords everybody knows.
    const productionNames = names.filter(
      (name) =>
        /^(?:OIDC|BOOTSTRAP)_/.test(name) ||
        knownSettings.some((setting) => setting.name === name && setting.isProduction),
    )
    if (isPublic) productionNames.push('NEXTAUTH_URL')
    if (productionNames.length > 0)
      dangers.push(`LEADS_API_URL is missing (needed with ${productionNames.join(', ')}; the demo starts without them)`)
  } else if (!isDatabaseSafe(settings.DATABASE_URL, settings.PGHOST))
    dangers.push(
      'DATABASE_URL must demand TLS (sslmode=verify-full) unless it is this machine (or, in a network of containers alone, say sslmode=disable)',
    )
  const explainGuess = (name: string) => `${name} can be guessed: make one with openssl rand -base64 32`
  const isGuessable = PLACEHOLDER_WORD.test(NEXTAUTH_SECRET) || new Set(NEXTAUTH_SECRET).size < MIN_DISTINCT_VALUES
  if (NEXTAUTH_SECRET.length >= 16 && isGuessable) dangers.push(explainGuess('NEXTAUTH_SECRET'))
  const key = Buffer.from(DATA_KEY.split(',')[0] ?? '', 'base64')
  if (isPublic && key.length === 32 && new Set(key).size < MIN_DISTINCT_VALUES) dangers.push(explainGuess('DATA_KEY'))
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
  const requiresCheckedTls = mode === 'require' && !searchParams.has('uselibpqcompat')
  return requiresCheckedTls || ['verify-ca', 'verify-full', 'disable'].includes(mode)
}
