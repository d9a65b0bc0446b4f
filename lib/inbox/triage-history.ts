import type { LeadVersion } from '@/lib/api/triage'
import type { LeadRef, Triage } from '@/lib/contract/lead'

export type ShownTriage = Triage & { snoozeUntil?: string | null }

export type TriageDecision = Partial<Pick<ShownTriage, 'status' | 'assignee' | 'snoozeUntil'>>

/** As on screen; undefined where it is not loaded. */
export type TriagedLead = LeadRef & {
  triage?: ShownTriage | undefined
  name?: string | null | undefined
  school?: string | undefined
}

export type TriageHistory = { steps: UndoSteps; versions: TriageVersions }

export function createTriageHistory(): TriageHistory {
  return { steps: createUndoSteps(), versions: createTriageVersions() }
}

/** Something done that can be undone, once the server has answered. */
export type UndoStep = {
  token: Promise<string | null>
  before: readonly (LeadRef & { triage: ShownTriage })[]
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

type UndoSteps = {
  add: (step: UndoStep) => void
  take: (step?: UndoStep) => UndoStep | undefined
  /** The answer tells later whether no newer step is left. */
  mark: () => () => boolean
}

const MOST_STEPS = 50

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
  /** The newest version that the user can know. Without one the server does not compare. */
  of: (lead: TriagedLead) => LeadVersion
  learn: (leads: readonly (LeadRef & { after: Triage })[]) => void
  forget: (leads: readonly LeadRef[]) => void
}

/** Rows show the version before one's own decision, and a second decision must not be a conflict. */
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
