import 'server-only'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { FeedList } from '@/lib/contract/lists'
import { emptyListState } from './list-state'
import type { Publication, SharedLists } from './shared-lists'

type StoreUnderTest = {
  /** Two instances' ways to the same store, empty; the clock of the other is so much ahead. */
  open(otherAheadMs?: number): Promise<{ one: SharedLists; other: SharedLists }>
  expire(): Promise<void>
}

const LIST: FeedList = 'asked-questions'
const body = Buffer.from('{"askedQuestions":[{"id":"å"}]}')
const { content: _, ...nothing } = emptyListState()
type Published = Pick<Publication, 'state' | 'validators'>
const good = (version: number): Published => ({
  state: { ...nothing, version, fetchedAt: 1_200, nextAt: 9_000, fetchMs: 200 },
  validators: { etag: '"a"' },
})
const bad = ({ state, validators }: Published): Published => ({
  state: { ...state, problem: { kind: 'unavailable', detail: 'status 503', since: 4_000 }, failures: 1 },
  validators,
})

export function sharedListsSuite(name: string, { open, expire }: StoreUnderTest): void {
  describe(`the lists shared in ${name}`, () => {
    let one: SharedLists
    let other: SharedLists
    beforeEach(async () => {
      ;({ one, other } = await open())
    })
    const leadWith = async (lists: SharedLists): Promise<number> => {
      const { token } = await lists.lead()
      if (token === null) throw new Error('Another instance leads')
      return token
    }
    const publish = async (lists: SharedLists, what: Published, bytes: Uint8Array | null, list = LIST) => {
      const published = await lists.publish(list, await leadWith(lists), what, bytes)
      await lists.close()
      return published
    }

    test('are empty at first', async () => {
      expect(await one.read(LIST, 0)).toBeNull()
    })

    test('hand state and body to the others, every byte of them, and the body only where it is new', async () => {
      expect(await publish(one, good(7), body)).toBe('published')
      const read = await other.read(LIST, 6)
      expect(read).toMatchObject(good(7))
      expect(Buffer.from(read?.body ?? []).equals(body)).toBe(true)
      expect(await other.read(LIST, 7)).toEqual({ ...read, body: null })
      expect(await other.read('high-schools', 0)).toBeNull()
    })

    test('give each instance every moment by its own clock', async () => {
      const AHEAD_MS = 300_000
      ;({ one, other } = await open(AHEAD_MS))
      await publish(one, bad(good(7)), body)
      const { fetchedAt, nextAt, problem } = (await other.read(LIST, 0))?.state ?? nothing
      const moments = [fetchedAt, nextAt, problem?.since].map((moment) => (moment ?? 0) - AHEAD_MS)
      const [first = 0] = moments
      expect(Math.abs(first - 1_200)).toBeLessThan(1_000)
      expect(moments.map((moment) => moment - first)).toEqual([0, 7_800, 2_800])
    })

    test('keep the body when none is published, after a good answer as after a bad one', async () => {
      await publish(one, good(7), body)
      expect(await publish(other, good(7), null)).toBe('published')
      expect(await publish(one, bad(good(7)), null)).toBe('published')
      const read = await other.read(LIST, 0)
      expect(read).toMatchObject(bad(good(7)))
      expect(Buffer.from(read?.body ?? []).toString()).toBe(body.toString())
    })

    test('have no body of an older state', async () => {
      await publish(one, good(7), body)
      expect(await publish(one, bad(good(8)), null)).toBe('without body')
      expect((await other.read(LIST, 0))?.body).toBeNull()
    })

    test('say when there is no body, so that it is published whole', async () => {
      expect(await publish(one, bad({ state: nothing, validators: {} }), null)).toBe('without body')
      expect(await other.read(LIST, 0)).toMatchObject({ state: { version: 0, problem: { detail: 'status 503' } } })
      expect(await publish(one, good(3), null)).toBe('without body')
      expect((await other.read(LIST, 0))?.body).toBeNull()
    })

    test('one instance leads at a time, until it goes, with one token while it does', async () => {
      const token = await leadWith(one)
      expect(await leadWith(one)).toBe(token)
      expect([one.token(), other.token()]).toEqual([token, null])
      const { token: refused, freeInMs } = await other.lead()
      expect(refused).toBeNull()
      expect(freeInMs).toBeGreaterThan(0)
      await other.close()
      expect((await other.lead()).token, 'who does not lead cannot give it back').toBeNull()
      await one.close()
      expect(await leadWith(other)).toBeGreaterThan(token)
    })

    test('of many requests at once one gets the lease', async () => {
      const leases = await Promise.all([one, other, one, other].map((lists) => lists.lead()))
      expect(new Set(leases.map(({ token }) => token)).size).toBe(2)
      expect([one.token(), other.token()].filter((token) => token === null)).toHaveLength(1)
    })

    test('a lost lease publishes nothing, also while nobody leads, and does not end the lease of another instance', async () => {
      const token = await leadWith(one)
      await expire()
      expect(await one.publish(LIST, token, good(1), body)).toBe('refused')
      const later = await leadWith(other)
      expect(await one.publish(LIST, token, good(1), body)).toBe('refused')
      expect((await one.lead()).token).toBeNull()
      await one.close()
      expect(await one.read(LIST, 0)).toBeNull()
      expect(await other.publish(LIST, later, good(2), body)).toBe('published')
    })

    test('call back at the others for everything published, and when a user looks', async () => {
      const calls: string[] = []
      other.subscribe({ published: (list) => calls.push(list), watched: () => calls.push('watched') })
      await publish(one, good(2), body)
      one.announceWatched()
      await vi.waitUntil(() => calls.includes('watched'), { interval: 1 })
      expect(calls).toEqual([LIST, 'watched'])
    })
  })
}
