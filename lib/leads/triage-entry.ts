import type { AttemptChannel, AttemptOutcome, LeadStatus } from '@/lib/contract/lead'
import { isAnswer } from '@/lib/contract/lists'

export type AttemptEntry = {
  id: number
  attemptedAt: number
  userId: string | null
  channel: AttemptChannel
  outcome: AttemptOutcome
}

/** An entry has what the staff decided and did about one lead. Moments are in ms. */
export type TriageEntry = {
  status: LeadStatus
  assigneeId: string | null
  /** Null means that nobody has decided about the lead. */
  updatedAt: number | null
  statusChangedAt?: number | null
  updatedById?: string | null
  /** This is the follow-up day in Stockholm, `yyyy-MM-dd`. */
  snoozeUntil?: string | null
  attempts?: readonly AttemptEntry[]
  answeredAt?: number | null
}

export function findFirstAnswer(attempts: readonly AttemptEntry[]): AttemptEntry | null {
  return attempts.find(({ outcome }) => isAnswer(outcome)) ?? null
}

/** An untouched lead has no entry; it is new and unassigned. */
export type TriageById = ReadonlyMap<string, TriageEntry>
