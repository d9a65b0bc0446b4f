import { expect, test } from 'vitest'
import { InvalidInputError, NotFoundError, TooManyTriesError, WrongProofError } from '@/server/base/errors'
import { enterRequest } from '@/server/base/request-context'
import { acceptPasswordLink } from './invitations'
import { changeOwnPassword } from './own-password'
import { removeUserFactors, removeOwnFactor } from './second-factors'
import { proveIdentity } from './step-up'
import { makeCredentials, createLinkToken, PASSWORD, signInWorld } from './testing/sign-in-world'
import { toAccountAttemptKeys, toSecretAttemptKey } from './throttle'
import { requirePermission } from './viewer'

const { advanceTime, parts, signIn, addUser, begin, addTotp } = signInWorld()
const right = makeCredentials('eva@x.test', PASSWORD)

test('of 120 wrong codes all but a few meet the brake, whatever else is right between them', async () => {
  const { id: userId } = await addUser({ role: 'admin' })
  const { viewer, session } = await begin(userId)
  const { code } = await addTotp(viewer)
  const spare = await addTotp(viewer)
  const wrong = () => ([code(), spare.code()].includes('123456') ? '654321' : '123456')
  const between = [
    () => changeOwnPassword(parts, viewer, { current: PASSWORD, password: 'short' }, { session }),
    () => removeOwnFactor(parts, viewer, { id: spare.id }),
    () => signIn(right),
    () => proveIdentity(parts, viewer, { password: PASSWORD }, { session }),
  ]
  const guess = async (tries: number) => {
    if (tries % 2 === 0) return proveIdentity(parts, viewer, { code: wrong() }, { session })
    const { ok } = await signIn({ ...right, address: `192.0.2.${tries}`, code: wrong() })
    if (!ok) throw new WrongProofError()
  }
  const outcomes = { wrong: 0, tooMany: 0 }
  for (let tries = 0; tries < 120; tries += 1) {
    const error: unknown = await guess(tries).catch((caught: unknown) => caught)
    if (error instanceof TooManyTriesError) outcomes.tooMany += 1
    else if (error instanceof WrongProofError) outcomes.wrong += 1
    else throw error
    await between[tries % between.length]?.().catch((caught: unknown) => {
      const known = [InvalidInputError, WrongProofError, TooManyTriesError, NotFoundError]
      if (!known.some((kind) => caught instanceof kind)) throw caught
    })
  }
  expect(outcomes).toEqual({ wrong: 5, tooMany: 115 })
  const prove = () => proveIdentity(parts, viewer, { code: code() }, { session })
  await expect(prove(), 'the right one has to wait, too').rejects.toThrow(TooManyTriesError)
  advanceTime(30_000)
  await prove()
  advanceTime(60 * 60_000)
  const elsewhere = { ...right, address: '198.51.100.1', code: code() }
  expect(await signIn(elsewhere)).toMatchObject({ ok: true, user: { id: userId } })
})

test('a password is slowed down wherever a session asks for it, and not by codes or by tries to sign in', async () => {
  const { viewer, session } = await begin((await addUser()).id)
  for (let tries = 0; tries < 20; tries += 1) await parts.throttle.countTry({ kind: 'account', value: viewer.email })
  const prove = (given: { password: string } | { code: string }) => proveIdentity(parts, viewer, given, { session })
  const change = (current: string) =>
    changeOwnPassword(parts, viewer, { current, password: 'another horse battery' }, { session })
  for (let tries = 0; tries < 4; tries += 1) await expect(prove({ password: 'wrong' })).rejects.toThrow(WrongProofError)
  await expect(change('wrong')).rejects.toThrow(WrongProofError)
  await expect(prove({ password: PASSWORD })).rejects.toThrow(TooManyTriesError)
  await expect(change(PASSWORD)).rejects.toThrow(TooManyTriesError)
  const { code } = await addTotp(viewer)
  await prove({ code: code() })
})

test('wrong codes are forgotten with a new app, with its removal, and like all tries with a password by a link', async () => {
  const { id } = await addUser({ role: 'admin' })
  const { viewer } = await begin(id)
  const factor = toSecretAttemptKey(id, 'factor')
  const { account, accountNetwork } = toAccountAttemptKeys(viewer.email, right.address)
  enterRequest({ id: 'r', address: right.address, isOver: false })
  const acceptLink = async () =>
    acceptPasswordLink(parts, null, { token: await createLinkToken(parts, id), password: PASSWORD })
  for (const { renew, keys } of [
    { renew: () => addTotp(viewer), keys: [factor] },
    { renew: () => removeUserFactors(parts, requirePermission(viewer, 'admin'), { id }), keys: [factor] },
    { renew: acceptLink, keys: [factor, toSecretAttemptKey(id, 'password'), account, accountNetwork] },
  ])
    for (const key of keys) {
      while (!(await parts.throttle.isLocked(key))) await parts.throttle.countTry(key)
      await renew()
      expect(await parts.throttle.isLocked(key)).toBe(false)
    }
})
