import 'server-only'
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { and, asc, eq, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import { Secret as SharedSecret, TOTP } from 'otpauth'
import { z } from 'zod'
import type { PasskeyAssertion, PasskeyRegistration } from '@/lib/contract/account'
import { recoveryCodes, secondFactors } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { placeOf } from '@/server/db/sealed-columns'
import { jsonResponse } from '@/server/http/responses'
import type { Seal } from '@/server/seal'
import { type AuthEnv, cookieName, cookieOf, setCookie } from './session-cookie'
import type { Secret } from './throttle'

export type StoredFactor = typeof secondFactors.$inferSelect
export type SecondFactors = ReturnType<typeof createSecondFactors>
export type GivenAssertion = { response: PasskeyAssertion; challenge: Challenge }
export type GivenFactor = { code?: string | undefined; assertion?: GivenAssertion | null }
export type FactorOutcome = 'none' | 'needed' | 'wrong' | 'totp' | 'recovery-code' | 'passkey'

type Parts = { connect: Connect; now: () => number; seal: Seal; env: AuthEnv }

/** Authenticator apps, passkeys and recovery codes. A factor that was never confirmed is never asked for. */
export function createSecondFactors(parts: Parts) {
  const { connect, now, env } = parts
  const isConfirmed = (userId: string) => and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt))
  const list = async (userId: string, tx?: Db): Promise<StoredFactor[]> =>
    (tx ?? (await connect()))
      .select()
      .from(secondFactors)
      .where(isConfirmed(userId))
      .orderBy(asc(secondFactors.createdAt))
  const passkeyOwner = (assertion: GivenAssertion) => ownerOf(parts, assertion)
  return {
    list,
    async check(userId: string, { code, assertion }: GivenFactor): Promise<FactorOutcome> {
      const factors = await list(userId)
      if (factors.length === 0) return 'none'
      if (assertion) return (await passkeyOwner(assertion)) === userId ? 'passkey' : 'wrong'
      const secret = secretGiven({ code })
      if (code === undefined || secret === null) return 'needed'
      const db = await connect()
      if (secret !== 'totp') return (await useRecoveryCode(db, userId, code, now())) ? 'recovery-code' : 'wrong'
      for (const factor of factors) {
        if (factor.type === 'totp' && (await useOneTimeCode(parts, db, factor, digitsOf(code)))) return 'totp'
      }
      return 'wrong'
    },
    passkeyOwner,
    /** Lists no keys, so that it does not disclose who has one. */
    async passkeyOptions() {
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
      return generateAuthenticationOptions({ rpID: relyingParty(env).expectedRPID, userVerification: 'required' })
    },
    newPasskeyOptions: (user: Named) => newPasskeyOptions(parts, user),
    addPasskey: (tx: Db, userId: string, made: NewPasskey) => addPasskey(parts, tx, userId, made),
    beginTotp: (tx: Db, userId: string, name: string) => beginTotp(parts, tx, userId, name),
    confirmTotp: (tx: Db, userId: string, given: { id: string; code: string }) => confirmTotp(parts, tx, userId, given),
    /** Within a transaction: whether there was one. Removing the last one deletes the recovery codes. */
    async remove(tx: Db, userId: string, id: string): Promise<boolean> {
      const isFactor = and(isConfirmed(userId), eq(secondFactors.id, id))
      const gone = await tx.delete(secondFactors).where(isFactor).returning({ id: secondFactors.id })
      if ((await list(userId, tx)).length === 0) await deleteRecoveryCodes(tx, userId)
      return gone.length > 0
    },
    async removeAll(tx: Db, userId: string): Promise<number> {
      const gone = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning()
      await deleteRecoveryCodes(tx, userId)
      return gone.filter(({ confirmedAt }) => confirmedAt !== null).length
    },
    makeRecoveryCodes,
    recoveryCodesLeft: async (userId: string): Promise<number> =>
      (await connect()).$count(recoveryCodes, isUnused(userId)),
  }
}

export function secretGiven({ code, assertion }: GivenFactor): Exclude<Secret, 'password'> | null {
  if (assertion) return 'passkey'
  if (code === undefined || code.trim() === '') return null
  return /^\d{6}$/.test(digitsOf(code)) ? 'totp' : 'recovery-code'
}

function digitsOf(code: string): string {
  return code.replace(/[\s-]/g, '')
}

