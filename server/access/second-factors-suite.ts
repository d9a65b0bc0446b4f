import 'server-only'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { recoveryCodes, secondFactors as factorsTable } from '@/server/base/access-schema'
import type { Connect, Db } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { createSeal } from '@/server/base/seal'
import { createSecondFactors } from './second-factors'
import { storedUser } from './testing/stored-user'

const NOW = Date.UTC(2027, 0, 20, 8)
const STEP_MS = 30_000
export function secondFactorsSuite(db: Connect): void {
  const time = { ms: NOW }
  const parts = { connect: db, now: () => time.ms, seal: createSeal(new Uint8Array(32)) }
  const store = createSecondFactors(parts)
  const within = async <T>(work: (tx: Db) => Promise<T>) => (await db()).transaction(work)
  const codeOf = (secret: string, ms = time.ms) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms })
  const withApp = async (userId = 'fia') => {
    const begun = await within((tx) => store.beginTotp(tx, userId, 'Jobbtelefonen'))
    const code = codeOf(begun.secret)
    expect(await within((tx) => store.confirmTotp(tx, userId, { id: begun.id, code }))).toBe(true)
    time.ms += STEP_MS
    return begun
  }
  // Other suites look at all that is sealed, with keys of their own.
  afterAll(async () => void (await (await db()).delete(factorsTable)))
  const afresh = async () => {
    time.ms = NOW
    const database = await db()
    const people = ['fia', 'ola'].map((id) => storedUser(id))
    await database.insert(users).values(people).onConflictDoNothing()
    for (const table of [recoveryCodes, factorsTable]) await database.delete(table)
  }

  describe('second factors', () => {
    beforeEach(afresh)

    test('are asked of nobody before the first right code', async () => {
      expect(await store.check('fia', undefined)).toBe('none')
      const { id, secret } = await within((tx) => store.beginTotp(tx, 'fia', 'Jobbtelefonen'))
      expect(await store.check('fia', codeOf(secret))).toBe('none')
      expect(await within((tx) => store.confirmTotp(tx, 'fia', { id, code: '000000' }))).toBe(false)
      expect(await within((tx) => store.confirmTotp(tx, 'ola', { id, code: codeOf(secret) })), 'by another').toBe(false)
      expect(await store.list('fia')).toEqual([])
      expect(await within((tx) => store.confirmTotp(tx, 'fia', { id, code: codeOf(secret) }))).toBe(true)
      expect(await store.check('fia', undefined)).toBe('needed')
      expect(await store.check('ola', undefined)).toBe('none')
    })

    test('a code is good half a minute early or late, and once; its secret is enciphered', async () => {
      const { secret } = await withApp()
      expect(JSON.stringify(await (await db()).select().from(factorsTable))).not.toContain(secret)
      expect(await store.check('fia', codeOf(secret, time.ms - 2 * STEP_MS))).toBe('wrong')
      expect(await store.check('fia', codeOf(secret, time.ms + 2 * STEP_MS))).toBe('wrong')
      const early = codeOf(secret, time.ms + STEP_MS)
      expect(await store.check('fia', `${early.slice(0, 3)} ${early.slice(3)}`)).toBe('totp')
      expect(await store.check('fia', early)).toBe('wrong')
      expect(await store.check('fia', codeOf(secret)), 'nor an earlier one after it').toBe('wrong')
      time.ms += 2 * STEP_MS
      expect(await store.check('ola', codeOf(secret))).toBe('none')
      expect(await store.check('fia', codeOf(secret))).toBe('totp')
    })

    test('of two who send the same code at once, one is let in', async () => {
      const { secret } = await withApp()
      const code = codeOf(secret)
      const outcomes = await Promise.all([store.check('fia', code), store.check('fia', code)])
      expect(outcomes.sort()).toEqual(['totp', 'wrong'])
    })

    test('ten recovery codes are good once each, however they are written, and only of whom they are', async () => {
      const { secret } = await withApp()
      await withApp('ola')
      const codes = await within((tx) => store.makeRecoveryCodes(tx, 'fia'))
      expect(new Set(codes).size).toBe(10)
      expect(codes[0]).toMatch(/^[\dA-Z]{4}(-[\dA-Z]{4}){6}$/)
      const kept = JSON.stringify(await (await db()).select().from(recoveryCodes))
      expect(codes.filter((code) => kept.includes(code) || kept.includes(code.replaceAll('-', '')))).toEqual([])
      const [first = '', second = ''] = codes
      expect(await store.check('ola', first)).toBe('wrong')
      expect(await store.check('fia', first.toLowerCase().replaceAll('-', ' '))).toBe('recovery-code')
      expect(await store.check('fia', first)).toBe('wrong')
      expect(await store.recoveryCodesLeft('fia')).toBe(9)
      await within((tx) => store.makeRecoveryCodes(tx, 'fia'))
      expect([await store.check('fia', second), await store.recoveryCodesLeft('fia')]).toEqual(['wrong', 10])
      expect(await store.check('fia', codeOf(secret))).toBe('totp')
    })

    test('with the last factor the recovery codes go', async () => {
      const { id } = await withApp()
      const other = await withApp()
      const [code = ''] = await within((tx) => store.makeRecoveryCodes(tx, 'fia'))
      expect(await within((tx) => store.remove(tx, 'ola', id)), 'another user’s').toBe(false)
      expect(await within((tx) => store.remove(tx, 'fia', id))).toBe(true)
      expect(await store.recoveryCodesLeft('fia')).toBe(10)
      expect(await within((tx) => store.remove(tx, 'fia', other.id))).toBe(true)
      expect([await store.recoveryCodesLeft('fia'), await store.check('fia', code)]).toEqual([0, 'none'])
    })
  })
}
