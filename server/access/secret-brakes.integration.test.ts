import { beforeEach, expect, test } from 'vitest'
import { InvalidInputError, NotFoundError, TooManyTriesError, WrongProofError } from '@/server/base/errors'
import { acceptInvitation } from './invitations'
import { changeOwnPassword } from './passwords'
import { removeFactorsOf, removeOwnFactor } from './second-factors'
import type { Session } from './session-cookie'
import { giveProof } from './step-up'
import { attempt, linkToken, PASSWORD, signInWorld } from './testing/sign-in-world'
import { allow } from './viewer'

const { pass, parts, signIn, person, begin, withApp } = signInWorld()
const by = (session: Session) => ({ session })
const right = attempt('eva@x.test', PASSWORD)

test('of 120 wrong codes all but a few meet the brake, whatever else is right between them', async () => {
  const { id: userId } = await person({ role: 'admin' })
  const { viewer, session } = await begin(userId)
  const { code } = await withApp(viewer)
  const spare = await withApp(viewer)
  const wrong = () => ([code(), spare.code()].includes('123456') ? '654321' : '123456')
  const outcomes = { wrong: 0, tooMany: 0 }
  const between = [
    () => changeOwnPassword(parts, viewer, { current: PASSWORD, password: 'short' }, by(session)),
    () => removeOwnFactor(parts, viewer, { id: spare.id }),
    () => signIn(right),
    () => giveProof(parts, viewer, { password: PASSWORD }, by(session)),
  ]
  const guess = async (tries: number) => {
    if (tries % 2 === 0) return giveProof(parts, viewer, { code: wrong() }, by(session))
    const { ok } = await signIn({ ...right, address: `192.0.2.${tries}`, code: wrong() })
    if (!ok) throw new WrongProofError()
  }
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
  const prove = () => giveProof(parts, viewer, { code: code() }, by(session))
  await expect(prove(), 'the right one has to wait, too').rejects.toThrow(TooManyTriesError)
  const elsewhere = { ...right, address: '198.51.100.1' }
  pass(30_000)
  await prove()
  pass(60 * 60_000)
  expect(await signIn({ ...elsewhere, code: code() })).toMatchObject({ ok: true, user: { id: userId } })
})

test('codes lock no password, a password no codes, and what others try at the sign-in page neither', async () => {
  const { viewer, session } = await begin((await person()).id)
  for (let tries = 0; tries < 20; tries += 1) await parts.throttle.countTry({ kind: 'account', value: viewer.email })
  const prove = (given: { password: string } | { code: string }) => giveProof(parts, viewer, given, by(session))
  for (let tries = 0; tries < 5; tries += 1) await expect(prove({ password: 'wrong' })).rejects.toThrow(WrongProofError)
  await expect(prove({ password: PASSWORD })).rejects.toThrow(TooManyTriesError)
  const { code } = await withApp(viewer)
  await prove({ code: code() })
})

test('a password that is guessed in a session is slowed down', async () => {
  const { viewer, session } = await begin((await person()).id)
  const change = (current: string) =>
    changeOwnPassword(parts, viewer, { current, password: 'another horse battery' }, by(session))
  for (let tries = 0; tries < 5; tries += 1) await expect(change('wrong')).rejects.toThrow(WrongProofError)
  await expect(change(PASSWORD)).rejects.toThrow(TooManyTriesError)
})

test.each([
  [
    'removed',
    async ({ viewer, userId: id }: Eva) => void (await removeFactorsOf(parts, allow(viewer, 'admin'), { id })),
  ],
  ['beside a new app', async ({ viewer }: Eva) => void (await withApp(viewer))],
  [
    'of a user who set a password by a link',
    async ({ userId }: Eva) => {
      await acceptInvitation(parts, null, { token: await linkToken(parts, userId), password: PASSWORD })
    },
  ],
])('wrong codes are forgotten once the second factor is %s', async (_, renew) => {
  for (let tries = 0; tries < 5; tries += 1) await prove('000000').catch(() => {})
  await expect(prove(eva.code())).rejects.toThrow(TooManyTriesError)
  await renew(eva)
  const { code } = await withApp(eva.viewer)
  await expect(prove(code())).resolves.toBeUndefined()
})

type Eva = { userId: string } & Awaited<ReturnType<typeof begin>> & Awaited<ReturnType<typeof withApp>>
let eva: Eva
beforeEach(async () => {
  const { id } = await person({ role: 'admin', email: 'eva-with-app@x.test' })
  const begun = await begin(id)
  eva = { ...(await withApp(begun.viewer)), ...begun, userId: id }
})
const prove = async (code: string) => giveProof(parts, eva.viewer, { code }, by((await begin(eva.userId)).session))
