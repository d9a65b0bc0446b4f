import 'server-only'
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '@/lib/group-by'

export type Present = Partial<Record<string, string>>
type Known = readonly { name: string; isProduction: boolean }[]

/** Settings that are well formed and still dangerous. Never names a value. */
export function dangersOf(present: Present, known: Known): string[] {
  return [
    ...misspeltNames(present, known),
    ...demoBesideProduction(present, known),
    ...(present.LEADS_API_URL === undefined ? [] : readableOnTheWay(present)),
    ...guessableSecrets(present),
    ...(present.LEADS_API_URL === undefined ? [] : ofTheDemo(present)),
  ]
}

export function doubtsOf(present: Present): string[] {
  return isThin(present.DATA_KEY) ? ['DATA_KEY can be guessed: make one with openssl rand -base64 32'] : []
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

function readableOnTheWay({ DATABASE_URL, REDIS_URL, PGHOST }: Present): string[] {
  const database =
    'DATABASE_URL must demand TLS (sslmode=verify-full) unless it is this machine (or, in a network of containers alone, say sslmode=disable)'
  const redis = 'REDIS_URL must begin with rediss unless it is this machine or a name without a domain'
  return [...(isDatabaseSafe(DATABASE_URL, PGHOST) ? [] : [database]), ...(isRedisSafe(REDIS_URL) ? [] : [redis])]
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

function isRedisSafe(address = ''): boolean {
  if (!URL.canParse(address) || isLoopback(address)) return true
  const { protocol, hostname } = new URL(address)
  return protocol === 'rediss:' || /^[\w-]+$/.test(hostname)
}

const MIN_BITS = 64

function guessableSecrets({ NEXTAUTH_SECRET = '', NEXTAUTH_URL, DATA_KEY }: Present): string[] {
  const isPublic = NEXTAUTH_URL !== undefined && !isLoopback(NEXTAUTH_URL)
  return [
    ...(isWeak(NEXTAUTH_SECRET) ? ['NEXTAUTH_SECRET can be guessed: make one with openssl rand -base64 32'] : []),
    ...(isPublic ? doubtsOf({ DATA_KEY }) : []),
  ]
}

function isWeak(secret: string): boolean {
  const letters = secret.toLowerCase().replaceAll(/[^a-z0]/g, '')
  const isPlaceholder = PLACEHOLDER.test(letters) || EVERYDAY.test(letters)
  return secret.length >= 16 && (isPlaceholder || bitsIn(secret) < MIN_BITS)
}

const PLACEHOLDER =
  /change(?:me|this|it)|replace(?:me|this)|your\w*(?:secret|key)|placeholder|insert\w*secret|nextauthsecret|(?:super|my|top)secret|keyboardcat/
const EVERYDAY = /^(?:secret|password|passw0rd|test|dev|demo|development|example|qwerty|admin|intag|nextauth)+$/

/** Shannon entropy (1948). Repetitions and sequences (`abcd`, `4321`, `qwerty`) count once. */
export function bitsIn(text: string): number {
  const once = text.slice(0, (text + text).indexOf(text, 1))
  const goesOn = (index: number) => index > 1 && ORDERS.includes(once.slice(index - 2, index + 1).toLowerCase())
  const characters = [...once].filter((_, index) => !goesOn(index))
  const times = [...groupBy(characters, (character) => character).values()].map(({ length }) => length)
  return times.reduce((bits, count) => bits - count * Math.log2(count / characters.length), 0)
}

const FORWARD = '01234567890\nabcdefghijklmnopqrstuvwxyz\nqwertyuiopasdfghjklzxcvbnm\n'
const ORDERS = FORWARD + [...FORWARD].toReversed().join('')

const MIN_DISTINCT = 16

function isThin(key = ''): boolean {
  const bytes = Buffer.from(key, 'base64')
  return bytes.length === 32 && new Set(bytes).size < MIN_DISTINCT
}

/** Everyone who had access to the demo may have its secrets. */
function ofTheDemo({ NEXTAUTH_SECRET = '', DATA_KEY = '', DATA_DIR = '.data' }: Present): string[] {
  const taken = Object.entries({ NEXTAUTH_SECRET, DATA_KEY }).filter(([, value]) => isDemoSecret(DATA_DIR, value))
  return taken.map(([name]) => `${name} is the demo's: make another`)
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
  return publish(path, made) ? made : (readStored(path) ?? made)
}

function isDemoSecret(dataDir: string, secret: string): boolean {
  const stored = readStored(join(dataDir, 'demo-secrets.json'))
  return stored !== null && [stored.authSecret, stored.dataKey].includes(secret)
}

function readStored(path: string): DemoSecrets | null {
  try {
    return demoSecretsSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/** Linking a finished file is atomic: of two processes that start at once, one wins and the other reads. */
function publish(path: string, secrets: DemoSecrets): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, JSON.stringify(secrets), { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch {
    return false
  } finally {
    unlinkSync(draft)
  }
}
