import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { InvalidInputError, TooManyTriesError, WrongProofError } from '@/server/errors'
import { createSeal } from '@/server/seal'
import { emptyListState } from '@/server/feed/list-state'
import type { HighSchoolList } from '@/server/feed/list-source'
import { confirmTotp, beginTotp, removeFactorsOf, removeOwnFactor } from './enrol-factors'
import { changeOwnPassword } from './own-password'
import type { Session } from './session-cookie'
import { createSessions } from './sessions'
import { createViewers } from './session'
import { createSignIn } from './sign-in'
import { giveProof } from './step-up'
import { allow } from './viewer'
import { createInvitations, acceptInvitation } from '@/server/users/invitations'
import { attempt, cheapHash, signInWorld } from './testing/sign-in-world'

const { db, clock, pass, passkeys, connect, partsFor } = signInWorld()
const PASSWORD = 'correct horse battery'

let parts = makeParts()
let signIn = createSignIn(parts)
function makeParts() {
  const sessions = createSessions({ connect, now: clock, logger: { warn: () => {} }, demo: false })
  return {
    ...partsFor('connected'),
    connect,
    passkeys,
    sessions,
    seal: createSeal(new Uint8Array(32)),
    feed: { highSchools: () => emptyListState<HighSchoolList>() },
    viewers: createViewers({ sessions, now: clock, logger: { warn: () => {} } }),
    announcer: { person: async () => {} },
  }
}
beforeEach(() => {
  parts = makeParts()
  signIn = createSignIn(parts)
})

const by = (session: Session) => ({ session, request: new Request('https://intag.test') })

async function personWithApps() {
  const { id: userId } = await parts.users.create(db(), {
    email: 'eva@x.test',
    name: 'Eva',
    role: 'admin',
    schools: 'all',
    passwordHash: await cheapHash(PASSWORD),
  })
  const id = await parts.sessions.begin({ userId, method: 'password', device: '?', address: '?' })
  const session = { id, userId, issuedAtMs: clock() }
  const viewer = await parts.viewers.find(session)
  if (!viewer) throw new Error('nobody')
  const app = async () => {
    const begun = await beginTotp(parts, viewer, { name: 'Telefonen' })
    const code = () => new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate({ timestamp: clock() })
    const { recoveryCodes } = await confirmTotp(parts, viewer, { id: begun.id, code: code() })
    pass(30_000)
    return { id: begun.id, code, recoveryCodes: recoveryCodes ?? [] }
  }
  return { userId, viewer, session, app }
}

test('of 120 wrong codes all but a few meet the brake, whatever else is right between them', async () => {
  const { userId, viewer, session, app } = await personWithApps()
  const { code, recoveryCodes } = await app()
  const spare = await app()
  const right = attempt('eva@x.test', PASSWORD)
  const wrong = () => ([code(), spare.code()].includes('123456') ? '654321' : '123456')
  const proofs = { wrong: 0, tooMany: 0 }
  const between = [
    () => changeOwnPassword(parts, viewer, { current: PASSWORD, password: 'short' }, by(session)),
    () => giveProof(parts, viewer, { code: recoveryCodes.pop() ?? '' }, by(session)),
    () => signIn.withPassword({ ...right, code: recoveryCodes.pop() ?? '' }),
    () => removeOwnFactor(parts, viewer, { id: spare.id }),
    () => signIn.withPassword(right),
    () => giveProof(parts, viewer, { password: PASSWORD }, by(session)),
  ]
  for (let tries = 0; tries < 120; tries += 1) {
    const isSignIn = tries % 2 === 1
    if (isSignIn) {
      const result = await signIn.withPassword({ ...right, address: `192.0.2.${tries}`, code: wrong() })
      if (result.ok) throw new Error('a wrong code was right')
      proofs[result.reason === 'too-many-attempts' ? 'tooMany' : 'wrong'] += 1
    } else {
      const error: unknown = await giveProof(parts, viewer, { code: wrong() }, by(session)).catch((it: unknown) => it)
      if (error instanceof TooManyTriesError) proofs.tooMany += 1
      else if (error instanceof WrongProofError) proofs.wrong += 1
      else throw error
    }
    await between[tries % between.length]?.().catch((error: unknown) => {
      const known = [InvalidInputError, WrongProofError, TooManyTriesError].some((kind) => error instanceof kind)
      if (!known && !(error instanceof Error && error.name === 'NotFoundError')) throw error
    })
  }
  expect(proofs).toEqual({ wrong: 5, tooMany: 115 })
  await expect(
    giveProof(parts, viewer, { code: code() }, by(session)),
    'the right one has to wait, too',
  ).rejects.toThrow(TooManyTriesError)
  const locked = await signIn.withPassword({ ...right, address: '198.51.100.1', code: code() })
  expect(locked).toMatchObject({ reason: 'too-many-attempts' })
  pass(30_000)
  await giveProof(parts, viewer, { code: code() }, by(session))
  pass(30_000)
  const came = await signIn.withPassword({ ...right, address: '198.51.100.2', code: code() })
  expect(came).toMatchObject({ ok: true, user: { id: userId } })
})