/** RFC 4226, section 4: at least 128 bits, better 160. */
const SECRET_BYTES = 20
const TOTP_TERMS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

async function beginTotp({ seal, now }: Parts, tx: Db, userId: string, name: string) {
  await tx.delete(secondFactors).where(and(eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt)))
  const id = randomUUID()
  const secret = new SharedSecret({ size: SECRET_BYTES }).base32
  const sealedKey = seal.encrypt(secret, placeOf.secondFactor(id))
  await tx.insert(secondFactors).values({ id, userId, type: 'totp', name, sealedKey, createdAt: new Date(now()) })
  return { id, secret }
}

async function confirmTotp(parts: Parts, tx: Db, userId: string, { id, code }: { id: string; code: string }) {
  const isUnconfirmed = and(
    eq(secondFactors.id, id),
    eq(secondFactors.userId, userId),
    isNull(secondFactors.confirmedAt),
  )
  const [factor] = await tx.select().from(secondFactors).where(isUnconfirmed)
  if (!factor || !(await useOneTimeCode(parts, tx, factor, code.replace(/\s/g, '')))) return false
  const confirmedAt = new Date(parts.now())
  await tx.update(secondFactors).set({ confirmedAt }).where(isUnconfirmed)
  return true
}

export function totpUri(secret: string, email: string): string {
  const terms = { issuer: 'Intag', label: email, secret: SharedSecret.fromBase32(secret), ...TOTP_TERMS }
  return new TOTP(terms).toString()
}

/** RFC 6238, 5.2. A single statement decides, so that of two equal codes at once one is accepted. */
async function useOneTimeCode({ seal, now }: Parts, db: Db, { id, sealedKey }: StoredFactor, token: string) {
  const opened = seal.decrypt(sealedKey, placeOf.secondFactor(id))
  if (opened === null) return false
  const at = now()
  const secret = SharedSecret.fromBase32(opened)
  const delta = TOTP.validate({ token, secret, ...TOTP_TERMS, timestamp: at, window: 1 })
  if (delta === null) return false
  const counter = Math.floor(at / (TOTP_TERMS.period * 1000)) + delta
  const used = await db
    .update(secondFactors)
    .set({ counter, lastUsedAt: new Date(at) })
    .where(and(eq(secondFactors.id, id), lt(secondFactors.counter, counter)))
    .returning({ id: secondFactors.id })
  return used.length > 0
}

const RECOVERY_CODES = 10
const RECOVERY_LENGTH = 28
/** Crockford's 32 symbols are not easily confused; 28 of them are 140 bits (ASVS 5.0, 11.5.1 asks for 128). */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Within a transaction: ten new codes, stored only as hashes, replace those before. */
async function makeRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId)
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LENGTH }, () => SYMBOLS[randomInt(SYMBOLS.length)])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  )
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
  return codes
}

async function deleteRecoveryCodes(tx: Db, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

function isUnused(userId: string) {
  return and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))
}

async function useRecoveryCode(db: Db, userId: string, code: string, now: number): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt: new Date(now) })
    .where(and(isUnused(userId), eq(recoveryCodes.codeHash, hashOf(userId, code))))
    .returning({ codeHash: recoveryCodes.codeHash })
  return used.length > 0
}

