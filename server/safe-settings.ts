import 'server-only'
import { groupBy } from '@/lib/group-by'
import { isDemoSecret } from '@/server/access/demo-secrets'

type Present = Partial<Record<string, string>>

/**
 * Settings that are well formed and would open a door all the same: a demo beside production, traffic that others can
 * read, secrets that can be guessed. A line for people each, which names settings and never a value.
 */
export function dangersOf(present: Present, known: readonly string[]): string[] {
  return [
    ...misspelt(present, known),
    ...demoBesideProduction(present),
    ...(present.LEADS_API_URL === undefined ? [] : readableOnTheWay(present)),
    ...guessable(present),
    ...(present.LEADS_API_URL === undefined ? [] : ofTheDemo(present)),
  ]
}

/** What is let pass on this machine alone, and is said in the log at every start. */
export function doubtsOf(present: Present): string[] {
  return isThin(present.DATA_KEY) ? ['DATA_KEY can be guessed: make one with openssl rand -base64 32'] : []
}

/** Whether an address leads to this very machine: RFC 6761 (6.3), RFC 1122 (3.2.1.3), RFC 4291 (2.5.3). */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && isLoopbackHost(new URL(address).hostname)
}

export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

/** What nobody sets for a demo. */
const OF_PRODUCTION = /^(?:LEADS_API_TOKEN|DATABASE_URL|REDIS_URL|SMTP_URL|MAIL_FROM|OIDC_.*|BOOTSTRAP_.*)$/

/** An address that was forgotten must not turn the users and data of production into a demo's. */
function demoBesideProduction(present: Present): string[] {
  if (present.LEADS_API_URL !== undefined) return []
  const beside = Object.keys(present).filter((name) => OF_PRODUCTION.test(name))
  if (present.NEXTAUTH_URL !== undefined && !isLoopback(present.NEXTAUTH_URL)) beside.push('NEXTAUTH_URL')
  if (beside.length === 0) return []
  return [`LEADS_API_URL is missing (needed with ${beside.join(', ')}; for the demo unset ${them(beside)})`]
}

function them(names: readonly string[]): string {
  return names.length === 1 ? 'it' : 'them'
}

const MOST_SLIPS = 2

/** A name like LEADS_API_ULR, or one of that family which nobody reads. */
function misspelt(present: Present, known: readonly string[]): string[] {
  const family = known.filter((name) => name.startsWith('LEADS_API_'))
  return Object.keys(present).flatMap((name) => {
    if (known.includes(name)) return []
    const written = name.trim().toUpperCase()
    const [nearest] = family
      .map((meant) => ({ meant, slips: slipsBetween(written, meant) }))
      .toSorted((one, other) => one.slips - other.slips)
    const isMeant = nearest !== undefined && (nearest.slips <= MOST_SLIPS || written.startsWith('LEADS_API_'))
    return isMeant ? [`${name} is not a setting (was ${nearest.meant} meant?)`] : []
  })
}

/** Letters to add, leave out, replace or swap with the next one until one word is the other (Damerau 1964). */
function slipsBetween(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Infinity,
        ),
      )
    }
    ;[before, last] = [last, next]
  }
  return at(last, other.length)
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? Infinity
}

/** Between containers of one host there is often no TLS: that has to be said. */
function readableOnTheWay({ DATABASE_URL, REDIS_URL, ALLOW_PLAINTEXT, PGHOST }: Present): string[] {
  const allowed = new Set((ALLOW_PLAINTEXT ?? '').split(',').map((word) => word.trim()))
  const says = (name: string, form: string, word: string) =>
    `${name} must ${form} unless it is this machine (or, in a network of containers alone, ALLOW_PLAINTEXT has ${word})`
  const database = DATABASE_URL !== undefined && !allowed.has('database') && !isDatabaseSafe(DATABASE_URL, PGHOST)
  const redis = REDIS_URL !== undefined && !allowed.has('redis') && !isRedisSafe(REDIS_URL)
  return [
    ...(database ? [says('DATABASE_URL', 'demand TLS (sslmode=verify-full)', 'database')] : []),
    ...(redis ? [says('REDIS_URL', 'begin with rediss', 'redis')] : []),
  ]
}

