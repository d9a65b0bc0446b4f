import { randomUUID } from 'node:crypto'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import { type StoredPublication, toLocalTime } from '@/server/feed/publication'
import { type SharedLists, ShareUnavailableError } from '@/server/feed/shared-lists'

type Options = { now: () => number; leaseMs: number }
type Published = { publication: StoredPublication; aheadMs: number; body: Uint8Array | null }
type Listener = Parameters<SharedLists['subscribe']>[0]

/** Lists that instances of one process share; a test can cut them off and empty them. An instance's clock is `aheadMs` ahead. */
export function createMemoryLists({ now, leaseMs }: Options) {
  const published = new Map<FeedList, Published>()
  const listeners: Listener[] = []
  let lease = { holder: '', token: 0, endsAt: -Infinity }
  let isAway = false
  const requireReachable = async () => (isAway ? Promise.reject(new ShareUnavailableError('ECONNREFUSED')) : undefined)
  const isHeld = () => lease.endsAt > now()

  function connect(aheadMs: () => number = () => 0): SharedLists {
    const instanceId = randomUUID()
    let token: number | null = null
    return {
      async acquireLease() {
        await requireReachable()
        if (isHeld() && lease.holder !== instanceId)
          return { fencingToken: (token = null), freeInMs: lease.endsAt - now() }
        if (!isHeld()) lease = { ...lease, holder: instanceId, token: lease.token + 1 }
        lease.endsAt = now() + leaseMs
        return { fencingToken: (token = lease.token), freeInMs: 0 }
      },
      fencingToken: () => token,
      async read(list, version) {
        await requireReachable()
        return readStored(published.get(list), version, aheadMs())
      },
      async publish(list, under, publication, body) {
        await requireReachable()
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
      close: async () => void (lease.holder === instanceId && (lease.endsAt = -Infinity)),
    }
  }

  return {
    connect,
    expire: () => void (lease.endsAt = -Infinity),
    disconnect: () => void (isAway = true),
    reconnect: () => {
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
