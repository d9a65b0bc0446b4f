import 'server-only'
import { hash, verify } from '@node-rs/argon2'
import { findLengthFault, normalizePassword, type PasswordFault } from '@/lib/contract/limits'
import type { Body } from '@/lib/contract/endpoints'
import { createConcurrencyLimit } from '@/server/base/concurrency-limit'
import { ConflictError, InvalidInputError, WrongProofError } from '@/server/base/errors'
import { oncePerProcess } from '@/server/base/once-per-process'
import type { Services } from '@/server/base/services'
import { executeAccessCommand } from './command'
import type { Session } from './session-cookie'
import { mayUsePassword } from './sign-in-rules'
import { secretAttemptKey } from './throttle'
import { setPassword, type StoredUser } from './users'
import type { Viewer } from './viewer'

/** OWASP's argon2id profile: 19 MiB, two passes, one lane. A hash carries its own parameters. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of a random password, so that unknown users take as long to refuse as known ones. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$KMzWQkNdCVAxK+skj0bUrw$BB1+A11DjrPae5MqGtVEqDhTbNCQptkY+3/AEiTiHGU'

export function hashPassword(password: string): Promise<string> {
  return getHashLimit()(() => hash(password, COST))
}

/** Older hashes are of the password as typed, not normalised. Null takes as long as a real hash. */
export async function matchesPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = (text: string) => getHashLimit()(() => verify(passwordHash ?? DUMMY_HASH, text))
  const normal = normalizePassword(password)
  const isRight = (await matches(normal)) || (normal !== password && (await matches(password)))
  return passwordHash !== null && isRight
}

/** A hash takes a core for some hundredths of a second, so two run at once, in one queue per process. */
const getHashLimit = oncePerProcess('password-turns', () =>
  createConcurrencyLimit({ concurrency: 2, maxQueued: 16, retryAfterSeconds: 2 }),
)

/** The hash of a password that its user may choose: NIST SP 800-63B-4, 3.1.1.2; ASVS 5.0, 6.2. `InvalidInputError` with the reason. */
export async function hashNewPassword({ env, feed }: Services, user: StoredUser, password: string): Promise<string> {
  const { email, name, schools } = user
  const known = feed.highSchools().content?.highSchools ?? []
  const theirs = known.filter(({ id }) => schools === 'all' || schools.includes(id)).map((school) => school.name)
  const fault = await findPasswordFault(password, { email, name, origin: env.auth.url, schools: theirs })
  if (fault !== null) throw new InvalidInputError('password', fault)
  return hashPassword(normalizePassword(password))
}

/** The demo's passwords are public; a password beside a provider's account would outlive it. */
export async function hasOwnPassword({ users, env }: Services, viewer: Viewer): Promise<boolean> {
  const user = await users.find(viewer.id)
  return user !== null && user.passwordHash !== null && !user.demo && mayUsePassword(env, user)
}

export async function requireOwnPassword(services: Services, viewer: Viewer): Promise<void> {
  if (!(await hasOwnPassword(services, viewer))) throw new ConflictError('This account has no password of its own')
}

export async function changeOwnPassword(
  services: Services,
  viewer: Viewer,
  { current, password }: Body<'POST /api/account/password'>,
  { session }: { session: Session },
): Promise<void> {
  await requireOwnPassword(services, viewer)
  const user = await checkOwnPassword(services, viewer, current)
  const passwordHash = await hashNewPassword(services, user, password)
  await executeAccessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    await setPassword(tx, user, passwordHash, new Date(services.now()), session.id)
    await log({ action: 'password-changed' })
  })
}

/** Counted apart from sign-ins: guesses at the sign-in page do not lock out signed-in users. */
export async function checkOwnPassword(services: Services, viewer: Viewer, password: string): Promise<StoredUser> {
  const { throttle, users, env } = services
  const key = secretAttemptKey(viewer.id, 'password')
  await throttle.countTry(key)
  const user = await users.find(viewer.id)
  const isRight = user !== null && mayUsePassword(env, user) && (await matchesPassword(user.passwordHash, password))
  if (!isRight) throw await logWrongProof(services, viewer)
  await throttle.recordSuccess(key)
  return user
}

/** Answers the error to throw. */
export async function logWrongProof({ activity }: Services, viewer: Viewer): Promise<WrongProofError> {
  await activity.record({ userId: viewer.id, action: 'proof-failed' })
  return new WrongProofError()
}

/** 50 000 entries, half a megabyte: loaded when the first password is chosen. */
let commonPasswords: Promise<ReadonlySet<string>> | null = null

export async function findPasswordFault(
  password: string,
  context: { email: string; name?: string; origin: string; schools?: readonly string[] },
): Promise<PasswordFault | null> {
  const { email, name = '', origin, schools = [] } = context
  const length = findLengthFault(password)
  if (length !== null) return length
  const text = toPlainLetters(password)
  const back = [...text].reverse().join('')
  if (KEY_RUNS.some((run) => run.includes(text) || run.includes(back))) return 'common'
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  const common = await commonPasswords
  const isCommon = [password.toLowerCase(), text].some((spelling) => {
    const bare = spelling.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    const unit = findUnit(spelling)
    return [spelling, bare, findUnit(bare), unit].some((each) => common.has(each)) || [...unit].length <= 4
  })
  if (isCommon) return 'common'
  const ofContext = [email, name, new URL(origin).hostname, ...schools].join(' ').split(/[^\p{L}]+/u)
  const words = [...ofContext.map(toPlainLetters).filter((word) => word.length >= 3), ...LOCAL_WORDS]
  const rest = words.sort((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ' '), text)
  const countLetters = (written: string) => written.match(/\p{L}/gu)?.length ?? 0
  return countLetters(rest) * 2 < countLetters(text) ? 'context' : null
}

function toPlainLetters(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** "abcabcab" repeats "abc"; what repeats nothing is its own unit. */
function findUnit(text: string): string {
  for (let length = 1; length * 2 <= text.length; length += 1) {
    const unit = text.slice(0, length)
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit
  }
  return text
}

const KEYS = ['qwertyuiop asdfghjkl zxcvbnm', 'qwertyuiopå asdfghjklöä zxcvbnm'].map((keys) => toPlainLetters(keys).split(' '))
const SEQUENCES = ['1234567890', 'abcdefghijklmnopqrstuvwxyz', ...KEYS.flat()]
const KEY_RUNS = [...SEQUENCES.map((order) => order.repeat(2)), ...KEYS.map((rows) => ['1234567890', ...rows].join(''))]

/** Common choices at Swedish schools, few of which are in the list of common passwords. */
const LOCAL_WORDS = `intag skola skolan gymnasium gymnasiet gymnasieskola antagning antagningen kommun kommunen elev elever
  rektor larare intresse fraga fragor losenord januari februari mars april maj juni juli augusti september oktober
  november december mandag tisdag onsdag torsdag fredag lordag sondag sommar sommaren vinter vintern host hosten var
  varen valkommen hemligt sverige`.split(/\s+/)
