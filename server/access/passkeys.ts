import 'server-only'
import { and, eq, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import type { PasskeyAssertion, PasskeyRegistration } from '@/lib/contract/account'
import { z } from 'zod'
import { secondFactors } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { placeOf } from '@/server/db/sealed-columns'
import { jsonResponse } from '@/server/http/responses'
import type { Seal } from '@/server/seal'
import { cookieOf, isSecure, setCookie, type AuthEnv } from './session-cookie'

export type Passkeys = ReturnType<typeof createPasskeys>
export type GivenAssertion = { response: PasskeyAssertion; challenge: Challenge }

type Parts = { connect: Connect; now: () => number; seal: Seal; env: AuthEnv }
type Person = { id: string; name: string; email: string }

/** A key in a phone or computer that never leaves it (W3C Web Authentication, level 3). */
export function createPasskeys(parts: Parts) {
  return {
    /** What the browser asks the person's devices for. It names no key, so that nobody learns who has one. */
    async askForOne() {
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
      return generateAuthenticationOptions({ rpID: expectedOf(parts).expectedRPID, userVerification: 'required' })
    },
    offerNew: (person: Person) => offerNew(parts, person),
    add: (tx: Db, userId: string, made: MadePasskey) => add(parts, tx, userId, made),
    /** Whose passkey signed this challenge, with the person verified; null when nobody's did. */
    verify: (assertion: GivenAssertion) => verify(parts, assertion),
  }
}

/** Of this very address, and only when the device has verified its owner (by finger, face or code). */
function expectedOf({ env }: Parts) {
  const { origin, hostname } = new URL(env.auth.url)
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }
}

async function offerNew(parts: Parts, person: Person) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const db = await parts.connect()
  const theirs = and(eq(secondFactors.userId, person.id), eq(secondFactors.type, 'passkey'))
  const known = await db.select().from(secondFactors).where(theirs)
  return generateRegistrationOptions({
    rpName: 'Intag',
    rpID: expectedOf(parts).expectedRPID,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, ...(transports && { transports }) })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** EdDSA, ES256 and RS256 (COSE): every device has one of them. */
const ALGORITHMS = [-8, -7, -257]

type MadePasskey = { response: PasskeyRegistration; challenge: Challenge; name: string }

async function add(parts: Parts, tx: Db, userId: string, made: MadePasskey): Promise<boolean> {
  const { response, challenge, name } = made
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const expected = { expectedChallenge: challenge.value, supportedAlgorithmIDs: ALGORITHMS, ...expectedOf(parts) }
  const checked = await verifyRegistrationResponse({ response, ...expected }).catch(() => null)
  if (!checked?.verified) return false
  const { id, publicKey, counter, transports = null } = checked.registrationInfo.credential
  const at = new Date(parts.now())
  const sealedKey = parts.seal.close(Buffer.from(publicKey).toString('base64url'), placeOf.secondFactor(id))
  const row = { id, userId, type: 'passkey', name, sealedKey, counter, confirmedAt: at, createdAt: at } as const
  const added = await tx
    .insert(secondFactors)
    .values({ ...row, transports })
    .onConflictDoNothing()
    .returning({ id: secondFactors.id })
  return added.length > 0
}

async function verify(parts: Parts, { response, challenge }: GivenAssertion): Promise<string | null> {
  const db = await parts.connect()
  const its = and(eq(secondFactors.id, response.id), isNotNull(secondFactors.confirmedAt))
  const [factor] = await db.select().from(secondFactors).where(its)
  const key = factor && parts.seal.open(factor.sealedKey, placeOf.secondFactor(factor.id))
  if (factor?.type !== 'passkey' || key == null) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, counter } = factor
  const credential = { id, publicKey: new Uint8Array(Buffer.from(key, 'base64url')), counter }
  const expected = { expectedChallenge: challenge.value, ...expectedOf(parts) }
  const checked = await verifyAuthenticationResponse({ response, credential, ...expected }).catch(() => null)
  if (!checked?.verified) return null
  const isUsed = await use(db, id, checked.authenticationInfo.newCounter, challenge.madeAt, parts.now())
  return isUsed ? factor.userId : null
}

/** A challenge from before the last use is refused, and a counter that goes back is a copy's. One statement decides. */
async function use(db: Db, id: string, counter: number, madeAt: number, now: number): Promise<boolean> {
  const isFresh = or(isNull(secondFactors.lastUsedAt), lt(secondFactors.lastUsedAt, new Date(madeAt)))
  const used = await db
    .update(secondFactors)
    .set({ counter, lastUsedAt: new Date(now) })
    .where(and(eq(secondFactors.id, id), lte(secondFactors.counter, counter), isFresh))
    .returning({ id: secondFactors.id })
  return used.length > 0
}

export type Challenge = { value: string; madeAt: number }
/** To sign in, or for a new key: neither can be taken for the other. */
type Purpose = 'assertion' | 'registration'
export type ChallengeParts = { env: AuthEnv; seal: Seal; now: () => number }

const HOLDS_MS = 5 * 60_000
const challengeSchema = z.object({ value: z.string(), madeAt: z.number() })

/** For a browser that wants to sign in by a passkey: the same for everyone, and no key by name. */
export async function askPasskey(
  parts: ChallengeParts & { passkeys: { askForOne: () => Promise<{ challenge: string }> } },
): Promise<Response> {
  return challenging(parts, 'assertion', await parts.passkeys.askForOne())
}

export function challenging(parts: ChallengeParts, purpose: Purpose, options: { challenge: string }): Response {
  return jsonResponse(options, 200, { 'set-cookie': challengeCookie(parts, purpose, options.challenge) })
}

/** Enciphered, so that nobody can invent one. */
export function challengeCookie({ env, seal, now }: ChallengeParts, purpose: Purpose, value: string): string {
  const challenge: Challenge = { value, madeAt: now() }
  const sealed = seal.close(JSON.stringify(challenge), `passkey-challenge ${purpose}`)
  return setCookie(env, challengeName(env), sealed, { seconds: HOLDS_MS / 1000, sameSite: 'Strict' })
}

export function challengeOf({ env, seal, now }: ChallengeParts, purpose: Purpose, request: Request): Challenge | null {
  const cookie = cookieOf(request, challengeName(env))
  const text = cookie === '' ? null : seal.open(cookie, `passkey-challenge ${purpose}`)
  if (text === null) return null
  const challenge = challengeSchema.parse(JSON.parse(text))
  return now() - challenge.madeAt < HOLDS_MS ? challenge : null
}

function challengeName(env: AuthEnv): string {
  return `${isSecure(env) ? '__Host-' : ''}intag-passkey-challenge`
}
