import type { Mutation, QueryClient } from '@tanstack/react-query'
import { type ChangeAnswer, OWN_CHANGE, type OwnChange } from '@/lib/inbox/own-changes'

type ChangeMutation = Mutation<ChangeAnswer, Error, OwnChange>

export function changesIn(client: QueryClient): ChangeMutation[] {
  return client.getMutationCache().findAll({ mutationKey: OWN_CHANGE }) as unknown as ChangeMutation[]
}

/** Changes that came through or are on their way, and that were not taken back yet; oldest first. */
export function undoableChanges(client: QueryClient): ChangeMutation[] {
  const alive = changesIn(client).filter(({ state }) => state.status !== 'error' && state.data?.undo !== null)
  const requests = alive.flatMap(({ state }) => state.variables?.request ?? [])
  const undone = new Set(requests.map((request) => request.kind === 'undo' && request.undoes))
  return alive.filter(({ state: { variables } }) => {
    const kind = variables?.request.kind
    return (kind === 'decide' || kind === 'attempt') && !undone.has(variables?.key ?? '')
  })
}
