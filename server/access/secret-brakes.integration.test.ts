import { beforeEach, describe, expect, test } from 'vitest'
import { InvalidInputError, NotFoundError, TooManyTriesError, WrongProofError } from '@/server/base/errors'
import { acceptInvitation } from './invitations'
import { removeFactorsOf, removeOwnFactor, changeOwnPassword } from './own-credentials'
import type { Session } from './session-cookie'
import { giveProof } from './step-up'
import { attempt, PASSWORD, signInWorld } from './testing/sign-in-world'
import { allow } from './viewer'

const { db, pass, parts, signIn, person, begin, withApp, deviceOf } = signInWorld()
const by = (session: Session) => ({ session })
const right = attempt('eva@x.test', PASSWORD)
const tooMany = { ok: false, reason: 'too-many-attempts' }

test('of 120 wrong codes all but a few meet the brake, whatever else is right between them', async () => {
  const { id: userId } = await person({ role: 'admin' })
  const { viewer, session } = await begin(userId)
  const { code, recoveryCodes } = await withApp(viewer)
  const spare = await withApp(viewer)
  const wrong = () => ([code(), spare.code()].includes('123456') ? '654321' : '123456')
  const proofs = { wrong: 0, tooMany: 0 }
  const between = [
    () => changeOwnPassword(parts, viewer, { current: PASSWORD, password: 'short' }, by(session)),
    () => giveProof(parts, viewer, { code: recoveryCodes?.pop() ?? '' }, by(session)),
    () => signIn.withPassword({ ...right, code: recoveryCodes?.pop() ?? '' }),
    () => removeOwnFactor(parts, viewer, { id: spare.id }),
    () => signIn.withPassword(right),
    () => giveProof(parts, viewer, { password: PASSWORD }, by(session)),
  ]
  for (let tries = 0; tries < 120; tries += 1) {
    if (tries % 2 === 1) {
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
      const known = [InvalidInputError, WrongProofError, TooManyTriesError, NotFoundError]
      if (!known.some((kind) => error instanceof kind)) throw error
    })
  }
  expect(proofs).toEqual({ wrong: 5, tooMany: 115 })
  const prove = () => giveProof(parts, viewer, { code: code() }, by(session))
  await expect(prove(), 'the right one has to wait, too').rejects.toThrow(TooManyTriesError)
  const locked = await signIn.withPassword({ ...right, address: '198.51.100.1', code: code() })
  expect(locked).toMatchObject(tooMany)
  pass(30_000)
  await prove()
  pass(30_000)
  const came = await signIn.withPassword({ ...right, address: '198.51.100.2', code: code() })
  expect(came).toMatchObject({ ok: true, user: { id: userId } })
})

test('each secret waits for itself: codes lock no password, a password no codes, and what others try at the sign-in page neither', async () => {
  const { viewer, session } = await begin((await person()).id)
  for (let tries = 0; tries < 25; tries += 1) await parts.throttle.countTry({ kind: 'account', value: viewer.email })
  const prove = (given: { password: string } | { code: string }) => giveProof(parts, viewer, given, by(session))
  const fail = async (given: Parameters<typeof prove>[0]) => {
    for (let tries = 0; tries < 5; tries += 1) await expect(prove(given)).rejects.toThrow(WrongProofError)
  }
  await fail({ password: 'wrong' })
  await expect(prove({ password: PASSWORD })).rejects.toThrow(TooManyTriesError)
  const { code, recoveryCodes } = await withApp(viewer)
  await prove({ code: code() })
  await fail({ code: '00-00-00-x' })
  pass(29_000)
  await expect(prove({ code: recoveryCodes?.[0] ?? '' })).rejects.toThrow(TooManyTriesError)
  pass(1_000)
  await prove({ code: code() })
})

/** The next try after so many has to wait, as after a hundred. */
const MORE_THAN_FREE = 20

describe('a hundred wrong codes of another person who knows the password', () => {
  const here = { ...right, address: '198.51.100.1' }
  let eva: Awaited<ReturnType<typeof personWithApp>>
  const personWithApp = async () => {
    const { id } = await person({ role: 'admin' })
    const { viewer } = await begin(id)
    return { ...(await withApp(viewer)), id, viewer, device: await deviceOf(id) }
  }
  beforeEach(async () => {
    eva = await personWithApp()
  })
  const guess = async (device: string | null = null, times = 100) => {
    for (let tries = 0; tries < times;) {
      const result = await signIn.withPassword({ ...right, device, address: `192.0.2.${tries}`, code: '000000' })
      if (!result.ok && result.reason === 'too-many-attempts') pass(result.retryAfterSeconds * 1000)
      else tries += 1
    }
  }
  /** In a session of now: the one before is over after so long. */
  const prove = async (code: string) => {
    const { session } = await begin(eva.id)
    return giveProof(parts, eva.viewer, { code }, by(session))
  }

  test('lock nobody out of a browser of theirs, and end with the right one there', async () => {
    const { code, device } = eva
    await guess()
    expect(await signIn.withPassword({ ...here, code: code() })).toMatchObject(tooMany)
    await expect(prove(code())).rejects.toThrow(TooManyTriesError)
    expect(await signIn.withPassword({ ...here, device, code: code() })).toMatchObject({ ok: true })
    pass(30_000)
    await expect(prove(code())).resolves.toBeUndefined()
  })

  test('in a browser of theirs are slowed down there, too', async () => {
    const { code, device } = eva
    await guess(device)
    expect(await signIn.withPassword({ ...right, device, code: code() })).toMatchObject(tooMany)
  })

  test.each([false, true])('are forgotten with their app, in a browser of theirs (%s) too', async (at) => {
    const { id, viewer, device, code } = eva
    const from = at ? device : null
    await guess(from, MORE_THAN_FREE)
    expect(await signIn.withPassword({ ...right, device: from, code: code() })).toMatchObject(tooMany)
    expect(await removeFactorsOf(parts, allow(viewer, 'admin'), { id })).toEqual({ count: 1 })
    const { code: ofNext } = await withApp(viewer)
    await expect(prove(ofNext())).resolves.toBeUndefined()
    // What a whole try counts for in a browser holds for an hour at most; what a code counts for would hold for a day.
    pass(60 * 60_000)
    expect(await signIn.withPassword({ ...right, device, code: ofNext() })).toMatchObject({ ok: true })
  })

  test('are forgotten once a new app is confirmed', async () => {
    await guess(null, MORE_THAN_FREE)
    await expect(prove(eva.code()), 'before').rejects.toThrow(TooManyTriesError)
    const { code } = await withApp(eva.viewer)
    await expect(prove(code())).resolves.toBeUndefined()
  })

  test('are forgotten with a password that was set by a link, and the person comes in from anywhere', async () => {
    const { id, code } = eva
    await guess(null, MORE_THAN_FREE)
    await expect(prove(code()), 'before').rejects.toThrow(TooManyTriesError)
    const token = await db().transaction((tx) => parts.invitations.issue(tx, id, 'reset'))
    const password = 'another horse battery'
    await acceptInvitation(parts, null, { token, password })
    expect(await signIn.withPassword({ ...here, password, code: code() })).toMatchObject({ ok: true })
  })
})
