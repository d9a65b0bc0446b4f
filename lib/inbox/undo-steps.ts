import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef, LeadWork, Triage } from '@/lib/contract/lead'

export type ShownTriage = Triage & { snoozeUntil?: string | null }

export type LeadFields = Partial<ShownTriage> & Partial<LeadWork>

export type TriageDecision = Partial<Pick<ShownTriage, 'status' | 'assignee' | 'snoozeUntil'>>

/** As on screen; undefined where it is not loaded. */
export type TriagedLead = LeadRef & {
  triage?: ShownTriage | undefined
  item?: LeadItem | undefined
  name?: string | null | undefined
  school?: string | undefined
}

/** Of a lead only what its numbers and its way back need: nothing that names the person. */
export type LeadFacts = Pick<LeadItem, 'highSchoolId' | 'seenAt' | 'triage'> & LeadWork

/** A lead as it was, `item` where it was on screen, and which fields were changed. */
export type BeforeChange = LeadRef & { triage: ShownTriage; item?: LeadFacts | undefined; fields: LeadFields }

/** Something done that can be undone, once the server has answered. */
export type UndoStep = {
  token: Promise<string | null>
  before: readonly BeforeChange[]
  decision: TriageDecision
  count: number
  only: TriagedLead | undefined
  name?: string | undefined
  from?: LeadRef | undefined
  /** Notices of one topic replace each other. */
  topic: string
  /** The notice after undoing it, where it is no mere decision. */
  undone?: string
  onTakenBack?: () => void
}

export type UndoSteps = ReturnType<typeof createUndoSteps>

const MAX_STEPS = 50

export function createUndoSteps() {
  let steps: readonly UndoStep[] = []
  return {
    add: (step: UndoStep) => {
      steps = [...steps, step].slice(-MAX_STEPS)
    },
    take: (step: UndoStep | undefined = steps.at(-1)) => {
      if (step === undefined || !steps.includes(step)) return undefined
      steps = steps.filter((other) => other !== step)
      return step
    },
    /** The answer tells later whether no newer step is left. */
    mark: () => {
      const before = steps
      return () => steps.every((step) => before.includes(step))
    },
  }
}
