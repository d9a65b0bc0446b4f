import type { ListSource } from './list-source'
import { type ChangedLeads, createEmptyListState, type FetchOutcome, type ListState } from './list-state'
import type { Validators } from './response-headers'
import type { SharedLists } from './shared-lists'

export type PublishedListOptions<T> = {
  source: ListSource<T>
  sharedLists: SharedLists
  /** Called after each change of the state. `isNew` tells whether the content has a new version. */
  onChange: (state: ListState<T>, isNew: boolean, changedLeads: ChangedLeads | null) => void
  onError: (error: unknown) => void
}

/** Holds this instance's state of a list, and keeps it equal to the published one. */
export function createPublishedList<T>({ source, sharedLists, onChange, onError }: PublishedListOptions<T>) {
  let state = createEmptyListState<T>()
  /** Null while the shared store lacks the content's body, which the service must then send again. */
  let storedValidators: Validators | null = null
  let adoptedAt: number | null = null
  let isStopped = false

  const setNextAt = (nextAt: number | null) => void (state = { ...state, nextAt })
  function setState(next: ListState<T>, changedLeads: ChangedLeads | null = null): void {
    const isNew = next.version !== state.version
    state = next
    if (isStopped) return
    try {
      onChange(state, isNew, changedLeads)
    } catch (error) {
      onError(error)
    }
  }

  return {
    state: () => state,
    validators: () => storedValidators ?? {},
    setState,
    setNextAt,
    stop: () => void (isStopped = true),
    /** Takes over what the leader published. Versions never go back: a store that lost its content is ignored. */
    async adoptPublished(): Promise<void> {
      const { version, content } = state
      const published = await sharedLists.read(source.list, version)
      const isOutageShown = state.problem?.faultySystem === 'database'
      if (published && published.publishedAt === adoptedAt && !isOutageShown) return
      storedValidators = null
      if (published === null || published.state.version < version) return
      const { body, state: next } = published
      if (next.version === version) setState({ ...next, content })
      else {
        const parsed = body && (await source.read(body, content))
        // A body that cannot be read is tried again, because `adoptedAt` stays unchanged.
        if (!parsed?.ok) return
        setState({ ...next, content: parsed.content }, parsed.changedLeads)
      }
      storedValidators = published.validators
      adoptedAt = published.publishedAt
    },
    /** Shows and publishes a fetch's outcome. Returns false, and withdraws it, when another instance has the lease. */
    async publish(fencingToken: number, next: ListState<T>, outcome: FetchOutcome<T>): Promise<boolean> {
      const fetched = outcome.kind === 'fetched' ? outcome : null
      const validators = fetched?.validators ?? storedValidators ?? {}
      const body = fetched && (fetched.isChanged || storedValidators === null) ? fetched.body : null
      const { content: _, ...sharedState } = next
      const publication = { state: sharedState, validators }
      const previousState = state
      // The list is shown first, because packing a large one for the others takes longer than reading it.
      setState(next, fetched?.changedLeads)
      const result = await sharedLists.publish(source.list, fencingToken, publication, body).catch((error: unknown) => {
        setState(previousState)
        throw error
      })
      if (result === 'refused') {
        setState(previousState)
        return false
      }
      storedValidators = result === 'without body' ? null : validators
      return true
    },
  }
}
