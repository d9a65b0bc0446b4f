import type { LeadStatus } from '@/lib/contract/lead'

/** What the staff decided about one lead; `updatedAt` in milliseconds since the epoch. */
export type TriageEntry = { status: LeadStatus; assigneeId: string | null; updatedAt: number }

/** The triage of one kind of lead by lead id; a lead that nobody touched has no entry and is new, unassigned. */
export type TriageOf = ReadonlyMap<string, TriageEntry>
