import 'server-only'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Connect } from '@/server/db/database'
import { signInAttempts } from '@/server/db/schema'
import { type AttemptKey, createThrottle } from './throttle'

const NOW = Date.UTC(2027, 0, 20, 8)
const account: AttemptKey = { kind: 'account', value: 'maja@skolan.test' }
const address: AttemptKey = { kind: 'address', value: '192.0.2.7' }

/** How failed sign-ins are slowed down, on every database. */
export function throttleSuite(db: Connect): void {
  describe('the throttle', () => {
    const now = { ms: NOW }
    const throttle = createThrottle({ connect: db, now: () => now.ms })
    const fail = async (times: number) => {
      for (let tried = 0; tried < times; tried += 1) expect(await throttle.begin(account, address)).toBeNull()
    }

    beforeEach(async () => {
      now.ms = NOW
      await (await db()).delete(signInAttempts)
    })

    test('lets five tries pass, then makes each further one wait twice as long, up to a quarter of an hour', async () => {
      await fail(5)
      const waits = []
      for (let round = 0; round < 8; round += 1) {
        const locked = await throttle.begin(account, address)
        waits.push(((locked?.lockedUntil ?? 0) - now.ms) / 1000)
        now.ms = locked?.lockedUntil ?? 0
        await fail(1)
      }
      expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
    })

    test('tries during the wait neither pass nor make it longer', async () => {
      await fail(5)
      now.ms += 29_999
      expect(await throttle.begin(account, address)).toEqual({ lockedUntil: NOW + 30_000 })
      expect(await throttle.begin(account, address)).toEqual({ lockedUntil: NOW + 30_000 })
      now.ms += 1
      expect(await throttle.begin(account, address)).toBeNull()
    })

    test('a right password clears the account', async () => {
      await fail(4)
      await throttle.begin(account, address)
      await throttle.succeeded(account, address)
      await fail(5)
      expect(await throttle.begin(account, address)).not.toBeNull()
    })

    test('twenty guesses at once gain nothing over five in a row', async () => {
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => throttle.begin(account, address)))
      expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(5)
    })

    test('fifty failures from one address slow it down for every account', async () => {
      for (let tried = 0; tried < 50; tried += 1) await throttle.begin({ kind: 'account', value: `a${tried}` }, address)
      expect(await throttle.begin({ kind: 'account', value: 'new' }, address)).toEqual({ lockedUntil: NOW + 30_000 })
      expect(await throttle.begin(account, { kind: 'address', value: '192.0.2.8' })).toBeNull()
    })

    test('after a quiet day everything is forgotten, and nothing readable was kept', async () => {
      await fail(5)
      expect(JSON.stringify(await (await db()).select().from(signInAttempts))).not.toMatch(/maja|192\.0/)
      now.ms += 24 * 3_600_000 + 1
      await fail(5)
    })
  })
}
