import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { secondFactors as factorsTable } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { InvalidInputError, NotFoundError } from '@/server/base/errors'
import { users } from '@/server/base/schema'
import {
  beginTotp,
  checkFactor,
  confirmTotp,
  listOwnFactors,
  removeOwnFactor,
  renewRecoveryCodes,
} from './second-factors'
import { createSignInServices } from './testing/sign-in-world'
import { storedUser } from './testing/stored-user'
import { makeViewer } from './viewer'

const NOW = Date.UTC(2027, 0, 20, 8)
const STEP_MS = 30_000
const people = [storedUser('fia', { passwordHash: 'h' }), storedUser('ola', { passwordHash: 'h' })] as const
const [fia, ola] = [makeViewer(people[0]), makeViewer(people[1])]

export function secondFactorsSuite(connect: Connect): void {
  const time = { ms: NOW }
  const services = createSignInServices({ connect, now: () => time.ms })
  const check = (userId: string, code?: string) => checkFactor(services, userId, code)
  const checkAtOnce = async (code: string) => (await Promise.all([check('fia', code), check('fia', code)])).toSorted()
  const countCodesLeft = async () => (await listOwnFactors(services, fia)).recoveryCodesLeft
  const makeCode = (secret: string, ms = time.ms) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms })
  const addTotp = async (viewer = fia) => {
    const { id, secret } = await beginTotp(services, viewer, { name: 'Jobbtelefonen' })
    const { recoveryCodes } = await confirmTotp(services, viewer, { id, code: makeCode(secret) })
    time.ms += STEP_MS
    return { id, secret, codes: recoveryCodes ?? [] }
  }
  // Other suites look at all that is sealed, with keys of their own.
  afterAll(async () => void (await (await connect()).delete(factorsTable)))

  describe('second factors', () => {
    beforeEach(async () => {
      time.ms = NOW
      const db = await connect()
      await db
        .insert(users)
        .values([...people])
        .onConflictDoNothing()
      await db.update(users).set({ recoveryCodes: [] })
      await db.delete(factorsTable)
    })

    test('are asked of nobody before the first right code', async () => {
      const { id, secret } = await beginTotp(services, fia, { name: 'Jobbtelefonen' })
      expect(await check('fia', makeCode(secret))).toBe('none')
      const confirm = (viewer: typeof fia, code: string) => confirmTotp(services, viewer, { id, code })
      await expect(confirm(fia, '000000')).rejects.toThrow(InvalidInputError)
      await expect(confirm(ola, makeCode(secret)), 'by another').rejects.toThrow(InvalidInputError)
      expect((await listOwnFactors(services, fia)).factors).toEqual([])
      await confirm(fia, makeCode(secret))
      expect([await check('fia'), await check('ola')]).toEqual(['needed', 'none'])
    })

    test('a code is good half a minute early or late, and once, also of two at once; its secret is enciphered', async () => {
      const { secret } = await addTotp()
      expect(JSON.stringify(await (await connect()).select().from(factorsTable))).not.toContain(secret)
      expect(await check('fia', makeCode(secret, time.ms - 2 * STEP_MS))).toBe('wrong')
      expect(await check('fia', makeCode(secret, time.ms + 2 * STEP_MS))).toBe('wrong')
      const early = makeCode(secret, time.ms + STEP_MS)
      expect(await check('fia', `${early.slice(0, 3)} ${early.slice(3)}`)).toBe('totp')
      expect(await check('fia', early)).toBe('wrong')
      expect(await check('fia', makeCode(secret)), 'nor an earlier one after it').toBe('wrong')
      time.ms += 2 * STEP_MS
      expect(await checkAtOnce(makeCode(secret))).toEqual(['totp', 'wrong'])
    })

    test('ten recovery codes are good once each, however they are written, and only of whom they are', async () => {
      const { secret, codes } = await addTotp()
      await addTotp(ola)
      expect(new Set(codes).size).toBe(10)
      expect(codes[0]).toMatch(/^[\dA-Z]{4}(-[\dA-Z]{4}){6}$/)
      const json = JSON.stringify(await (await connect()).select().from(users))
      expect(codes.filter((code) => json.includes(code) || json.includes(code.replaceAll('-', '')))).toEqual([])
      const [first = '', second = '', third = ''] = codes
      expect(await check('ola', first)).toBe('wrong')
      expect(await check('fia', first.toLowerCase().replaceAll('-', ' '))).toBe('recovery-code')
      expect(await check('fia', first)).toBe('wrong')
      expect(await checkAtOnce(third)).toEqual(['recovery-code', 'wrong'])
      expect(await countCodesLeft()).toBe(8)
      await renewRecoveryCodes(services, fia)
      expect([await check('fia', second), await countCodesLeft()]).toEqual(['wrong', 10])
      expect(await check('fia', makeCode(secret))).toBe('totp')
    })

    test('with the last factor the recovery codes go', async () => {
      const { id, codes } = await addTotp()
      const other = await addTotp()
      await expect(removeOwnFactor(services, ola, { id }), 'another user’s').rejects.toThrow(NotFoundError)
      await removeOwnFactor(services, fia, { id })
      expect(await countCodesLeft()).toBe(10)
      await removeOwnFactor(services, fia, { id: other.id })
      expect([await countCodesLeft(), await check('fia', codes[0])]).toEqual([0, 'none'])
    })
  })
}
