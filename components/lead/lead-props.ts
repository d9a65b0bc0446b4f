import type { ReactNode } from 'react'
import type { AttemptNote } from '@/components/app/triage'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'

/** The list does this for the open lead. */
export type LeadHandlers = {
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
  onStatus: (item: LeadItem, status: LeadStatus) => void
  onTake: (item: LeadItem) => void
  onAssign: (item: LeadItem) => void
  onSnooze: (item: LeadItem) => void
  onUnsnooze: (item: LeadItem) => void
  onAttempt: (attemptNote: AttemptNote) => void
  /** The user is done with the lead, and with those in `justDecided`, so the list goes on to the next. */
  onFinished: (item: LeadItem, justDecided?: readonly LeadRef[]) => void
  onReturn: (leads: readonly LeadRef[]) => void
}

export type LeadProps = {
  lead: LeadRef
  item: LeadItem
  handlers: LeadHandlers
  /** While it is false, nothing is requested that counts as opening the lead. */
  isOpened: boolean
}

/** `focusRequests` grows by one each time the user asks to answer. */
export type ChannelProps = LeadProps & { focusRequests: number; otherChannelButton: ReactNode; onClose: () => void }
