import 'server-only'
import type { SnapshotInfo } from '@/lib/contract/snapshot'
import { NotReadyError } from '@/server/errors'
import { services } from '@/server/services'
import { type ListState, snapshotInfo } from './list-state'

/** How long a reader waits for the very first answer of the service before being told to come back. */
const FIRST_ANSWER_MS = 2_500
const COME_BACK_SECONDS = 5

/** A list's last good content. Counts as a look, so the feed goes at full pace. Throws NotReadyError when there is none yet. */
export async function current<T>(stateOf: () => ListState<T>): Promise<{ content: T; snapshot: SnapshotInfo }> {
  const { feed } = services()
  feed.look()
  if (stateOf().content === null) await feed.ready(FIRST_ANSWER_MS)
  const state = stateOf()
  const snapshot = snapshotInfo(state)
  if (state.content === null || snapshot === null) throw new NotReadyError(notReady(state), COME_BACK_SECONDS)
  return { content: state.content, snapshot }
}

function notReady({ problem }: ListState<unknown>): string {
  return problem === null ? 'The first data is on its way' : `No data yet: ${problem.kind}`
}
