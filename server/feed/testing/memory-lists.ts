import { randomUUID } from 'node:crypto'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import { POLL_INTERVAL_MS, type Publication, type SharedLists, ShareUnavailableError } from '@/server/feed/shared-lists'

type MemoryListsOptions = { now: () => number; leaseMs: number }
type StoredList = Publication & { publishedAt: number; body: Buffer | null }
type Listener = Parameters<SharedLists['subscribe']>[0]

/** Lists that instances of one process share; a test can cut them off and empty them. */
export function createMemoryLists({ now, leaseMs }: MemoryListsOptions) {
  const published = new Map<FeedList, StoredList>()
  const listeners: Listener[] = []
  let publicationCount = 0
  let lease = { holder: '', token: 0, endsAt: -Infinity }
  let isAway = false
  const requireReachable = async () => (isAway ? Promise.reject(new ShareUnavailableError('ECONNREFUSED')) : undefined)
  const isHeld = () => lease.endsAt > now()

  function connect(): SharedLists {
    const instanceId = randomUUID()
    let token: number | null = null
    return {
      async acquireLease() {
        await requireReachable()
        if (isHeld() && lease.holder !== instanceId) return (token = null)
        if (!isHeld()) lease = { ...lease, holder: instanceId, token: lease.token + 1 }
        lease.endsAt = now() + leaseMs
        return (token = lease.token)
      },
      fencingToken: () => token,
      async read(list, version) {
        await requireReachable()
        const stored = published.get(list)
        return stored ? { ...stored, body: stored.state.version > version ? stored.body : null } : null
      },
      async publish(list, fencingToken, publication, body) {
        await requireReachable()
        if (!isHeld() || lease.token !== fencingToken) return 'refused'
        const before = published.get(list)
        const isSame = before?.state.version === publication.state.version
        const unchangedBody = isSame ? before.body : null
        const storedBody = body ? Buffer.from(body) : unchangedBody
        published.set(list, { ...publication, publishedAt: ++publicationCount, body: storedBody })
        for (const listener of listeners) listener.onPublished(list)
        return storedBody === null ? 'without body' : 'published'
      },
      announceWatched: () => listeners.forEach(({ onWatched }) => onWatched()),
      subscribe: (listener) => void listeners.push(listener),
      pollIntervalMs: () => POLL_INTERVAL_MS,
      close: async () => void (lease.holder === instanceId && (lease.endsAt = -Infinity)),
    }
  }

  return {
    connect,
    expireLease: () => void (lease.endsAt = -Infinity),
    disconnect: () => void (isAway = true),
    reconnect: () => {
      isAway = false
      for (const list of FEED_LISTS) for (const listener of listeners) listener.onPublished(list)
    },
    loseContent: () => published.clear(),
  }
}
