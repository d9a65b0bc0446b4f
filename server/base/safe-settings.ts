import 'server-only'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export type Present = Partial<Record<string, string>>
type Known = readonly { name: string; isProduction: boolean }[]

/** Settings that are well formed and still dangerous. Never names a value. */
export function dangersOf(present: Present, known: Known): string[] {
  return [
    ...misspeltNames(present, known),
    ...demoBesideProduction(present, known),
    ...(present.LEADS_API_URL === undefined ? [] : readableOnTheWay(present)),
    ...guessableSecrets(present),
  ]
}

/** RFC 6761 (6.3), RFC 1122 (3.2.1.3), RFC 4291 (2.5.3). */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && isLoopbackHost(new URL(address).hostname)
}

export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

/** A forgotten address must not turn production's users and data into a demo's. */
function demoBesideProduction(present: Present, known: Known): string[] {
  if (present.LEADS_API_URL !== undefined) return []
  const isProduction = (name: string) =>
    /^(?:OIDC|BOOTSTRAP)_/.test(name) || known.some((setting) => setting.name === name && setting.isProduction)
  const ofProduction = Object.keys(present).filter(isProduction)
  if (present.NEXTAUTH_URL !== undefined && !isLoopback(present.NEXTAUTH_URL)) ofProduction.push('NEXTAUTH_URL')
  if (ofProduction.length === 0) return []
  const them = ofProduction.length === 1 ? 'it' : 'them'
  return [`LEADS_API_URL is missing (needed with ${ofProduction.join(', ')}; for the demo unset ${them})`]
}

/** Such as LEADS_API_ULR: without its address Intag would be a demo. */
function misspeltNames(present: Present, known: Known): string[] {
  const isOurs = (name: string) => /^LEADS_?API_/i.test(name.trim())
  const unknown = Object.keys(present).filter((name) => isOurs(name) && !known.some((setting) => setting.name === name))
  return unknown.map((name) => `${name} is not a setting: docs/settings.md lists them`)
}

function readableOnTheWay({ DATABASE_URL, PGHOST }: Present): string[] {
  const database =
    'DATABASE_URL must demand TLS (sslmode=verify-full) unless it is this machine (or, in a network of containers alone, say sslmode=disable)'
  return isDatabaseSafe(DATABASE_URL, PGHOST) ? [] : [database]
}

/** As `pg` reads it: the last `host` and `sslmode` win, and a host that begins with / is a socket. */
function isDatabaseSafe(address = '', otherwise = 'localhost'): boolean {
  if (!URL.canParse(address) || !/^postgres/i.test(address)) return true
  const { hostname, searchParams } = new URL(address)
  const host = searchParams.getAll('host').at(-1) || decodeURIComponent(hostname) || otherwise
  if (host.startsWith('/') || isLoopbackHost(host)) return true
  const mode = searchParams.getAll('sslmode').at(-1) ?? ''
  // With libpq's rules `require` takes any certificate.
  const isChecked = mode === 'require' && !searchParams.has('uselibpqcompat')
  return isChecked || ['verify-ca', 'verify-full', 'disable'].includes(mode)
}

/** What no generator makes: words of examples, or few different characters. */
const PLACEHOLDER =
  /change.?(?:me|this|it)|replace.?(?:me|this)|your\W?\w*(?:secret|key)|placeholder|secret|password|example|keyboard/i
const MIN_DISTINCT = 10

function guessableSecrets({ NEXTAUTH_SECRET = '', NEXTAUTH_URL, DATA_KEY = '' }: Present): string[] {
  const isPublic = NEXTAUTH_URL !== undefined && !isLoopback(NEXTAUTH_URL)
  const isGuessed =
    NEXTAUTH_SECRET.length >= 16 && (PLACEHOLDER.test(NEXTAUTH_SECRET) || new Set(NEXTAUTH_SECRET).size < MIN_DISTINCT)
  const key = Buffer.from(DATA_KEY.split(',')[0] ?? '', 'base64')
  const isThin = isPublic && key.length === 32 && new Set(key).size < MIN_DISTINCT
  const guessed = [...(isGuessed ? ['NEXTAUTH_SECRET'] : []), ...(isThin ? ['DATA_KEY'] : [])]
  return guessed.map((name) => `${name} can be guessed: make one with openssl rand -base64 32`)
}

const demoSecretsSchema = z.object({ authSecret: z.string().min(32), dataKey: z.string().min(43) })
export type DemoSecrets = z.infer<typeof demoSecretsSchema>

/** Generated once and kept in the data folder, so that a demo's sessions survive a restart. */
export function readDemoSecrets(dataDir: string): DemoSecrets {
  const path = join(dataDir, 'demo-secrets.json')
  const stored = readStored(path)
  if (stored) return stored
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const made = { authSecret: randomBytes(32).toString('base64url'), dataKey: randomBytes(32).toString('base64') }
  writeFileSync(path, JSON.stringify(made), { mode: 0o600 })
  return made
}

function readStored(path: string): DemoSecrets | null {
  try {
    return demoSecretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
