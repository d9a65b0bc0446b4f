import 'server-only'
import { lengthFault, normalPassword, type PasswordFault } from '@/lib/contract/password'
import type { Env } from '@/server/env'
import { InvalidInputError } from '@/server/errors'
import { knownSchools, type SchoolParts } from '@/server/leads/high-schools'
import type { StoredUser } from '@/server/users/users'
import { verifyPassword } from './password'

/** Whose password it becomes, and where: what a guesser tries first. */
export type PasswordContext = { email: string; name?: string; origin: string; schools?: readonly string[] }

/**
 * A new password as it is to be hashed. `InvalidInputError` for `password`, with the reason, when it is shorter than 12 or
 * longer than 200 characters, common, or made of what everybody knows of the person and the place (NIST SP 800-63B-4,
 * 3.1.1.2; ASVS 5.0, 6.2). Nothing is asked of its composition.
 */
export async function acceptPassword(password: string, context: PasswordContext): Promise<string> {
  const fault = await passwordFault(password, context)
  if (fault !== null) throw new InvalidInputError('password', fault)
  return normalPassword(password)
}

export async function passwordFault(password: string, context: PasswordContext): Promise<PasswordFault | null> {
  const length = lengthFault(password)
  if (length !== null) return length
  const text = folded(password)
  if (isRun(text) || (await isCommon(password.toLowerCase(), text))) return 'common'
  return isMostly(text, wordsOf(context)) ? 'context' : null
}

/** What stands around the password of somebody who is known: also the names of their schools, as far as the service has told any. */
export function contextOf(parts: PlaceParts, { email, name, schools }: Pick<StoredUser, 'email' | 'name' | 'schools'>) {
  const theirs = knownSchools(parts).filter(({ id }) => schools === 'all' || schools.includes(id))
  return { email, name, origin: parts.env.auth.url, schools: theirs.map((school) => school.name) }
}

export type PlaceParts = SchoolParts & { env: Pick<Env, 'auth'> }

/** Whether a password is a person's. One that was kept before passwords were brought into one form matches as it was typed. */
export async function matchesPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const normal = normalPassword(password)
  if (await verifyPassword(passwordHash, normal)) return true
  return normal !== password && (await verifyPassword(passwordHash, password))
}

/** In small letters without their marks, so that "Lösenord" and "losenord" are one. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** One of the common ones, whatever digits and signs were put around it or however often it was written. */
async function isCommon(...spellings: string[]): Promise<boolean> {
  const common = await commonPasswords()
  return spellings.some((text) => {
    const bare = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    const unit = unitOf(text)
    return [text, bare, unitOf(bare), unit].some((each) => common.has(each)) || [...unit].length <= LONGEST_UNIT
  })
}

const LONGEST_UNIT = 4

/** "abcabcab" is "abc" over and over; what repeats nothing is its own unit. */
function unitOf(text: string): string {
  for (let length = 1; length * 2 <= text.length; length += 1) {
    const unit = text.slice(0, length)
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit
  }
  return text
}

const KEYS = ['qwertyuiop asdfghjkl zxcvbnm', 'qwertyuiopå asdfghjklöä zxcvbnm'].map((keys) => folded(keys).split(' '))
const ORDERS = ['1234567890', 'abcdefghijklmnopqrstuvwxyz', ...KEYS.flat()]
/** Round and round, or on into the next row. */
const RUNS = [...ORDERS.map((order) => order.repeat(2)), ...KEYS.map((rows) => ['1234567890', ...rows].join(''))]

/** Keys or letters in their order, there or back. */
function isRun(text: string): boolean {
  const back = [...text].reverse().join('')
  return RUNS.some((run) => run.includes(text) || run.includes(back))
}

/** What staff of Swedish schools choose most readily; the list that comes with the server knows few of these. */
const PLACE = `intag skola skolan gymnasium gymnasiet gymnasieskola antagning antagningen kommun kommunen elev elever
  rektor larare intresse fraga fragor losenord januari februari mars april maj juni juli augusti september oktober
  november december mandag tisdag onsdag torsdag fredag lordag sondag sommar sommaren vinter vintern host hosten var
  varen valkommen hemligt sverige`
  .split(/\s+/)
  .sort((a, b) => b.length - a.length)

/** Shorter ones are part of too many other words. */
const SHORTEST_WORD = 3

function wordsOf({ email, name = '', origin, schools = [] }: PasswordContext): string[] {
  const parts = [email, name, new URL(origin).hostname, ...schools]
    .join(' ')
    .split(/[^\p{L}]+/u)
    .map(folded)
  return [...parts.filter(({ length }) => length >= SHORTEST_WORD), ...PLACE].sort((a, b) => b.length - a.length)
}

/** Whether more than half of the letters are these words; digits and signs add little that a guesser would not add. */
function isMostly(text: string, words: readonly string[]): boolean {
  const letters = countLetters(text)
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), text)
  return letters > 0 && countLetters(rest) * 2 < letters
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0
}

let loading: Promise<ReadonlySet<string>> | null = null

/** Fifty thousand, read when somebody first chooses a password: half a megabyte that few processes ever need. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']))
  return loading
}