test('each secret waits for itself: codes lock no password, and a password no codes', async () => {
  const { viewer, session, app } = await personWithApps()
  for (let tries = 0; tries < 5; tries += 1) {
    await expect(giveProof(parts, viewer, { password: 'wrong' }, by(session))).rejects.toThrow(WrongProofError)
  }
  await expect(giveProof(parts, viewer, { password: PASSWORD }, by(session))).rejects.toThrow(TooManyTriesError)
  const { code, recoveryCodes } = await app()
  await giveProof(parts, viewer, { code: code() }, by(session))
  for (let tries = 0; tries < 5; tries += 1) {
    await expect(giveProof(parts, viewer, { code: '00-00-00-x' }, by(session))).rejects.toThrow(WrongProofError)
  }
  pass(29_000)
  await expect(giveProof(parts, viewer, { code: recoveryCodes[0] ?? '' }, by(session))).rejects.toThrow(
    TooManyTriesError,
  )
  pass(1_000)
  await giveProof(parts, viewer, { code: code() }, by(session))
})

/** The next try after so many has to wait, as after a hundred. */
const MORE_THAN_FREE = 20

describe('a hundred wrong codes of somebody else who knows the password', () => {
  const right = attempt('eva@x.test', PASSWORD)
  /** Waits each time until the next try is free. */
  const guess = async (device: string | null = null, times = 100) => {
    for (let tries = 0; tries < times;) {
      const result = await signIn.withPassword({ ...right, device, address: `192.0.2.${tries}`, code: '000000' })
      if (!result.ok && result.reason === 'too-many-attempts') pass(result.retryAfterSeconds * 1000)
      else tries += 1
    }
  }
  const person = async () => {
    const { app, ...eva } = await personWithApps()
    const device = /=([^;]*)/.exec(await parts.devices.remember(null, eva.userId))?.[1] ?? ''
    /** In a session of now: the one before is over after so long. */
    const prove = async (given: string) => {
      const id = await parts.sessions.begin({ userId: eva.userId, method: 'password', device: '?', address: '?' })
      return giveProof(parts, eva.viewer, { code: given }, by({ id, userId: eva.userId, issuedAtMs: clock() }))
    }
    return { ...eva, app, device, prove, ...(await app()) }
  }
  const tooMany = { ok: false, reason: 'too-many-attempts' }

  test('lock nobody out of a browser of theirs, and end with the right one there', async () => {
    const { code, device, prove } = await person()
    await guess()
    const here = { ...right, address: '198.51.100.1' }
    expect(await signIn.withPassword({ ...here, code: code() })).toMatchObject(tooMany)
    await expect(prove(code())).rejects.toThrow(TooManyTriesError)
    expect(await signIn.withPassword({ ...here, device, code: code() })).toMatchObject({ ok: true })
    pass(30_000)
    await expect(prove(code())).resolves.toBeUndefined()
  })

  test('in a browser of theirs are slowed down there, too', async () => {
    const { code, device } = await person()
    await guess(device)
    expect(await signIn.withPassword({ ...right, device, code: code() })).toMatchObject(tooMany)
  })

  test.each([false, true])(
    'are forgotten with the app that they were for, in a browser of theirs (%s) too',
    async (at) => {
      const { userId, viewer, app, device, prove, code } = await person()
      await guess(at ? device : null, MORE_THAN_FREE)
      const before = { ...right, device: at ? device : null, code: code() }
      expect(await signIn.withPassword(before)).toMatchObject(tooMany)
      expect(await removeFactorsOf(parts, allow(viewer, 'admin'), { id: userId })).toEqual({ count: 1 })
      const { code: ofNext } = await app()
      await expect(prove(ofNext())).resolves.toBeUndefined()
      // What a whole try counts for in a browser holds for an hour at most; what a code counts for would hold for a day.
      pass(60 * 60_000)
      expect(await signIn.withPassword({ ...right, device, code: ofNext() })).toMatchObject({ ok: true })
    },
  )

  test('are forgotten once a new app is confirmed', async () => {
    const { app, prove, code: ofFirst } = await person()
    await guess(null, MORE_THAN_FREE)
    await expect(prove(ofFirst()), 'before').rejects.toThrow(TooManyTriesError)
    const { code } = await app()
    await expect(prove(code())).resolves.toBeUndefined()
  })

  test('are forgotten with a password that was set by a link, and the person comes in from anywhere', async () => {
    const { userId, code, prove } = await person()
    await guess(null, MORE_THAN_FREE)
    await expect(prove(code()), 'before').rejects.toThrow(TooManyTriesError)
    const invitations = createInvitations({ connect, now: clock })
    const token = await db().transaction((tx) => invitations.issue(tx, userId, 'reset'))
    await acceptInvitation({ ...parts, invitations }, null, { token, password: 'another horse battery' })
    const anew = attempt('eva@x.test', 'another horse battery', { address: '198.51.100.1' })
    expect(await signIn.withPassword({ ...anew, code: code() })).toMatchObject({ ok: true })
  })
})
