import type { LeadVersion } from '@/lib/api/triage'
import type { LeadRef, Triage } from '@/lib/contract/lead'

/** A lead's triage and until which day it is put aside, as far as that is on screen. */
export type ShownTriage = Triage & { snoozeUntil?: string | null }

/** What becomes of leads: a status, somebody who looks after them (null: nobody), a day on which they come back. */
export type TriageDecision = Partial<Pick<ShownTriage, 'status' | 'assignee' | 'snoozeUntil'>>

/** A lead with its triage as it is on screen, its school and what its person is called; undefined where the lead is not loaded. */
export type TriagedLead = LeadRef & {
  triage?: ShownTriage | undefined
  name?: string | null | undefined
  school?: string | undefined
}

export type TriageHistory = { steps: UndoSteps; versions: TriageVersions }

/** What one person decided in this tab: the way back, and the versions that came of it. */
export function createTriageHistory(): TriageHistory {
  return { steps: createUndoSteps(), versions: createTriageVersions() }
}

/** Something done that can be taken back, once the server has answered what it is called there. */
export type UndoStep = {
  /** The server's name for it; null when nothing came of it. */
  token: Promise<string | null>
  /** What stood on screen before, as far as it was there. */
  before: readonly (LeadRef & { triage: ShownTriage })[]
  decision: TriageDecision
  /** How many leads it was about; of a single one, which. */
  count: number
  only: TriagedLead | undefined
  /** What the person is called where all of many are one person's. */
  name?: string | undefined
  /** Of many: the lead that the person was at. */
  from?: LeadRef | undefined
  /** What is said about it takes the place of what was said about it before. */
  topic: string
  /** What is said once it is taken back, where it is about more than a decision. */
  undone?: string
  /** What else comes back with it. */
  onTakenBack?: () => void
}

type UndoSteps = {
  add: (step: UndoStep) => void
  /** Takes out this step, or else the last one. */
  take: (step?: UndoStep) => UndoStep | undefined
  /** Answers later whether nothing that was done after now is still there to take back. */
  mark: () => () => boolean
}

const MOST_STEPS = 50

/** The way back, step by step, as long as the tab is open. */
export function createUndoSteps(): UndoSteps {
  let steps: readonly UndoStep[] = []
  return {
    add: (step) => {
      steps = [...steps, step].slice(-MOST_STEPS)
    },
    take: (step = steps.at(-1)) => {
      if (step === undefined || !steps.includes(step)) return undefined
      steps = steps.filter((other) => other !== step)
      return step
    },
    mark: () => {
      const before = steps
      return () => steps.every((step) => before.includes(step))
    },
  }
}

type TriageVersions = {
  /** What the person decided by: the newest version they can know of. Without one the server does not compare. */
  of: (lead: TriagedLead) => LeadVersion
  learn: (leads: readonly (LeadRef & { after: Triage })[]) => void
  /** They are about to be others, and it is not known which. */
  forget: (leads: readonly LeadRef[]) => void
}

/**
 * The versions that one's own decisions made: rows on screen still show the one before until the list is asked again, and
 * whoever decides twice in a row must not be told that somebody else was faster.
 */
export function createTriageVersions(): TriageVersions {
  const own = new Map<string, string | null | undefined>()
  const keyOf = ({ kind, id }: LeadRef) => `${kind} ${id}`
  return {
    of: (lead) => {
      const ref = { kind: lead.kind, id: lead.id }
      const key = keyOf(lead)
      if (lead.triage === undefined || (own.has(key) && own.get(key) === undefined)) return ref
      return { ...ref, updatedAt: later(lead.triage.updatedAt, own.get(key) ?? null) }
    },
    learn: (leads) => {
      for (const lead of leads) own.set(keyOf(lead), lead.after.updatedAt)
    },
    forget: (leads) => {
      for (const lead of leads) own.set(keyOf(lead), undefined)
    },
  }
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return Date.parse(a) >= Date.parse(b) ? a : b
}
