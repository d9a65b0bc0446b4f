import type { ReactNode } from 'react'
import type { AttemptToNote } from '@/components/app/triage'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import type { TriageDecision } from '@/lib/inbox/own-changes'

export type LeadActions = {
  move: (step: 1 | -1) => unknown
  closeLead: () => void
  /** Tells which item is on screen, because keys decide about it. */
  setShownItem: (item: LeadItem | undefined) => void
  decideLead: (item: LeadItem, decision: TriageDecision) => void
  takeLead: (item: LeadItem) => void
  askAssign: (item: LeadItem) => void
  askSnooze: (item: LeadItem) => void
  noteAttempt: (note: Omit<AttemptToNote, 'author'>) => void
  /** Goes on to the next lead, because the user is done with `item` and with the leads in `justDecided`. */
  goToNextLead: (item: LeadItem, justDecided?: readonly LeadRef[]) => void
  returnToLead: (leads: readonly LeadRef[]) => void
}

export type LeadProps = {
  lead: LeadRef
  item: LeadItem
  actions: LeadActions
  /** While it is false, nothing is requested that counts as opening the lead. */
  isOpened: boolean
}

/** The props of the panels that answer. `focusRequestCount` grows by one each time the user asks to answer. */
export type ChannelProps = LeadProps & { focusRequestCount: number; otherChannelButton: ReactNode; onClose: () => void }
