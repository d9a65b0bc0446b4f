import { dehydrate, type DehydratedState, hydrate, type Mutation, type QueryClient } from '@tanstack/react-query'
import { tryStore } from './browser-storage'
import { OWN_CHANGE, type OwnChange, UNSENT_KEY } from './own-changes'

type StoredChanges = { owner: string; mutations: DehydratedState['mutations'] }

/** Sends what this tab changed before a reload, and stores unsent changes until the returned function is called. */
export function persistUnsent(client: QueryClient, owner: string, storage: Storage): () => void {
  for (const mutation of readAndClear(storage, owner)) {
    const { state } = mutation
    hydrate(client, { mutations: [{ ...mutation, state: { ...state, isPaused: state.status === 'pending' } }] })
  }
  void client.resumePausedMutations()
  const cache = client.getMutationCache()
  const persist = () => {
    const changes = cache.findAll({ mutationKey: OWN_CHANGE, predicate: ({ state }) => state.variables !== undefined })
    const pending = changes.filter((mutation) => mutation.state.status === 'pending' && isResendable(mutation))
    const requests = pending.map((mutation) => readChange(mutation).request)
    // An undo needs the answer to the change that it undoes.
    const undoneKeys = new Set(requests.map((request) => (request.kind === 'undo' ? request.undoes : null)))
    const toStore = new Set([...pending, ...changes.filter((mutation) => undoneKeys.has(readChange(mutation).key))])
    const { mutations } = dehydrate(client, {
      shouldDehydrateQuery: () => false,
      shouldDehydrateMutation: (mutation) => toStore.has(mutation),
    })
    // The meta has leads with people's names, which the browser must not store.
    const withoutMeta = mutations.map(({ meta: _meta, ...mutation }) => mutation)
    if (mutations.length === 0) storage.removeItem(UNSENT_KEY)
    else tryStore(storage, UNSENT_KEY, JSON.stringify({ owner, mutations: withoutMeta } satisfies StoredChanges))
  }
  // A change may have begun before this code was loaded.
  persist()
  return cache.subscribe(persist)
}

const readChange = ({ state }: Pick<Mutation, 'state'>) => state.variables as OwnChange

/** A mail is sent by the outbox, and a filter may match other leads later, so neither is sent again. */
function isResendable(mutation: Pick<Mutation, 'state'>): boolean {
  const { request } = readChange(mutation)
  return request.kind === 'decide' ? request.body.matching === undefined : request.kind !== 'mail'
}

function readAndClear(storage: Storage, owner: string): StoredChanges['mutations'] {
  try {
    const stored = JSON.parse(storage.getItem(UNSENT_KEY) ?? 'null') as Partial<StoredChanges> | null
    storage.removeItem(UNSENT_KEY)
    return stored?.owner === owner ? (stored.mutations ?? []) : []
  } catch {
    return []
  }
}
