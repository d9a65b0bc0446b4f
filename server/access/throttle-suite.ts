import 'server-only'
import { asc } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Connect } from '@/server/base/database'
import { signInAttempts } from '@/server/base/schema'
import { type AttemptKey, createThrottle } from './throttle'

const NOW = Date.UTC(2027, 0, 20, 8)
const DAY_MS = 24 * 3_600_000
const account: AttemptKey = { kind: 'account', value: 'maja@skolan.test' }
const address: AttemptKey = { kind: 'address', value: '192.0.2.7' }
const device: AttemptKey = { kind: 'device', value: 'maja a-device' }
const from = (place: string): AttemptKey => ({ kind: 'account-address', value: `maja@skolan.test ${place}` })
const here = from('192.0.2.7')

export function throttleSuite(db: Connect): void {
  describe('the throttle', () => {
    const now = { ms: NOW }
    const hashKey = new Uint8Array(32).fill(1)
    const create = (maxRows?: number) =>
      createThrottle({ connect: db, now: () => now.ms, hashKey, ...(maxRows && { maxRows }) })
    let throttle = create()
    const fail = async (times: number, ...keys: AttemptKey[]) => {
      for (let tried = 0; tried < times; tried += 1) expect(await throttle.countTry(...keys)).toBeNull()
    }
    const waitsOf = async (rounds: number, ...keys: AttemptKey[]) => {
      const waits = []
      for (let round = 0; round < rounds; round += 1) {
        const locked = await throttle.countTry(...keys)
        waits.push(((locked?.lockedUntil ?? 0) - now.ms) / 1000)
        now.ms = locked?.lockedUntil ?? 0
        await fail(1, ...keys)
      }
      return waits
    }

    beforeEach(async () => {
      now.ms = NOW
      throttle = create()
      await (await db()).delete(signInAttempts)
    })

    test.each([
      [here, 5, [30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 14_400, 14_400]],
      [device, 10, [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]],
      [account, 20, [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]],
      [address, 50, [30, 60, 120, 240, 480, 900, 900]],
    ] as const)('%o has %i free tries; each further one waits longer', async (key, freeTries, waits) => {
      await fail(freeTries, key)
      expect(await waitsOf(waits.length, key)).toEqual(waits)
    })

    test('tries during the wait neither pass nor make it longer, and only the first is news', async () => {
      await fail(5, here, account, address)
      now.ms += 29_999
      const locked = { lockedUntil: NOW + 30_000, retryAfterSeconds: 1, kind: 'account-address' }
      expect(await throttle.countTry(here, account, address)).toEqual({ ...locked, isNew: true })
      expect(await throttle.countTry(here, account, address)).toEqual({ ...locked, isNew: false })
      now.ms += 1
      expect(await throttle.countTry(here, account, address)).toBeNull()
      expect(await throttle.countTry(here, account, address)).toMatchObject({ isNew: true })
    })

    test('a lock is known without asking for five seconds at most, and not beyond its end or its lifting', async () => {
      const isKnown = () => throttle.cachedLock(here) !== null
      await fail(5, here)
      expect(isKnown()).toBe(false)
      await throttle.countTry(here)
      const locked = { lockedUntil: NOW + 30_000, retryAfterSeconds: 30, kind: 'account-address', isNew: false }
      expect(throttle.cachedLock(account, here)).toEqual(locked)
      expect(throttle.cachedLock(account)).toBeNull()
      now.ms += 5_000
      expect(isKnown()).toBe(false)
      now.ms += 23_000
      await throttle.countTry(here)
      now.ms += 2_000
      expect(isKnown()).toBe(false)
      await fail(1, here)
      await throttle.countTry(here)
      expect(isKnown()).toBe(true)
      await throttle.succeeded(here)
      expect(isKnown()).toBe(false)
    })

    test('from ever new addresses a person can be guessed at a hundred times, then once a day', async () => {
      let tries = 0
      for (; tries < 100; tries += 1) {
        const locked = await throttle.countTry(from(String(tries)), account)
        if (locked === null) continue
        now.ms = locked.lockedUntil
        expect(await throttle.countTry(from(String(tries)), account)).toBeNull()
      }
      expect((now.ms - NOW) / 3_600_000).toBeGreaterThan(72)
      const days = []
      for (let day = 0; day < 3; day += 1) {
        const locked = await throttle.countTry(from(`day ${day}`), account)
        days.push(((locked?.lockedUntil ?? 0) - now.ms) / DAY_MS)
        // A day of quiet, and a minute in which what is old is swept away.
        now.ms = (locked?.lockedUntil ?? 0) + 60_000
        await throttle.countTry(from(`day ${day}`), account)
      }
      expect(days).toEqual([1, 1, 1])
      expect(await throttle.countTry(device)).toBeNull()
    })

    test('twenty guesses at once gain nothing over five in a row', async () => {
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => throttle.countTry(here, account, address)))
      expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(5)
    })

    test('nothing readable is kept, nor anything that can be worked out without the key', async () => {
      await fail(1, here, account, address)
      const rows = await (await db()).select().from(signInAttempts)
      expect(JSON.stringify(rows)).not.toMatch(/maja|192\.0/)
      throttle = createThrottle({ connect: db, now: () => now.ms, hashKey: new Uint8Array(32) })
      await fail(1, here, account, address)
      expect(await (await db()).select().from(signInAttempts)).toHaveLength(6)
    })

    test('after a quiet day everything is forgotten but what was counted of a person, which takes a month', async () => {
      const kept = async () =>
        (await (await db()).select().from(signInAttempts)).map(({ key }) => key.split(':')[0]).sort()
      await fail(4, here, account, address)
      now.ms += DAY_MS + 1
      await throttle.cleanUp()
      await fail(1, device)
      expect(await kept()).toEqual(['account', 'device'])
      now.ms += 30 * DAY_MS
      await throttle.cleanUp()
      expect(await kept()).toEqual([])
    })

    test('the table has an end: the oldest go first that lock nobody and say least', async () => {
      throttle = create(3)
      await fail(5, here)
      for (const name of ['old', 'older']) await fail(1, { kind: 'address', value: name })
      now.ms += 1_000
      for (const name of ['new', 'newer']) await fail(1, { kind: 'address', value: name })
      now.ms += 60_000
      await throttle.cleanUp()
      await throttle.countTry({ kind: 'address', value: 'last' })
      const rows = await (await db()).select().from(signInAttempts).orderBy(asc(signInAttempts.lastAt))
      expect(rows.map(({ failures, lastAt }) => [failures, lastAt - NOW])).toEqual([
        [5, 0],
        [1, 1_000],
        [1, 1_000],
        [1, 61_000],
      ])
    })

    test('what counts once does so for a day, and not where its transaction fails', async () => {
      const use = async (fails = false) =>
        (await db()).transaction(async (tx) => {
          const isNew = await throttle.markUsed(tx, 'a token')
          if (fails) throw new Error('gone')
          return isNew
        })
      await expect(use(true)).rejects.toThrow('gone')
      expect([await use(), await use()]).toEqual([true, false])
      now.ms += DAY_MS + 1
      expect(await use()).toBe(true)
      now.ms += DAY_MS + 1
      await throttle.cleanUp()
      expect(await (await db()).select().from(signInAttempts), 'forgotten as well').toEqual([])
    })
  })
}
