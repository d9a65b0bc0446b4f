import type { AttemptChannel, AttemptOutcome, LeadStatus } from './lead'

type Person = { id: string; name: string }

/** What happened to a lead. `undone`: taken back since. A note's text is told by `GET /api/notes`, while the note is there. */
type Happening =
  | { what: 'status'; from: LeadStatus; to: LeadStatus; undone?: true }
  | { what: 'assignee'; to: Person | null; undone?: true }
  | { what: 'snooze'; until: string | null; undone?: true }
  | { what: 'attempt'; channel: AttemptChannel; outcome: AttemptOutcome; undone?: true }
  | { what: 'note' | 'note-deleted'; noteId: string }

/** `by` is null where nobody did it, or somebody whose account is gone. `at` is ISO 8601. */
export type LeadEvent = Happening & { at: string; by: Person | null }

/** `GET /api/lead-history?kind=&id=`: what the staff did about one lead, oldest first, the newest five hundred. */
export type LeadHistory = { events: LeadEvent[] }
