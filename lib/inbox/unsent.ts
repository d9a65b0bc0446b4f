import { dehydrate, type DehydratedState, hydrate, type Mutation, type QueryClient } from '@tanstack/react-query'
import { OWN_CHANGE, type OwnChange } from './own-changes'

/** Where a tab keeps the changes that the server may not have yet. */
export const UNSENT_KEY = 'intag:unsent'

type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Kept = { owner: string; mutations: DehydratedState['mutations'] }

/** Sends what was changed in this tab before it was loaded again, and keeps from now on what is not sent yet. Returns what ends that. */
export function keepUnsent(client: QueryClient, owner: string, storage: TabStorage): () => void {
  for (const mutation of readUnsent(storage, owner)) {
    const { state } = mutation
    hydrate(client, { mutations: [{ ...mutation, state: { ...state, isPaused: state.status === 'pending' } }] })
  }
  void client.resumePausedMutations()
  const cache = client.getMutationCache()
  return cache.subscribe(() => {
    const changes = cache.findAll({ mutationKey: OWN_CHANGE, predicate: ({ state }) => state.variables !== undefined })
    const changeIn = ({ state }: Pick<Mutation, 'state'>) => state.variables as OwnChange
    const pending = changes
      .filter(({ state }) => state.status === 'pending')
      .filter((one) => isResendable(changeIn(one)))
    // An undo is sent by what the change that it undoes was answered.
    const undone = new Set(pending.map((one) => undoneBy(changeIn(one))))
    const { mutations } = dehydrate(client, {
      shouldDehydrateQuery: () => false,
      shouldDehydrateMutation: (one) =>
        changes.includes(one) && (pending.includes(one) || undone.has(changeIn(one).key)),
    })
    const kept: Kept = { owner, mutations: mutations.map(({ meta: _meta, ...mutation }) => mutation) }
    try {
      if (mutations.length === 0) storage.removeItem(UNSENT_KEY)
      else storage.setItem(UNSENT_KEY, JSON.stringify(kept))
    } catch {
      // A storage may be full or forbidden. The changes are still on their way.
    }
  })
}

/** A mail has a way of its own (`outbox.ts`); what matches a filter may be something else later. */
function isResendable({ request }: OwnChange): boolean {
  return request.kind !== 'mail' && !(request.kind === 'decide' && request.body.matching !== undefined)
}

function undoneBy({ request }: OwnChange): string | null {
  return request.kind === 'undo' ? request.undoes : null
}

function readUnsent(storage: TabStorage, owner: string): Kept['mutations'] {
  try {
    const kept = JSON.parse(storage.getItem(UNSENT_KEY) ?? 'null') as Partial<Kept> | null
    storage.removeItem(UNSENT_KEY)
    return kept?.owner === owner ? (kept.mutations ?? []) : []
  } catch {
    return []
  }
}
