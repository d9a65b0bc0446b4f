import 'server-only'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ListName } from './list-state'
import type { Share, SharedState, Turn } from './share'

export type ShareUnderTest = {
  /** Two instances' ways to the same share, empty. */
  open(): Promise<{ one: Share; other: Share }>
  /** The turn that stands for this list runs out. */
  runOut(list: ListName): Promise<void>
}

const LIST: ListName = 'asked-questions'
const PROBE: ListName = 'declarations-of-interest'
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
export function describeShare(name: string, { open, runOut }: ShareUnderTest): void {
  describe(`the share in ${name}`, () => {
    let one: Share
    let other: Share
    beforeEach(async () => {
      ;({ one, other } = await open())
    })
    const turnOf = async (share: Share, list = LIST): Promise<Turn> => {
      const turn = await share.takeTurn(list)
      if (!turn) throw new Error('The turn is taken')
      return turn
    }

    test('is empty at first', async () => {
      expect([await one.read(LIST), await one.readWhole(LIST)]).toEqual([null, null])
    })

    test('tells state and body to the others, every byte of them', async () => {
      const turn = await turnOf(one)
      expect(await turn.tell(good(7), body)).toBe(true)
      expect(await other.read(LIST)).toEqual({ ...good(7), id: turn.id })
      const whole = await other.readWhole(LIST)
      expect(whole?.state.id).toBe(turn.id)
      expect(Buffer.from(whole?.body ?? []).equals(body)).toBe(true)
      expect(await other.read('high-schools')).toBeNull()
    })

    test('keeps the body when none is told, after a good answer as after a bad one', async () => {
      await (await turnOf(one)).tell(good(7), body)
      await (await turnOf(other)).tell(good(7), null)
      await (await turnOf(one)).tell(bad(good(7)), null)
      const whole = await other.readWhole(LIST)
      expect(whole?.state).toMatchObject(bad(good(7)))
      expect(Buffer.from(whole?.body ?? []).toString()).toBe(body.toString())
    })

    test('has no body when only a failure was told', async () => {
      await (await turnOf(one)).tell(bad({ problem: null, snapshot: null }), null)
      expect(await other.read(LIST)).toMatchObject({ problem: { detail: 'status 503' }, snapshot: null })
      expect(await other.readWhole(LIST)).toBeNull()
    })

    test('gives a list’s turn to one instance at a time, until it has told or given it back', async () => {
      const first = await turnOf(one)
      expect(await other.takeTurn(LIST)).toBeNull()
      await turnOf(other, 'high-schools')
      await first.tell(good(1), body)
      const second = await turnOf(other)
      expect(await one.takeTurn(LIST)).toBeNull()
      await second.release()
      await turnOf(one)
    })

    test('of many who ask at once, one gets the turn', async () => {
      const turns = await Promise.all([one, other].map((share) => share.takeTurn(LIST)))
      expect(turns.filter((turn) => turn !== null)).toHaveLength(1)
    })

    test('a turn that ran out tells nothing and takes nobody else’s away', async () => {
      const dead = await turnOf(one)
      await runOut(LIST)
      const turn = await turnOf(other)
      await dead.release()
      expect(await dead.tell(good(1), body)).toBe(false)
      expect(await one.read(LIST)).toBeNull()
      expect(await turn.tell(good(2), body)).toBe(true)
    })

    test('who asks again, or goes, gives back what it had', async () => {
      await turnOf(one)
      await turnOf(one)
      await one.close()
      expect(await other.takeTurn(LIST)).not.toBeNull()
    })

    test('sends word of everything told, and of nothing else', async () => {
      const heard: string[] = []
      const turn = await turnOf(one)
      await listening(other, (list) => heard.push(list))
      await turn.tell(good(1), body)
      await (await turnOf(one)).release()
      await (await turnOf(one, 'high-schools')).tell(bad({ problem: null, snapshot: null }), null)
      await vi.waitUntil(() => heard.includes('high-schools'), { interval: 1 })
      expect(heard).toEqual([LIST, 'high-schools'])
    })

    /** Listening begins a moment after asking for it: a third list is told of until that is heard. */
    async function listening(share: Share, listener: (list: ListName) => void): Promise<void> {
      const heard: ListName[] = []
      // Whose connection begins while it listens is told of every list, since it may have missed some.
      await share.read(PROBE)
      share.onNews((list) => (list === PROBE ? heard.push(list) : listener(list)))
      await vi.waitUntil(
        async () => {
          await (await turnOf(one, PROBE)).tell(good(1), null)
          return heard.length > 0
        },
        { interval: 1 },
      )
    }
  })
}
