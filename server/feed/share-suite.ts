import 'server-only'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { FeedList } from '@/lib/contract/lists'
import type { Lock, Share, SharedState } from './share'

type ShareUnderTest = {
  /** Two instances' ways to the same share, empty; the clock of the other is so much ahead. */
  open(otherAheadMs?: number): Promise<{ one: Share; other: Share }>
  /** The lock that stands for this list expires. */
  expire(list: FeedList): Promise<void>
}

const LIST: FeedList = 'asked-questions'
const PROBE: FeedList = 'declarations-of-interest'
const body = Buffer.from('{"askedQuestions":[{"id":"å"}]}')
const good = (version: number): Omit<SharedState, 'id'> => ({
  problem: null,
  snapshot: { version, startedAt: 1_000, fetchedAt: 1_200, bytes: 31, validators: { etag: '"a"' } },
})
const bad = (before: Omit<SharedState, 'id'>): Omit<SharedState, 'id'> => ({
  ...before,
  problem: { kind: 'unavailable', detail: 'status 503', retryAfterMs: 4_000 },
})

/** What every share must do. */
export function shareSuite(name: string, { open, expire }: ShareUnderTest): void {
  describe(`the share in ${name}`, () => {
    let one: Share
    let other: Share
    beforeEach(async () => {
      ;({ one, other } = await open())
    })
    const lockOf = async (share: Share, list = LIST): Promise<Lock> => {
      const lock = await share.lock(list)
      if (!lock) throw new Error('The lock is taken')
      return lock
    }

    test('is empty at first', async () => {
      expect([await one.read(LIST), await one.readWhole(LIST)]).toEqual([null, null])
    })

    test('hands state and body to the others, every byte of them', async () => {
      const lock = await lockOf(one)
      expect(await lock.publish(good(7), body)).toBe(true)
      expect(await other.read(LIST)).toEqual({ ...good(7), id: lock.id })
      const whole = await other.readWhole(LIST)
      expect(whole?.state.id).toBe(lock.id)
      expect(Buffer.from(whole?.body ?? []).equals(body)).toBe(true)
      expect(await other.read('high-schools')).toBeNull()
    })

    test('tells each instance every moment by its own clock', async () => {
      const AHEAD_MS = 300_000
      ;({ one, other } = await open(AHEAD_MS))
      await (await lockOf(one)).publish(good(7), body)
      const moments = { startedAt: 1_000 + AHEAD_MS, fetchedAt: 1_200 + AHEAD_MS }
      const read = (await other.read(LIST))?.snapshot
      expect(Math.abs((read?.startedAt ?? 0) - moments.startedAt)).toBeLessThan(1_000)
      const whole = (await other.readWhole(LIST))?.state
      expect(Math.abs((whole?.snapshot?.fetchedAt ?? 0) - moments.fetchedAt)).toBeLessThan(1_000)
      if (!whole) throw new Error('There is nothing')
      await (await lockOf(other)).publish(whole, null)
      expect(Math.abs(((await one.read(LIST))?.snapshot?.startedAt ?? 0) - 1_000)).toBeLessThan(1_000)
    })

    test('keeps the body when none is published, after a good answer as after a bad one', async () => {
      await (await lockOf(one)).publish(good(7), body)
      await (await lockOf(other)).publish(good(7), null)
      await (await lockOf(one)).publish(bad(good(7)), null)
      const whole = await other.readWhole(LIST)
      expect(whole?.state).toMatchObject(bad(good(7)))
      expect(Buffer.from(whole?.body ?? []).toString()).toBe(body.toString())
    })

    test('has no body when only a failure was published', async () => {
      await (await lockOf(one)).publish(bad({ problem: null, snapshot: null }), null)
      expect(await other.read(LIST)).toMatchObject({ problem: { detail: 'status 503' }, snapshot: null })
      expect(await other.readWhole(LIST)).toBeNull()
    })

    test('gives a list’s lock to one instance at a time, until it has published or released it', async () => {
      const first = await lockOf(one)
      expect(await other.lock(LIST)).toBeNull()
      await lockOf(other, 'high-schools')
      await first.publish(good(1), body)
      const second = await lockOf(other)
      expect(await one.lock(LIST)).toBeNull()
      await second.release()
      await lockOf(one)
    })

    test('of many who ask at once, one gets the lock', async () => {
      const locks = await Promise.all([one, other].map((share) => share.lock(LIST)))
      expect(locks.filter((lock) => lock !== null)).toHaveLength(1)
    })

    test('a lock that expired publishes nothing and takes nobody else’s away', async () => {
      const dead = await lockOf(one)
      await expire(LIST)
      const lock = await lockOf(other)
      await dead.release()
      expect(await dead.publish(good(1), body)).toBe(false)
      expect(await one.read(LIST)).toBeNull()
      expect(await lock.publish(good(2), body)).toBe(true)
    })

    test('who asks again, or goes, releases what it had', async () => {
      await lockOf(one)
      await lockOf(one)
      await one.close()
      expect(await other.lock(LIST)).not.toBeNull()
    })

    test('calls back for everything published, and for nothing else', async () => {
      const calls: string[] = []
      const lock = await lockOf(one)
      await subscribe(other, (list) => calls.push(list))
      await lock.publish(good(1), body)
      await (await lockOf(one)).release()
      await (await lockOf(one, 'high-schools')).publish(bad({ problem: null, snapshot: null }), null)
      await vi.waitUntil(() => calls.includes('high-schools'), { interval: 1 })
      expect(calls).toEqual([LIST, 'high-schools'])
    })

    /** A subscription begins a moment after asking for it: a third list is published until its message arrives. */
    async function subscribe(share: Share, listener: (list: FeedList) => void): Promise<void> {
      const probes: FeedList[] = []
      // Whose connection begins while it listens is called back for every list, since it may have missed some.
      await share.read(PROBE)
      share.subscribe((list) => (list === PROBE ? probes.push(list) : listener(list)))
      await vi.waitUntil(
        async () => {
          await (await lockOf(one, PROBE)).publish(good(1), null)
          return probes.length > 0
        },
        { interval: 1 },
      )
    }
  })
}
