import 'server-only'
import { randomUUID } from 'node:crypto'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import { toLocalTime, type SharedLists, ShareUnavailableError } from '@/server/feed/shared-lists'

type Options = { now: () => number; leaseMs: number }
type Published = { publication: Parameters<typeof toLocalTime>[0]; aheadMs: number; body: Uint8Array | null }
type Listener = Parameters<SharedLists['subscribe']>[0]

/** What instances of one process share; the test takes it away, brings it back and empties it. Each `connect`s by a clock that is `aheadMs()` ahead. */
export function createMemoryLists({ now, leaseMs }: Options) {
  const published = new Map<FeedList, Published>()
  const listeners: Listener[] = []
  let lease = { holder: '', token: 0, endsAt: -Infinity }
  let isAway = false
  const reached = async () => (isAway ? Promise.reject(new ShareUnavailableError('ECONNREFUSED')) : undefined)
  const isHeld = () => lease.endsAt > now()

  function connect(aheadMs: () => number = () => 0): SharedLists {
    const me = randomUUID()
    let token: number | null = null
    return {
      async acquireLease() {
        await reached()
        if (isHeld() && lease.holder !== me) return { fencingToken: (token = null), freeInMs: lease.endsAt - now() }
        if (!isHeld()) lease = { ...lease, holder: me, token: lease.token + 1 }
        lease.endsAt = now() + leaseMs
        return { fencingToken: (token = lease.token), freeInMs: 0 }
      },
      fencingToken: () => token,
      async read(list, version) {
        await reached()
        return readStored(published.get(list), version, aheadMs())
      },
      async publish(list, under, publication, body) {
        await reached()
        if (!isHeld() || lease.token !== under) return 'refused'
        const before = published.get(list)
        const isSame = before?.publication.state.version === publication.state.version
        const stored = body ?? (isSame ? before.body : null)
        const one = { ...publication, id: randomUUID(), sentAt: 0 }
        published.set(list, { publication: one, aheadMs: aheadMs(), body: stored })
        for (const listener of listeners) listener.onPublished(list)
        return stored === null ? 'without body' : 'published'
      },
      announceWatched: () => listeners.forEach(({ onWatched }) => onWatched()),
      subscribe: (listener) => void listeners.push(listener),
      pollIntervalMs: () => 5_000,
      close: async () => void (lease.holder === me && (lease.endsAt = -Infinity)),
    }
  }

  return {
    connect,
    expire: () => void (lease.endsAt = -Infinity),
    leave: () => void (isAway = true),
    comeBack: () => {
      isAway = false
      for (const list of FEED_LISTS) for (const listener of listeners) listener.onPublished(list)
    },
    loseContent: () => published.clear(),
  }
}

function readStored(stored: Published | undefined, version: number, aheadMs: number) {
  if (!stored) return null
  const body = stored.publication.state.version > version ? stored.body : null
  return { ...toLocalTime(stored.publication, aheadMs - stored.aheadMs), body }
}