/** As `pg` reads it: the last `host` and `sslmode` of the query win, and a host that begins with / is a socket. */
function isDatabaseSafe(address: string, otherwise = 'localhost'): boolean {
  if (!URL.canParse(address) || !/^postgres/i.test(address)) return true
  const { hostname, searchParams } = new URL(address)
  const host = searchParams.getAll('host').at(-1) || decodeURIComponent(hostname) || otherwise
  if (host.startsWith('/') || isLoopbackHost(host)) return true
  const mode = searchParams.getAll('sslmode').at(-1) ?? ''
  // With the rules of libpq `require` takes any certificate.
  const isChecked = mode === 'require' && !searchParams.has('uselibpqcompat')
  return isChecked || mode === 'verify-ca' || mode === 'verify-full'
}

function isRedisSafe(address: string): boolean {
  return !URL.canParse(address) || new URL(address).protocol === 'rediss:' || isLoopback(address)
}

/** NIST SP 800-63B (5.1.4.2) wants 64 bits at the least of what nobody has to remember. */
const LEAST_BITS = 64

function guessable({ NEXTAUTH_SECRET, NEXTAUTH_URL, DATA_KEY }: Present): string[] {
  const weak = NEXTAUTH_SECRET !== undefined && isWeak(NEXTAUTH_SECRET)
  const thin = isThin(DATA_KEY) && NEXTAUTH_URL !== undefined && !isLoopback(NEXTAUTH_URL)
  return [
    ...(weak ? ['NEXTAUTH_SECRET can be guessed: make one with openssl rand -base64 32'] : []),
    ...(thin ? ['DATA_KEY can be guessed: make one with openssl rand -base64 32'] : []),
  ]
}

/** What is too short besides is told by its own rule. */
function isWeak(secret: string): boolean {
  return secret.length >= 16 && (isPlaceholder(secret) || bitsIn(secret) < LEAST_BITS)
}

const PLACEHOLDER =
  /change(?:me|this|it)|replace(?:me|this)|your\w*(?:secret|key)|placeholder|insert\w*secret|nextauthsecret|(?:super|my|top)secret|keyboardcat/
const EVERYDAY = /^(?:secret|password|passw0rd|test|dev|demo|development|example|qwerty|admin|intag|nextauth)+$/

function isPlaceholder(secret: string): boolean {
  const letters = secret.toLowerCase().replaceAll(/[^a-z0]/g, '')
  return PLACEHOLDER.test(letters) || EVERYDAY.test(letters)
}

/**
 * Bits in a text, judged by itself: the entropy of its characters (Shannon 1948) times their number. What repeats counts once,
 * and so does what only goes on as it began: `abcd`, `4321`, `qwerty`.
 */
export function bitsIn(text: string): number {
  const once = text.slice(0, (text + text).indexOf(text, 1)).split('')
  const steps = once.map((character, index) => stepBetween(once[index - 1] ?? '', character))
  const characters = once.filter((_, index) => steps[index] === null || steps[index] !== steps[index - 1])
  const times = [...groupBy(characters, (character) => character).values()].map(({ length }) => length)
  return times.reduce((bits, count) => bits - count * Math.log2(count / characters.length), 0)
}

const ORDERS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm']

/** In which order, and which way, one character follows the other; null when in none. */
function stepBetween(one: string, other: string): string | null {
  if (one === '') return null
  const pair = (one + other).toLowerCase()
  const order = ORDERS.findIndex((line) => line.includes(pair))
  if (order >= 0) return `on ${order}`
  const reverse = ORDERS.findIndex((line) => line.includes([...pair].toReversed().join('')))
  return reverse >= 0 ? `back ${reverse}` : null
}

const LEAST_DISTINCT = 16

/** Of 32 random bytes about 30 are different; fewer than half are somebody's typing. */
function isThin(key = ''): boolean {
  const bytes = Buffer.from(key, 'base64')
  return bytes.length === 32 && new Set(bytes).size < LEAST_DISTINCT
}

/** A demo's secrets lie in its folder, and whoever had the demo may have them. */
function ofTheDemo({ NEXTAUTH_SECRET, DATA_KEY, DATA_DIR }: Present): string[] {
  const taken = Object.entries({ NEXTAUTH_SECRET, DATA_KEY })
    .filter(([, value]) => value !== undefined && isDemoSecret(DATA_DIR ?? '.data', value))
    .map(([name]) => name)
  return taken.map((name) => `${name} is the demo's: make another`)
}
