import type { ReactNode } from 'react'
import type { AttemptToNote } from '@/components/app/triage'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import type { TriageDecision } from '@/lib/inbox/own-changes'

export type LeadActions = {
  move: (step: 1 | -1) => unknown
  closeLead: () => void
  /** Tells the list which lead is on screen, because shortcuts decide about that one. */
  setShownItem: (item: LeadItem | undefined) => void
  decideLead: (item: LeadItem, decision: TriageDecision) => void
  takeLead: (item: LeadItem) => void
  askAssign: (item: LeadItem) => void
  askSnooze: (item: LeadItem) => void
  noteAttempt: (note: Omit<AttemptToNote, 'author'>) => void
  /** Goes on to the next lead, because the user is done with this one and with those in `justDecided`. */
  goToNextLead: (item: LeadItem, justDecided?: readonly LeadRef[]) => void
  returnToLead: (leads: readonly LeadRef[]) => void
}

export type LeadProps = {
  lead: LeadRef
  item: LeadItem
  actions: LeadActions
  /** Until it is true, nothing is requested that the server logs as opening the lead. */
  isOpened: boolean
}

/** The panels of both channels get these. `focusRequestCount` grows each time the user asks to answer. */
export type ChannelProps = LeadProps & { focusRequestCount: number; otherChannelButton: ReactNode; onClose: () => void }
