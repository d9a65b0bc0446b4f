import { onlineManager } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import type { TriageAnswer } from '@/lib/contract/triage'
import type { Locale } from '@/lib/i18n/locale'
import { findDisplayName } from '@/lib/inbox/lead-text'
import type { LeadFields, OwnChange, TriageDecision, TriagedLead } from '@/lib/inbox/own-changes'
import { formatWeekdayDate } from '@/lib/time/format-date'
import { stockholmDay } from '@/lib/time/stockholm'

export type Translate = ReturnType<typeof useTranslations<never>>

/** Writes the sentences about changes of leads. A single lead is named. */
export function createNotices(t: Translate, locale: Locale) {
  /** A sentence that begins with our own words gets a capital letter; a name keeps its spelling. */
  const writeAboutLead = ({ kind, item }: TriagedLead, sentence: (name: string) => string): string => {
    const name = item && findDisplayName(item)
    if (kind === 'declaration-of-interest' && name) return sentence(name)
    const ours = name
      ? t('inbox.triage.questionFrom', { name })
      : t(kind === 'asked-question' ? 'inbox.triage.question' : 'inbox.triage.declaration')
    const text = sentence(ours)
    return text.startsWith(ours) ? text.charAt(0).toLocaleUpperCase() + text.slice(1) : text
  }
  const writeDecision = (decision: TriageDecision, count: number, only: TriagedLead | undefined): string => {
    const form = chooseForm(decision)
    const { assignee, snoozeUntil } = decision
    const day = snoozeUntil ? formatWeekdayDate(snoozeUntil, stockholmDay(Date.now()), locale) : ''
    const values = { person: assignee?.name ?? '', day }
    if (only === undefined) return t(`inbox.triage.many.${form}`, { count, ...values })
    return writeAboutLead(only, (name) => t(`inbox.triage.one.${form}`, { name, ...values }))
  }
  const writeConflictCount = (count: number) => t('inbox.triage.conflicts', { count })
  const addOfflineNote = (text: string) => (onlineManager.isOnline() ? text : `${text} ${t('inbox.triage.waits')}`)
  return {
    writeAttempt: addOfflineNote,
    writeDecided: (decision: TriageDecision, leads: readonly TriagedLead[]): string => {
      const what = writeDecision(decision, leads.length, findOnly(leads))
      const name = leads.length > 1 && findCommonName(leads)
      return addOfflineNote(name ? t('inbox.triage.ofPerson', { name, what }) : what)
    },
    writeDecidedMatching: (decision: TriageDecision, changed: number, conflicts: number): string => {
      const sentences = [
        ...(changed > 0 ? [writeDecision(decision, changed, undefined)] : []),
        ...(conflicts > 0 ? [writeConflictCount(conflicts)] : []),
      ]
      return sentences.join(' ') || t('inbox.triage.nothingChanged')
    },
    writeConflicts: (decision: TriageDecision, lost: TriageAnswer['conflicts'], leads: readonly TriagedLead[]) => {
      const [first] = lost
      const only = findOnly(leads)
      if (first === undefined || only === undefined) return writeConflictCount(lost.length)
      const what = writeDecision(toCurrentDecision(first.now, decision), 1, only)
      const by = first.now.updatedBy?.name
      return by ? t('inbox.triage.conflictBy', { by, what }) : t('inbox.triage.conflict', { what })
    },
    /** `undo.leads` have the restored fields, `leads` the items with their names. */
    writeUndone: (undo: OwnChange, leads: readonly TriagedLead[], restored: number, lost: number): string => {
      if (restored === 0) return t('inbox.triage.undoneNone', { count: Math.max(1, lost) })
      if (lost > 0) return `${t('inbox.triage.undone', { count: restored })} ${writeConflictCount(lost)}`
      const only = findOnly(leads)
      if (undo.count !== 1 || only === undefined) {
        const name = findCommonName(leads)
        return name
          ? t('inbox.triage.undoneOf', { count: restored, name })
          : t('inbox.triage.undone', { count: restored })
      }
      const now = undo.leads[0]?.fields
      if (now === undefined) return writeAboutLead(only, (name) => t('inbox.triage.undoneOne', { name }))
      const isNewAgain = undo.decision.status !== undefined && now.status === 'new'
      const what = isNewAgain
        ? writeAboutLead(only, (name) => t('inbox.triage.one.again', { name }))
        : writeDecision(toCurrentDecision(now, undo.decision), 1, only)
      return t('inbox.triage.undoneTo', { what })
    },
    writeFailed: (leads: readonly TriagedLead[]): string => {
      const only = findOnly(leads)
      if (only === undefined) return t('inbox.triage.failed', { count: leads.length })
      return writeAboutLead(only, (name) => t('inbox.triage.failedOne', { name }))
    },
  }
}

function findOnly(leads: readonly TriagedLead[]): TriagedLead | undefined {
  return leads.length === 1 ? leads[0] : undefined
}

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

/** Chooses the message of a decision. To take a lead sets its status and assignee together. */
function chooseForm({ status, assignee, snoozeUntil }: TriageDecision) {
  if (status === 'in-progress' && assignee) return 'take'
  if (status !== undefined) return status
  if (snoozeUntil !== undefined) return snoozeUntil === null ? 'back' : 'snoozed'
  return assignee ? 'assigned' : 'unassigned'
}
