import 'server-only'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { recoveryCodes, secondFactors as factorsTable } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { users } from '@/server/db/schema'
import { createSeal } from '@/server/seal'
import { createSecondFactors } from './second-factors'
import { softAuthenticator } from './testing/soft-authenticator'
import { storedUser } from './testing/stored-user'

const NOW = Date.UTC(2027, 0, 20, 8)
const STEP_MS = 30_000
export function secondFactorsSuite(db: Connect): void {
  const time = { ms: NOW }
  const parts = { connect: db, now: () => time.ms, seal: createSeal(new Uint8Array(32)) }
  const store = createSecondFactors({ ...parts, env: { auth: { url: 'https://intag.test', secret: '' } } })
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
  const challenge = () => ({ value: 'Y2hhbGxlbmdl', madeAt: time.ms })
  const withPasskey = async (device = softAuthenticator(), userId = 'fia') => {
    const made = { response: device.register({ challenge: challenge().value }), challenge: challenge(), name: 'Datorn' }
    expect(await within((tx) => store.addPasskey(tx, userId, made))).toBe(true)
    time.ms += 1_000
    return device
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
      expect(await store.check('fia', {})).toBe('none')
      const { id, secret } = await within((tx) => store.beginTotp(tx, 'fia', 'Jobbtelefonen'))
      expect(await store.check('fia', { code: codeOf(secret) })).toBe('none')
      expect(await within((tx) => store.confirmTotp(tx, 'fia', { id, code: '000000' }))).toBe(false)
      expect(await within((tx) => store.confirmTotp(tx, 'ola', { id, code: codeOf(secret) })), 'by another').toBe(false)
      expect(await store.list('fia')).toEqual([])
      expect(await within((tx) => store.confirmTotp(tx, 'fia', { id, code: codeOf(secret) }))).toBe(true)
      expect(await store.check('fia', {})).toBe('needed')
      expect(await store.check('ola', {})).toBe('none')
    })

    test('a code is good half a minute early or late, and once; its secret is enciphered', async () => {
      const { secret } = await withApp()
      expect(JSON.stringify(await (await db()).select().from(factorsTable))).not.toContain(secret)
      expect(await store.check('fia', { code: codeOf(secret, time.ms - 2 * STEP_MS) })).toBe('wrong')
      expect(await store.check('fia', { code: codeOf(secret, time.ms + 2 * STEP_MS) })).toBe('wrong')
      const early = codeOf(secret, time.ms + STEP_MS)
      expect(await store.check('fia', { code: `${early.slice(0, 3)} ${early.slice(3)}` })).toBe('totp')
      expect(await store.check('fia', { code: early })).toBe('wrong')
      expect(await store.check('fia', { code: codeOf(secret) }), 'nor an earlier one after it').toBe('wrong')
      time.ms += 2 * STEP_MS
      expect(await store.check('ola', { code: codeOf(secret) })).toBe('none')
      expect(await store.check('fia', { code: codeOf(secret) })).toBe('totp')
    })

    test('of two who send the same code at once, one is let in', async () => {
      const { secret } = await withApp()
      const code = codeOf(secret)
      const outcomes = await Promise.all([store.check('fia', { code }), store.check('fia', { code })])
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
      expect(await store.check('ola', { code: first })).toBe('wrong')
      expect(await store.check('fia', { code: first.toLowerCase().replaceAll('-', ' ') })).toBe('recovery-code')
      expect(await store.check('fia', { code: first })).toBe('wrong')
      expect(await store.recoveryCodesLeft('fia')).toBe(9)
      await within((tx) => store.makeRecoveryCodes(tx, 'fia'))
      expect([await store.check('fia', { code: second }), await store.recoveryCodesLeft('fia')]).toEqual(['wrong', 10])
      expect(await store.check('fia', { code: codeOf(secret) })).toBe('totp')
    })

    test('with the last factor the recovery codes go', async () => {
      const { id } = await withApp()
      const device = await withPasskey()
      const [code = ''] = await within((tx) => store.makeRecoveryCodes(tx, 'fia'))
      expect(await within((tx) => store.remove(tx, 'ola', id)), 'another user’s').toBe(false)
      expect(await within((tx) => store.remove(tx, 'fia', id))).toBe(true)
      expect(await store.recoveryCodesLeft('fia')).toBe(10)
      expect(await within((tx) => store.remove(tx, 'fia', device.id))).toBe(true)
      expect([await store.recoveryCodesLeft('fia'), await store.check('fia', { code })]).toEqual([0, 'none'])
    })

    test('all of a person are taken away at once', async () => {
      await withApp()
      await withPasskey()
      await within((tx) => store.beginTotp(tx, 'fia', 'En till'))
      expect(await within((tx) => store.removeAll(tx, 'fia'))).toBe(2)
      expect(await store.check('fia', {})).toBe('none')
    })
  })

  describe('a passkey', () => {
    beforeEach(afresh)
    const verified = (device: ReturnType<typeof softAuthenticator>, change = {}, asked = challenge()) =>
      store.passkeyOwner({ response: device.sign({ challenge: asked.value, ...change }), challenge: asked })

    test('counts for this address, this challenge and a person that the device has verified', async () => {
      const device = await withPasskey()
      for (const lie of [
        { origin: 'https://intag.test.evil.test' },
        { challenge: 'YW5vdGhlcg' },
        { isVerified: false },
      ])
        expect(await verified(device, lie)).toBeNull()
      expect(await verified(softAuthenticator())).toBeNull()
      const elsewhere = { ...device, sign: softAuthenticator({ rpId: 'evil.test' }).sign }
      expect(await verified(elsewhere)).toBeNull()
      const forged = { ...softAuthenticator().sign({ challenge: challenge().value }), id: device.id, rawId: device.id }
      expect(await store.passkeyOwner({ response: forged, challenge: challenge() })).toBeNull()
      expect(await verified(device)).toBe('fia')
      const used = { type: 'passkey', name: 'Datorn', lastUsedAt: new Date(time.ms) }
      expect(await store.list('fia')).toMatchObject([used])
    })

    test('what was signed once is worth nothing again', async () => {
      const device = await withPasskey()
      const asked = challenge()
      const response = device.sign({ challenge: asked.value })
      time.ms += 1_000
      expect(await store.passkeyOwner({ response, challenge: asked })).toBe('fia')
      time.ms += 1_000
      expect(await store.passkeyOwner({ response, challenge: asked })).toBeNull()
      expect(await verified(device)).toBe('fia')
    })

    test('whose counter goes back is a copy', async () => {
      const device = await withPasskey()
      expect(await verified(device, { counter: 7 })).toBe('fia')
      time.ms += 1_000
      expect(await verified(device, { counter: 7 })).toBeNull()
      expect(await verified(device, { counter: 8 })).toBe('fia')
    })

    test('belongs to whom it was made for, and is nobody’s when it was taken away', async () => {
      const device = await withPasskey()
      const response = device.register({ challenge: challenge().value })
      const again = { response, challenge: challenge(), name: 'Min' }
      expect(await within((tx) => store.addPasskey(tx, 'ola', again))).toBe(false)
      await withApp('ola')
      const assertion = { response: device.sign({ challenge: challenge().value }), challenge: challenge() }
      expect(await store.check('ola', { assertion })).toBe('wrong')
      time.ms += 1_000
      await (await db()).delete(factorsTable).where(eq(factorsTable.id, device.id))
      expect(await verified(device)).toBeNull()
    })

    test('is made for this address and challenge, by a device that verifies the person', async () => {
      const adding = (change: object, device = softAuthenticator()) => {
        const response = device.register({ challenge: challenge().value, ...change })
        return within((tx) => store.addPasskey(tx, 'fia', { response, challenge: challenge(), name: 'Datorn' }))
      }
      for (const lie of [{ challenge: 'YW5vdGhlcg' }, { origin: 'https://evil.test' }, { isVerified: false }])
        expect(await adding(lie)).toBe(false)
      expect(await adding({}, softAuthenticator({ rpId: 'evil.test' }))).toBe(false)
      expect(await adding({})).toBe(true)
    })
  })
}
