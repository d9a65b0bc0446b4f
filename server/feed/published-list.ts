import type { ListSource } from './list-source'
import { type ChangedLeads, emptyListState, type FetchOutcome, type ListState, type Problem } from './list-state'
import type { Validators } from './response-headers'
import type { SharedLists } from './shared-lists'

export type PublishedListOptions<T> = {
  source: ListSource<T>
  sharedLists: SharedLists
  /** Called after each change of the state. `isNew` tells whether the content has a new version. */
  onChange: (state: ListState<T>, isNew: boolean, changedLeads: ChangedLeads | null) => void
  onError: (error: unknown) => void
}

/** Holds the state of a list, and keeps it the same as the one that the instances share. */
export function createPublishedList<T>({ source, sharedLists, onChange, onError }: PublishedListOptions<T>) {
  let state = emptyListState<T>()
  /** Null while the shared store lacks the content's body, which the service must then send again. */
  let storedValidators: Validators | null = null
  let lastReadId: string | null = null
  let problemPublication: Promise<unknown> = Promise.resolve()
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
      // This instance's clock may have been set since it read the same publication.
      if (published && published.id === lastReadId) return setNextAt(published.state.nextAt)
      storedValidators = null
      if (published === null || published.state.version < version) return
      const { body, state: next } = published
      if (next.problem?.doubt) source.guard.adopt(next.problem.doubt)
      else if (next.problem === null) source.guard.clear()
      if (next.version === version) setState({ ...next, content })
      else {
        const parsed = body && (await source.read(body, content))
        // `lastReadId` stays, so a body that cannot be read is tried again.
        if (!parsed?.ok) return
        setState({ ...next, content: parsed.content }, parsed.changedLeads)
      }
      storedValidators = published.validators
      lastReadId = published.id
    },
    /** Shows a problem while a fetch lasts, here and on the other instances. */
    publishProblem(fencingToken: number, problem: Problem): void {
      const nextState = { ...state, problem: state.problem ?? problem, nextAt: null }
      setState(nextState)
      const { content: _, ...sharedState } = nextState
      const publication = { state: sharedState, validators: storedValidators ?? {} }
      // A problem that is not published matters little, because the outcome of the fetch follows.
      problemPublication = sharedLists.publish(source.list, fencingToken, publication, null).catch(() => {})
    },
    /** Shows and publishes a fetch's outcome. Returns false, and withdraws it, when another instance has the lease. */
    async publish(fencingToken: number, next: ListState<T>, outcome: FetchOutcome<T>): Promise<boolean> {
      const fetched = outcome.kind === 'fetched' ? outcome : null
      const validators = fetched?.validators ?? storedValidators ?? {}
      const body = fetched && (fetched.isChanged || storedValidators === null) ? fetched.body : null
      const previousState = state
      // The list is shown first, because packing a large one for the others takes longer than reading it.
      setState(next, fetched?.changedLeads)
      // A problem that was written later would bring back the version before.
      await problemPublication
      const { content: _, ...sharedState } = next
      const publication = { state: sharedState, validators }
      const result = await sharedLists.publish(source.list, fencingToken, publication, body).catch((error: unknown) => {
        setState(previousState)
        throw error
      })
      if (result === 'refused') {
        setState(previousState)
        return false
      }
      storedValidators = result === 'without body' ? null : validators
      if (fetched) source.guard.clear()
      return true
    },
  }
}
