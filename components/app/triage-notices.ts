import { onlineManager } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import type { TriageAnswer } from '@/lib/contract/triage'
import type { Locale } from '@/lib/i18n/locale'
import { findDisplayName } from '@/lib/inbox/lead-text'
import type { LeadFields, OwnChange, TriageDecision, TriagedLead } from '@/lib/inbox/own-changes'
import { formatWeekdayDate } from '@/lib/time/format-date'
import { stockholmDay } from '@/lib/time/stockholm'

export type Translate = ReturnType<typeof useTranslations<'inbox.triage'>>

/** Writes the sentences about changes of leads. A single lead is named. */
export function createNotices(t: Translate, locale: Locale) {
  /** Names the lead in a sentence, which gets a capital letter unless it begins with the person's name. */
  const writeAboutLead = ({ kind, item }: TriagedLead, sentence: (name: string) => string): string => {
    const name = item && findDisplayName(item)
    if (kind === 'declaration-of-interest' && name) return sentence(name)
    const leadText = name ? t('questionFrom', { name }) : t(kind === 'asked-question' ? 'question' : 'declaration')
    const text = sentence(leadText)
    return text.startsWith(leadText) ? text.charAt(0).toLocaleUpperCase() + text.slice(1) : text
  }
  const writeDecision = (decision: TriageDecision, count: number, only?: TriagedLead): string => {
    const form = chooseForm(decision)
    const { assignee, snoozeUntil } = decision
    const day = snoozeUntil ? formatWeekdayDate(snoozeUntil, stockholmDay(Date.now()), locale) : ''
    const values = { person: assignee?.name ?? '', day }
    if (only === undefined) return t(`many.${form}`, { count, ...values })
    return writeAboutLead(only, (name) => t(`one.${form}`, { name, ...values }))
  }
  const writeConflictCount = (count: number) => t('conflicts', { count })
  const addOfflineNote = (text: string) => (onlineManager.isOnline() ? text : `${text} ${t('waits')}`)
  return {
    addOfflineNote,
    writeDecided: (decision: TriageDecision, leads: readonly TriagedLead[]): string => {
      const what = writeDecision(decision, leads.length, findOnly(leads))
      const name = leads.length > 1 && findCommonName(leads)
      return addOfflineNote(name ? t('ofPerson', { name, what }) : what)
    },
    writeDecidedMatching: (decision: TriageDecision, changed: number, conflicts: number): string => {
      const changedText = changed > 0 ? writeDecision(decision, changed) : ''
      const conflictText = conflicts > 0 ? writeConflictCount(conflicts) : ''
      return `${changedText} ${conflictText}`.trim() || t('nothingChanged')
    },
    writeConflicts: (decision: TriageDecision, lost: TriageAnswer['conflicts'], leads: readonly TriagedLead[]) => {
      const [first] = lost
      const only = findOnly(leads)
      if (first === undefined || only === undefined) return writeConflictCount(lost.length)
      const what = writeDecision(toCurrentDecision(first.now, decision), 1, only)
      const by = first.now.updatedBy?.name
      return by ? t('conflictBy', { by, what }) : t('conflict', { what })
    },
    /** `undo.leads` have the restored fields, `leads` the items with their names. */
    writeUndone: (undo: OwnChange, leads: readonly TriagedLead[], restored: number, lost: number): string => {
      if (restored === 0) return t('undoneNone', { count: Math.max(1, lost) })
      const countText = t('undone', { count: restored })
      if (lost > 0) return `${countText} ${writeConflictCount(lost)}`
      const only = undo.count === 1 ? findOnly(leads) : undefined
      const commonName = findCommonName(leads)
      if (only === undefined) return commonName ? t('undoneOf', { count: restored, name: commonName }) : countText
      const now = undo.leads[0]?.fields
      if (now === undefined) return writeAboutLead(only, (name) => t('undoneOne', { name }))
      const isNewAgain = undo.decision.status !== undefined && now.status === 'new'
      const what = isNewAgain
        ? writeAboutLead(only, (name) => t('one.again', { name }))
        : writeDecision(toCurrentDecision(now, undo.decision), 1, only)
      return t('undoneTo', { what })
    },
    writeFailed: (leads: readonly TriagedLead[]): string => {
      const only = findOnly(leads)
      if (only === undefined) return t('failed', { count: leads.length })
      return writeAboutLead(only, (name) => t('failedOne', { name }))
    },
  }
}

const findOnly = (leads: readonly TriagedLead[]) => (leads.length === 1 ? leads[0] : undefined)

function findCommonName(leads: readonly TriagedLead[]): string | undefined {
  const [name, ...others] = new Set(leads.map(({ item }) => item && findDisplayName(item)))
  return others.length === 0 && name ? name : undefined
}

/** Returns the lead's values of the fields that the decision changed, or the status where `snoozeUntil` is unknown. */
function toCurrentDecision({ status, assignee, snoozeUntil }: LeadFields, decision: TriageDecision): TriageDecision {
  if (decision.snoozeUntil !== undefined && snoozeUntil !== undefined) return { snoozeUntil }
  if (decision.status === undefined && decision.snoozeUntil === undefined)
    return assignee === undefined ? {} : { assignee }
  return status === undefined ? {} : { status }
}

/** Chooses the message of a decision. Who takes a lead sets its status and assignee together. */
function chooseForm({ status, assignee, snoozeUntil }: TriageDecision) {
  if (status === 'in-progress' && assignee) return 'take'
  if (status !== undefined) return status
  if (snoozeUntil !== undefined) return snoozeUntil === null ? 'back' : 'snoozed'
  return assignee ? 'assigned' : 'unassigned'
}
