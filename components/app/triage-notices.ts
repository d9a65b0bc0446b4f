import { onlineManager } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import type { TriageAnswer } from '@/lib/contract/triage'
import type { Locale } from '@/lib/i18n/locale'
import { findDisplayName } from '@/lib/inbox/lead-text'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/own-changes'
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
    const decisionKey = chooseDecisionKey(decision)
    const { assignee, snoozeUntil } = decision
    const day = snoozeUntil ? formatWeekdayDate(snoozeUntil, toStockholmDay(Date.now()), locale) : ''
    const values = { person: assignee?.name ?? '', day }
    if (singleLead === undefined) return t(`many.${decisionKey}`, { count, ...values })
    return writeAboutLead(singleLead, (name) => t(`one.${decisionKey}`, { name, ...values }))
  }
  const writeConflictCount = (count: number) => t('conflicts', { count })
  const addOfflineNote = (text: string) => (onlineManager.isOnline() ? text : `${text} ${t('waits')}`)
  return {
    addOfflineNote,
    describeDecision: (decision: TriageDecision, leads: Leads): string => {
      const decisionText = writeDecision(decision, leads.length, findSingleLead(leads))
      const name = leads.length > 1 && findCommonName(leads)
      return addOfflineNote(name ? t('ofPerson', { name, what: decisionText }) : decisionText)
    },
    describeMatchingDecision: (decision: TriageDecision, changedCount: number, conflictCount: number): string => {
      const changedText = changedCount > 0 ? writeDecision(decision, changedCount) : ''
      const conflictText = conflictCount > 0 ? writeConflictCount(conflictCount) : ''
      return `${changedText} ${conflictText}`.trim() || t('nothingChanged')
    },
    describeConflicts: (conflicts: TriageAnswer['conflicts'], leads: Leads): string => {
      const actorName = conflicts[0]?.now.updatedBy?.name
      const singleLead = findSingleLead(leads)
      if (singleLead === undefined) return writeConflictCount(conflicts.length)
      return writeAboutLead(singleLead, (name) =>
        actorName ? t('conflictBy', { by: actorName, name }) : t('conflict', { name }),
      )
    },
    describeUndo: (leads: Leads, restoredCount: number, conflictCount: number): string => {
      if (restoredCount === 0) return t('undoneNone', { count: Math.max(1, conflictCount) })
      const singleLead = findSingleLead(leads)
      if (singleLead) return writeAboutLead(singleLead, (name) => t('undoneOne', { name }))
      const name = findCommonName(leads)
      const undoneText = name ? t('undoneOf', { count: restoredCount, name }) : t('undone', { count: restoredCount })
      return conflictCount > 0 ? `${undoneText} ${writeConflictCount(conflictCount)}` : undoneText
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

/** Chooses the key of a decision's message. A user who takes a lead sets its status and assignee together. */
function chooseDecisionKey({ status, assignee, snoozeUntil }: TriageDecision) {
  if (status === 'in-progress' && assignee) return 'take'
  if (status !== undefined) return status
  if (snoozeUntil !== undefined) return snoozeUntil === null ? 'back' : 'snoozed'
  return assignee ? 'assigned' : 'unassigned'
}
