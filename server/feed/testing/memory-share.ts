import 'server-only'
import { randomUUID } from 'node:crypto'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import { byClockOf, type Lock, type Share, type SharedState, ShareUnavailableError } from '@/server/feed/share'

type MemoryShareOptions = { now: () => number; lockMs: number }
type Published = { state: SharedState & { aheadMs: number }; body: Uint8Array | null }

/** A share within one process; each instance `connect`s to it, by a clock that is `aheadMs` ahead. */
export function createMemoryShare({ now, lockMs }: MemoryShareOptions): { connect: (aheadMs?: number) => Share } {
  const published = new Map<FeedList, Published>()
  const locks = new Map<FeedList, { id: string; endsAt: number }>()
  const listeners = new Set<(list: FeedList) => void>()

  const has = (list: FeedList, id: string) => {
    const lock = locks.get(list)
    return lock?.id === id && lock.endsAt > now()
  }
  const end = (list: FeedList, id: string) => {
    if (locks.get(list)?.id === id) locks.delete(list)
  }
  const newLock = (list: FeedList, id: string, aheadMs: number): Lock => ({
    id,
    async publish(state, body) {
      if (!has(list, id)) return false
      published.set(list, { state: { ...state, id, aheadMs }, body: body ?? published.get(list)?.body ?? null })
      end(list, id)
      for (const listener of listeners) listener(list)
      return true
    },
    release: async () => end(list, id),
  })

  const connect = (aheadMs = 0): Share => {
    const held = new Map<FeedList, Lock>()
    return {
      async read(list) {
        const { state } = published.get(list) ?? {}
        return state ? byClockOf(state, aheadMs) : null
      },
      async readWhole(list) {
        const { state, body } = published.get(list) ?? {}
        return state && body ? { state: byClockOf(state, aheadMs), body } : null
      },
      async lock(list) {
        await held.get(list)?.release()
        if ((locks.get(list)?.endsAt ?? -Infinity) > now()) return null
        const lock = newLock(list, randomUUID(), aheadMs)
        locks.set(list, { id: lock.id, endsAt: now() + lockMs })
        held.set(list, lock)
        return lock
      },
      subscribe: (listener) => void listeners.add(listener),
      close: async () => void (await Promise.all([...held.values()].map((lock) => lock.release()))),
    }
  }
  return { connect }
}

/** A share that the test takes away, brings back and empties. */
export function breakableShare(now: () => number, lockMs: number) {
  const empty = () => createMemoryShare({ now, lockMs })
  let memory = empty()
  let isAway = false
  const listeners: ((list: FeedList) => void)[] = []
  const notify = (list: FeedList, isPublished: boolean) => {
    if (isPublished) for (const listener of listeners) listener(list)
    return isPublished
  }

  const connect = (aheadMs = 0): Share => {
    let joined = memory
    let share = joined.connect(aheadMs)
    const current = () => {
      if (isAway) throw new ShareUnavailableError('ECONNREFUSED')
      if (joined !== memory) share = (joined = memory).connect(aheadMs)
      return share
    }
    return {
      read: async (list) => current().read(list),
      readWhole: async (list) => current().readWhole(list),
      async lock(list) {
        const lock = await current().lock(list)
        return lock && { ...lock, publish: async (...what) => current() && notify(list, await lock.publish(...what)) }
      },
      subscribe: (listener) => void listeners.push(listener),
      close: async () => current().close(),
    }
  }

  return {
    connect,
    leave: () => void (isAway = true),
    comeBack: () => {
      isAway = false
      for (const list of FEED_LISTS) notify(list, true)
    },
    loseContent: () => void (memory = empty()),
  }
}
