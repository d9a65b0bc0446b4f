import 'server-only'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { and, eq, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import type { PasskeyAssertion, PasskeyRegistration } from '@/lib/contract/second-factor'
import { secondFactors } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { placeOf } from '@/server/db/sealed-columns'
import type { Env } from '@/server/env'
import type { Seal } from '@/server/seal'
import type { Challenge } from './passkey-challenge'

export type Passkeys = ReturnType<typeof createPasskeys>
/** What a passkey signed, and what it was asked to sign. */
export type GivenAssertion = { response: PasskeyAssertion; challenge: Challenge }

type Parts = { connect: Connect; now: () => number; seal: Seal; env: Pick<Env, 'auth'> }
type Person = { id: string; name: string; email: string }

/** A key in the telephone or computer that never leaves it (W3C Web Authentication, level 3). */
export function createPasskeys(parts: Parts) {
  const { hostname } = new URL(parts.env.auth.url)
  return {
    /** What the browser asks the person's devices for. It names no key, so that nobody learns who has one. */
    async askForOne(): Promise<PublicKeyCredentialRequestOptionsJSON> {
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
      return generateAuthenticationOptions({ rpID: hostname, userVerification: 'required' })
    },
    /** What the browser asks a device to make; one that has a key of this person already says so. */
    offerNew: (person: Person) => offerNew(parts, hostname, person),
    /** Within a transaction: keeps the public key of one that was just made; false when it is not what was asked for. */
    add: (tx: Db, userId: string, made: MadePasskey) => add(parts, tx, userId, made),
    /** Whose passkey signed this challenge, with the person verified; null when nobody's did. */
    verify: (assertion: GivenAssertion) => verify(parts, assertion),
  }
}

/** Of this very address, and only when the device has made sure that it is its owner (by finger, face or code). */
function expectedOf({ env }: Parts) {
  const { origin, hostname } = new URL(env.auth.url)
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }
}

async function offerNew(
  { connect }: Parts,
  rpID: string,
  person: Person,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const known = await (
    await connect()
  )
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, person.id), eq(secondFactors.type, 'passkey')))
  return generateRegistrationOptions({
    rpName: 'Intag',
    rpID,
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
  const expected = { expectedChallenge: challenge.value, ...expectedOf(parts) }
  const checked = await verifyRegistrationResponse({
    response,
    supportedAlgorithmIDs: ALGORITHMS,
    ...expected,
  }).catch(() => null)
  if (!checked?.verified) return false
  const { id, publicKey, counter, transports } = checked.registrationInfo.credential
  const at = new Date(parts.now())
  const sealedKey = parts.seal.close(Buffer.from(publicKey).toString('base64url'), placeOf.secondFactor(id))
  const row = { id, userId, type: 'passkey', name, sealedKey, counter, confirmedAt: at, createdAt: at } as const
  const added = await tx
    .insert(secondFactors)
    .values({ ...row, transports: transports ?? null })
    .onConflictDoNothing()
    .returning({ id: secondFactors.id })
  return added.length > 0
}

async function verify(parts: Parts, { response, challenge }: GivenAssertion): Promise<string | null> {
  const db = await parts.connect()
  const [factor] = await db
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.id, response.id), isNotNull(secondFactors.confirmedAt)))
  const publicKey = factor && parts.seal.open(factor.sealedKey, placeOf.secondFactor(factor.id))
  if (factor?.type !== 'passkey' || publicKey == null) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const credential = {
    id: factor.id,
    publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
    counter: factor.counter,
  }
  const expected = { expectedChallenge: challenge.value, ...expectedOf(parts) }
  const checked = await verifyAuthenticationResponse({ response, credential, ...expected }).catch(() => null)
  if (!checked?.verified) return null
  const { newCounter } = checked.authenticationInfo
  return (await use(db, factor.id, newCounter, { challenge, now: parts.now() })) ? factor.userId : null
}

/**
 * A key counts once for each challenge: what was made up before its last use is refused, so that nothing that was signed can be
 * sent twice; and its counter never goes back, as that of a copy would. One statement decides.
 */
async function use(
  db: Db,
  id: string,
  counter: number,
  { challenge, now }: { challenge: Challenge; now: number },
): Promise<boolean> {
  const isFresh = or(isNull(secondFactors.lastUsedAt), lt(secondFactors.lastUsedAt, new Date(challenge.madeAt)))
  const used = await db
    .update(secondFactors)
    .set({ counter, lastUsedAt: new Date(now) })
    .where(and(eq(secondFactors.id, id), lte(secondFactors.counter, counter), isFresh))
    .returning({ id: secondFactors.id })
  return used.length > 0
}
