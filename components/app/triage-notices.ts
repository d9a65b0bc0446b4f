import { onlineManager } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import type { TriageAnswer } from '@/lib/contract/triage'
import type { Locale } from '@/lib/i18n/locale'
import { findDisplayName } from '@/lib/inbox/lead-text'
import type { LeadFields, OwnChange, TriageDecision, TriagedLead } from '@/lib/inbox/own-changes'
import { formatWeekdayDate } from '@/lib/time/format-date'
import { toStockholmDay } from '@/lib/time/stockholm'

type Leads = readonly TriagedLead[]
export type Translate = ReturnType<typeof useTranslations<'inbox.triage'>>

/** Writes the sentences about changes of leads. A single lead is named. */
export function createNotices(t: Translate, locale: Locale) {
  /** Names the lead in a sentence, which gets a capital letter unless it begins with the person's name. */
  const writeAboutLead = ({ kind, item }: TriagedLead, toSentence: (name: string) => string): string => {
    const name = item && findDisplayName(item)
    if (kind === 'declaration-of-interest' && name) return toSentence(name)
    const leadText = name ? t('questionFrom', { name }) : t(kind === 'asked-question' ? 'question' : 'declaration')
    const text = toSentence(leadText)
    return text.startsWith(leadText) ? text.charAt(0).toLocaleUpperCase(locale) + text.slice(1) : text
  }
  const writeDecision = (decision: TriageDecision, count: number, singleLead?: TriagedLead): string => {
    const form = chooseForm(decision)
    const { assignee, snoozeUntil } = decision
    const day = snoozeUntil ? formatWeekdayDate(snoozeUntil, toStockholmDay(Date.now()), locale) : ''
    const values = { person: assignee?.name ?? '', day }
    if (singleLead === undefined) return t(`many.${form}`, { count, ...values })
    return writeAboutLead(singleLead, (name) => t(`one.${form}`, { name, ...values }))
  }
  const writeConflictCount = (count: number) => t('conflicts', { count })
  const addOfflineNote = (text: string) => (onlineManager.isOnline() ? text : `${text} ${t('waits')}`)
  return {
    addOfflineNote,
    describeDecision: (decision: TriageDecision, leads: Leads): string => {
      const what = writeDecision(decision, leads.length, findSingleLead(leads))
      const name = leads.length > 1 && findCommonName(leads)
      return addOfflineNote(name ? t('ofPerson', { name, what }) : what)
    },
    describeMatchingDecision: (decision: TriageDecision, changedCount: number, conflictCount: number): string => {
      const changedText = changedCount > 0 ? writeDecision(decision, changedCount) : ''
      const conflictText = conflictCount > 0 ? writeConflictCount(conflictCount) : ''
      return `${changedText} ${conflictText}`.trim() || t('nothingChanged')
    },
    describeConflicts: (decision: TriageDecision, conflicts: TriageAnswer['conflicts'], leads: Leads): string => {
      const [first] = conflicts
      const singleLead = findSingleLead(leads)
      if (first === undefined || singleLead === undefined) return writeConflictCount(conflicts.length)
      const what = writeDecision(toCurrentDecision(first.now, decision), 1, singleLead)
      const by = first.now.updatedBy?.name
      return by ? t('conflictBy', { by, what }) : t('conflict', { what })
    },
    /** `undo.leads` have the restored fields, and `leads` have the names. */
    describeUndo: (undo: OwnChange, leads: Leads, restoredCount: number, conflictCount: number): string => {
      if (restoredCount === 0) return t('undoneNone', { count: Math.max(1, conflictCount) })
      const countText = t('undone', { count: restoredCount })
      if (conflictCount > 0) return `${countText} ${writeConflictCount(conflictCount)}`
      const singleLead = undo.count === 1 ? findSingleLead(leads) : undefined
      const commonName = findCommonName(leads)
      if (singleLead === undefined)
        return commonName ? t('undoneOf', { count: restoredCount, name: commonName }) : countText
      const restoredFields = undo.leads[0]?.fields
      if (restoredFields === undefined) return writeAboutLead(singleLead, (name) => t('undoneOne', { name }))
      const isNewAgain = undo.decision.status !== undefined && restoredFields.status === 'new'
      const what = isNewAgain
        ? writeAboutLead(singleLead, (name) => t('one.again', { name }))
        : writeDecision(toCurrentDecision(restoredFields, undo.decision), 1, singleLead)
      return t('undoneTo', { what })
    },
    describeFailure: (leads: Leads): string => {
      const singleLead = findSingleLead(leads)
      if (singleLead === undefined) return t('failed', { count: leads.length })
      return writeAboutLead(singleLead, (name) => t('failedOne', { name }))
    },
  }
}

const findSingleLead = (leads: Leads) => (leads.length === 1 ? leads[0] : undefined)

function findCommonName(leads: Leads): string | undefined {
  const [name, ...others] = new Set(leads.map(({ item }) => item && findDisplayName(item)))
  return others.length === 0 && name ? name : undefined
}

/** Returns the current value of what the decision changed: the snooze day, else the status, else the assignee. */
function toCurrentDecision({ status, assignee, snoozeUntil }: LeadFields, decision: TriageDecision): TriageDecision {
  if (decision.snoozeUntil !== undefined && snoozeUntil !== undefined) return { snoozeUntil }
  if (decision.status === undefined && decision.snoozeUntil === undefined)
    return assignee === undefined ? {} : { assignee }
  return status === undefined ? {} : { status }
}

/** Chooses the message of a decision. A user who takes a lead sets its status and assignee together. */
function chooseForm({ status, assignee, snoozeUntil }: TriageDecision) {
  if (status === 'in-progress' && assignee) return 'take'
  if (status !== undefined) return status
  if (snoozeUntil !== undefined) return snoozeUntil === null ? 'back' : 'snoozed'
  return assignee ? 'assigned' : 'unassigned'
}