/** Not guessable with 112 bits or more, so a plain hash is enough (NIST SP 800-63B-4, 3.1.2.2; ASVS 5.0, 6.5.2). */
function hashOf(userId: string, code: string): string {
  const plain = digitsOf(code.toUpperCase()).replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${userId} ${plain}`).digest('hex')
}

type Named = { id: string; name: string; email: string }
type NewPasskey = { response: PasskeyRegistration; challenge: Challenge; name: string }

/** EdDSA, ES256 and RS256 (COSE): every device has one of them. */
const ALGORITHMS = [-8, -7, -257]

/** Bound to our address, and to a device that has verified the user (by finger, face or code). */
function relyingParty({ auth }: AuthEnv) {
  const { origin, hostname } = new URL(auth.url)
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }
}

async function newPasskeyOptions({ connect, env }: Parts, user: Named) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const db = await connect()
  const ofUser = and(eq(secondFactors.userId, user.id), eq(secondFactors.type, 'passkey'))
  const existing = await db.select().from(secondFactors).where(ofUser)
  return generateRegistrationOptions({
    rpName: 'Intag',
    rpID: relyingParty(env).expectedRPID,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: existing.map(({ id, transports }) => ({ id, ...(transports && { transports }) })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

async function addPasskey({ env, seal, now }: Parts, tx: Db, userId: string, made: NewPasskey): Promise<boolean> {
  const { response, challenge, name } = made
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const expected = { expectedChallenge: challenge.value, supportedAlgorithmIDs: ALGORITHMS, ...relyingParty(env) }
  const checked = await verifyRegistrationResponse({ response, ...expected }).catch(() => null)
  if (!checked?.verified) return false
  const { id, publicKey, counter, transports = null } = checked.registrationInfo.credential
  const at = new Date(now())
  const sealedKey = seal.encrypt(Buffer.from(publicKey).toString('base64url'), placeOf.secondFactor(id))
  const row = {
    id,
    userId,
    type: 'passkey',
    name,
    sealedKey,
    counter,
    transports,
    confirmedAt: at,
    createdAt: at,
  } as const
  return (await tx.insert(secondFactors).values(row).onConflictDoNothing().returning()).length > 0
}

async function ownerOf(parts: Parts, { response, challenge }: GivenAssertion): Promise<string | null> {
  const db = await parts.connect()
  const isUnconfirmed = and(eq(secondFactors.id, response.id), isNotNull(secondFactors.confirmedAt))
  const [factor] = await db.select().from(secondFactors).where(isUnconfirmed)
  const key = factor && parts.seal.decrypt(factor.sealedKey, placeOf.secondFactor(factor.id))
  if (factor?.type !== 'passkey' || key == null) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, counter } = factor
  const credential = { id, publicKey: new Uint8Array(Buffer.from(key, 'base64url')), counter }
  const expected = { expectedChallenge: challenge.value, ...relyingParty(parts.env) }
  const checked = await verifyAuthenticationResponse({ response, credential, ...expected }).catch(() => null)
  if (!checked?.verified) return null
  const { newCounter } = checked.authenticationInfo
  // Refuses a challenge from before the last use and a counter that goes back (a copied key), in a single statement.
  const isFresh = or(isNull(secondFactors.lastUsedAt), lt(secondFactors.lastUsedAt, new Date(challenge.madeAt)))
  const used = await db
    .update(secondFactors)
    .set({ counter: newCounter, lastUsedAt: new Date(parts.now()) })
    .where(and(eq(secondFactors.id, id), lte(secondFactors.counter, newCounter), isFresh))
    .returning({ id: secondFactors.id })
  return used.length > 0 ? factor.userId : null
}

const challengeSchema = z.object({ value: z.string(), madeAt: z.number() })
type Challenge = z.infer<typeof challengeSchema>
/** A challenge for one purpose is refused for the other. */
type Purpose = 'assertion' | 'registration'
export type ChallengeParts = Omit<Parts, 'connect'>

const CHALLENGE = 'intag-passkey-challenge'
const CHALLENGE_TTL_MS = 5 * 60_000

export async function passkeySignInOptions(
  parts: ChallengeParts & { secondFactors: Pick<SecondFactors, 'passkeyOptions'> },
): Promise<Response> {
  return challengeResponse(parts, 'assertion', await parts.secondFactors.passkeyOptions())
}

export function challengeResponse(parts: ChallengeParts, purpose: Purpose, options: { challenge: string }): Response {
  return jsonResponse(options, 200, { 'set-cookie': challengeCookie(parts, purpose, options.challenge) })
}

/** Encrypted, so that it cannot be forged. */
export function challengeCookie({ env, seal, now }: ChallengeParts, purpose: Purpose, value: string): string {
  const challenge: Challenge = { value, madeAt: now() }
  const sealed = seal.encrypt(JSON.stringify(challenge), `passkey-challenge ${purpose}`)
  return setCookie(env, cookieName(env, CHALLENGE), sealed, { seconds: CHALLENGE_TTL_MS / 1000, sameSite: 'Strict' })
}

export function readChallenge({ env, seal, now }: ChallengeParts, purpose: Purpose, request: Request) {
  const cookie = cookieOf(request, cookieName(env, CHALLENGE))
  const text = cookie === '' ? null : seal.decrypt(cookie, `passkey-challenge ${purpose}`)
  if (text === null) return null
  const challenge = challengeSchema.parse(JSON.parse(text))
  return now() - challenge.madeAt < CHALLENGE_TTL_MS ? challenge : null
}
