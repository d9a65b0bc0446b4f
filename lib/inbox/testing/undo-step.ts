import type { UndoStep } from '../triage-history'

/** A decision that can be taken back; each is one of its own. */
export function undoStep(): UndoStep {
  return {
    token: Promise.resolve('x'),
    before: [],
    decision: { status: 'handled' },
    count: 1,
    only: undefined,
    topic: 'triage',
  }
}
