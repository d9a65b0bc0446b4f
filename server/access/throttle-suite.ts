import { asc } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '@/lib/time/durations'
import type { Connect } from '@/server/base/database'
import { TooManyTriesError } from '@/server/base/errors'
import { signInAttempts } from '@/server/base/schema'
import { testServices } from '@/server/testing/services'
import { ATTEMPT_RETENTION_MS, type AttemptKey, createThrottle } from './throttle'

const NOW = Date.UTC(2027, 0, 20, 8)
const network: AttemptKey = { kind: 'account-network', value: 'maja@skolan.test 192.0.2.7' }
const account: AttemptKey = { kind: 'account', value: 'maja@skolan.test' }
const secret: AttemptKey = { kind: 'secret', value: 'factor maja' }

export function throttleSuite(connect: Connect): void {
  describe('the throttle', () => {
    const time = { ms: NOW }
    const create = (hashKey = new Uint8Array(32).fill(1)) =>
      createThrottle(testServices({ connect, now: () => time.ms }), hashKey)
    let throttle = create()
    /** Seconds to wait; 0 when the try was counted. */
    const findWaitSeconds = (...keys: AttemptKey[]) =>
      throttle.countTry(...keys).then(
        () => 0,
        (error: unknown) => {
          if (error instanceof TooManyTriesError) return error.retryAfterSeconds
          throw error
        },
      )
    const failTries = async (times: number, ...keys: AttemptKey[]) => {
      for (let tried = 0; tried < times; tried += 1) expect(await findWaitSeconds(...keys)).toBe(0)
    }
    const rows = async () => (await connect()).select().from(signInAttempts).orderBy(asc(signInAttempts.lastTryAtMs))

    beforeEach(async () => {
      time.ms = NOW
      throttle = create()
      await (await connect()).delete(signInAttempts)
    })

    test.each([
      [network, 5, [30, 60, 120, 240, 480, 900, 900]],
      [account, 20, [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]],
      [secret, 5, [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]],
    ])('%o has %i free tries; each further one waits longer, and never for hours', async (key, free, waits) => {
      await failTries(free, key)
      const waited = []
      while (waited.length < waits.length) {
        const seconds = await findWaitSeconds(key)
        waited.push(seconds)
        time.ms += seconds * 1000
        await failTries(1, key)
      }
      expect(waited).toEqual(waits)
    })

    test('tries during the wait neither pass, nor make it longer, nor count for other keys', async () => {
      await failTries(5, network, account)
      time.ms += 29_999
      for (let tried = 0; tried < 30; tried += 1) expect(await findWaitSeconds(network, account)).toBe(1)
      time.ms += 1
      await failTries(1, network, account)
      expect((await rows()).map(({ failureCount }) => failureCount)).toEqual([6, 6])
    })

    test('twenty guesses at once gain nothing over five in a row, on any instance and after a restart', async () => {
      const instances = [throttle, create()]
      const tried = Array.from({ length: 20 }, (_, index) => instances[index % 2]?.countTry(network, account))
      const outcomes = await Promise.allSettled(tried)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
      throttle = create()
      expect(await findWaitSeconds(network)).toBe(30)
      expect(
        await findWaitSeconds({ ...network, value: ` ${network.value.toUpperCase()}` }),
        'in another spelling',
      ).toBe(30)
    })

    test('a success ends the wait, and is known for a month', async () => {
      await failTries(5, network)
      expect([await throttle.isLocked(network, account), await throttle.hasSucceeded(network)]).toEqual([true, false])
      await throttle.recordSuccess(network)
      expect([await throttle.isLocked(network, account), await throttle.hasSucceeded(network)]).toEqual([false, true])
      await failTries(5, network)
      time.ms += ATTEMPT_RETENTION_MS
      expect(await throttle.hasSucceeded(network)).toBe(false)
    })

    test('nothing readable is kept, nor anything that can be worked out without the key', async () => {
      await failTries(1, network, account)
      expect(JSON.stringify(await rows())).not.toMatch(/maja|192\.0/)
      throttle = create(new Uint8Array(32))
      await failTries(1, network, account)
      expect(await rows()).toHaveLength(4)
    })

    test('failures alone are forgotten after a day, and a success after a month', async () => {
      await failTries(1, account)
      await throttle.recordSuccess(network)
      const countAfter = async (ms: number) => {
        time.ms = NOW + ms
        await throttle.cleanUp()
        return (await rows()).length
      }
      expect([await countAfter(DAY_MS), await countAfter(DAY_MS + 1)]).toEqual([2, 1])
      expect([await countAfter(ATTEMPT_RETENTION_MS), await countAfter(ATTEMPT_RETENTION_MS + 1)]).toEqual([1, 0])
    })
  })
}
